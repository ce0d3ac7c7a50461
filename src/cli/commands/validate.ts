import { AppError } from '@shared/errors'
import { wrongUse } from '../command'
import type { Given, Outcome } from '../command'
import { EXIT } from '../exit-codes'
import { counted, shownLines } from '../output'
import { displayPath, isFolder, projectOf, typedPath } from '../places'
import { countSeverities, countsText, isAtLeast, problemLines, sortedProblems } from '../problems'
import type { Counts, Severity } from '../problems'
import { startProgress } from '../progress'
import { folderOfSkillMd, skillFoldersBelow } from '../skill-folders'
import type { World } from '../world'

/** `satchel skills validate`: exit code 1 when something counts. */
export async function run(given: Given, world: World): Promise<Outcome> {
  const exact = given.flags.has('exact')
  if (!exact && !given.flags.has('strict')) return validateCompatibly(given, world)
  if (given.values.has('fail-on')) {
    throw wrongUse(
      '--fail-on does not go with --strict or --exact.',
      'satchel skills validate --strict <path>',
    )
  }
  return validateStrictly(given, world, exact)
}

async function validateStrictly(given: Given, world: World, exact: boolean): Promise<Outcome> {
  const { strictLines, strictVerdict } = await import('../strict-check')
  // The reference takes every path as a skill; `--strict` also looks below those that are none.
  const paths = given.words.length > 0 && exact ? given.words : pathsOf(given, world)
  const verdicts = paths.map((path) => strictVerdict(world, path, exact))
  const failed = verdicts.filter(({ errors }) => errors.length > 0).length
  return {
    result: {
      mode: exact ? 'exact' : 'strict',
      skills: verdicts.map(({ path, errors }) => ({ path, valid: errors.length === 0, errors })),
      checked: verdicts.length,
      failed,
    },
    exit: failed > 0 ? EXIT.failed : EXIT.done,
    text() {
      const { out, err } = strictLines(verdicts)
      return { out: shownLines(out), err: shownLines(err) }
    },
  }
}

async function validateCompatibly(given: Given, world: World): Promise<Outcome> {
  const { checkSkill } = await import('../compatible-check')
  const { createCheckEnvironment } = await import('../../main/skills/check-environment')
  const environment = createCheckEnvironment(world.env)
  const failOn = (given.values.get('fail-on') ?? 'error') as Severity
  const progress = startProgress(world, 'Checking skills')
  const skills = pathsOf(given, world).map((path, at) => {
    progress.tick(at)
    return { path, ...checkSkill(world, environment, path) }
  })
  progress.end()
  const all = skills.flatMap(({ diagnostics }) => diagnostics)
  const counts = countSeverities(all)
  return {
    result: {
      mode: 'compatible',
      skills: skills.map(({ path, name, diagnostics }) => ({
        path,
        name,
        valid: !diagnostics.some((item) => isAtLeast(item, failOn)),
        diagnostics: sortedProblems(diagnostics),
      })),
      checked: skills.length,
      ...countsResult(counts),
    },
    exit: all.some((item) => isAtLeast(item, failOn)) ? EXIT.failed : EXIT.done,
    text: (style) => ({
      out: [
        ...skills.flatMap(({ path, diagnostics }) =>
          sortedProblems(diagnostics).map((item) => problemLines(path, item, style)),
        ),
        `${counted(skills.length, 'skill')} checked: ${countsText(counts) || 'no problems'}.`,
      ].join('\n'),
    }),
  }
}

function countsResult({ error, warning, info }: Counts): Record<string, number> {
  return { errors: error, warnings: warning, infos: info }
}

/** The folders of all skills that the paths mean; without paths those of the current folder, else of its project. */
function pathsOf({ words }: Given, world: World): string[] {
  if (words.length === 0) return everySkillHere(world)
  return words.flatMap((word) => {
    const typed = folderOfSkillMd(typedPath(world, word)) === typedPath(world, word) ? word : parentOf(word)
    const below = isFolder(typedPath(world, typed)) ? skillFoldersBelow(typedPath(world, typed)) : []
    const isOne = below.length === 0 || below[0] === typedPath(world, typed)
    return isOne ? [typed] : below.map((dir) => displayPath(world, dir))
  })
}

function parentOf(word: string): string {
  return word.replace(/[\\/]?[^\\/]*$/, '') || (word.startsWith('/') ? '/' : '.')
}

function everySkillHere(world: World): string[] {
  const project = projectOf(world, world.cwd)
  for (const dir of project === null ? [world.cwd] : [world.cwd, project]) {
    const found = skillFoldersBelow(dir)
    if (found.length > 0) return found.map((path) => displayPath(world, path))
  }
  throw new AppError(
    'not_found',
    'There is no SKILL.md in this folder or below it. Name the folders to check.',
  )
}
