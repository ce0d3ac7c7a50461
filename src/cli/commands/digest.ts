import type { DigestFile } from '../../main/skills/tree-digest'
import type { Given, Outcome } from '../command'
import { shown } from '../output'
import { displayPath } from '../places'
import { meansPath, skillInFolder } from '../skill-at'
import type { SkillAt } from '../skill-at'
import { treeStateOf } from '../tree-state'
import type { World } from '../world'

/** `satchel skills digest`: the tree digest of `approvals.md` 8. */
export async function run(given: Given, world: World): Promise<Outcome> {
  const skill = await skillAsked(given, world)
  const { digest, files, blocked } = await treeStateOf(skill)
  const withFiles = given.flags.has('files')
  return {
    result: {
      name: skill.name,
      path: skill.dir,
      digest: `sha256:${digest}`,
      ...(withFiles ? { files } : {}),
      ...(blocked === null ? {} : { scripts_blocked: blocked }),
    },
    text: (style) => ({
      out: [
        `sha256:${digest}  ${style.paint('quiet', shown(displayPath(world, skill.dir)))}`,
        ...(withFiles ? files.map(fileLine) : []),
      ].join('\n'),
      ...(blocked === null ? {} : { err: `None of its scripts can run: ${shown(blocked)}.` }),
    }),
  }
}

async function skillAsked(given: Given, world: World): Promise<SkillAt> {
  const asked = given.words[0]!
  if (meansPath(world, asked)) return skillInFolder(world, asked)
  const { findSkill } = await import('../find-skill')
  return findSkill(given, world, asked)
}

/** As it counts for the digest, with a space where the line has a zero byte. */
function fileLine({ executable, sha256, path }: DigestFile): string {
  return `${executable ? 'x' : '-'} ${sha256}  ${shown(path)}`
}
