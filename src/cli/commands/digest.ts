import type { DigestFile } from '../../main/skills/store/tree-digest'
import type { Given, Outcome } from '../grammar/command'
import { shown } from '../terminal/output'
import { displayPath } from '../here/places'
import { meansPath, skillInFolder } from '../here/skill-at'
import type { SkillAt } from '../here/skill-at'
import { treeStateOf } from '../here/tree-state'
import type { TreeState } from '../here/tree-state'
import type { World } from '../world'

/** `satchel skills digest`: the tree digest of `approvals.md` 8. */
export async function run(given: Given, world: World): Promise<Outcome> {
  const { skill, tree } = await treeAsked(given, world)
  const { digest, files, blocked } = tree
  const withFiles = given.flags.has('files')
  return {
    result: {
      name: skill.name,
      path: skill.told,
      digest: `sha256:${digest}`,
      ...(withFiles ? { files } : {}),
      ...(blocked === null ? {} : { scripts_blocked: blocked }),
    },
    text: (style) => ({
      out: [
        `sha256:${digest}  ${style.paint('quiet', shown(displayPath(world, skill.told)))}`,
        ...(withFiles ? files.map(fileLine) : []),
      ].join('\n'),
      ...(blocked === null ? {} : { err: `None of its scripts can run: ${shown(blocked)}.` }),
    }),
  }
}

async function treeAsked(given: Given, world: World): Promise<{ skill: SkillAt; tree: TreeState }> {
  const asked = given.words[0]!
  const use = async (skill: SkillAt) => ({ skill, tree: await treeStateOf(skill) })
  if (meansPath(world, asked)) return use(skillInFolder(world, asked))
  const { withSkill } = await import('../here/find-skill')
  return withSkill(given, world, { asked, use })
}

/** As it counts for the digest, with a space where the line has a zero byte. */
function fileLine({ executable, sha256, path }: DigestFile): string {
  return `${executable ? 'x' : '-'} ${sha256}  ${shown(path)}`
}
