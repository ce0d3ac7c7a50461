import { AppError } from '@shared/errors'
import { wrongUse } from '../grammar/command'
import type { Given, Outcome } from '../grammar/command'
import { EXIT } from '../grammar/exit-codes'
import { counted, shownLines } from '../terminal/output'
import { isFolder, pathFromHere, projectOf, typedPath } from '../here/places'
import { countSeverities, countsText, isAtLeast, problemLines, sortedProblems } from '../check/problems'
import type { Counts, Severity } from '../check/problems'
import { startProgress } from '../terminal/progress'
import { noticeText } from '../row'
import { folderOfSkillMd, skillFoldersBelow } from '../here/skill-folders'
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
  const { strictLines, strictVerdict } = await import('../check/strict')
  // The reference takes every path as a skill; `--strict` also looks below those that are none.
  const asTyped = given.words.length > 0 && exact
  const { paths, notices } = asTyped ? { paths: given.words, notices: [] } : pathsOf(given, world)
  const verdicts = paths.map((path) => strictVerdict(world, path, exact))
  const failed = verdicts.filter(({ errors }) => errors.length > 0).length
  return {
    result: {
      mode: exact ? 'exact' : 'strict',
      skills: verdicts.map(({ path, errors }) => ({ path, valid: errors.length === 0, errors })),
      checked: verdicts.length,
      failed,
      notices,
    },
    exit: failed > 0 ? EXIT.failed : EXIT.done,
    text(_out, style) {
      const { out, err } = strictLines(verdicts)
      const notes = noticeText(notices, style)
      return { out: shownLines(out), err: [shownLines(err), notes].filter((text) => text !== '').join('\n') }
    },
  }
}

async function validateCompatibly(given: Given, world: World): Promise<Outcome> {
  const { checkSkill } = await import('../check/compatible')
  const { createCheckEnvironment } = await import('../../main/skills/registry/check-environment')
  const environment = createCheckEnvironment(world.env)
  const failOn = (given.values.get('fail-on') ?? 'error') as Severity
  const progress = startProgress(world, 'Checking skills')
  const { paths, notices } = pathsOf(given, world)
  const asJson = given.flags.has('json')
  const { withEdits } = asJson ? await import('../check/fix-result') : { withEdits: null }
  const skills = paths.map((path, at) => {
    progress.tick(at)
    const { name, diagnostics } = checkSkill(world, environment, path)
    const edited = withEdits?.(typedPath(world, path), diagnostics)
    return { path, name, diagnostics: edited ?? diagnostics }
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
      notices,
    },
    exit: all.some((item) => isAtLeast(item, failOn)) ? EXIT.failed : EXIT.done,
    text: (style, err) => ({
      err: noticeText(notices, err),
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

/** What is to be checked, as it can be read from the current folder, and what was left out. */
interface Meant {
  paths: string[]
  notices: string[]
}

/** The folders of all skills that the paths mean; without paths those of the current folder, else of its project. */
function pathsOf({ words }: Given, world: World): Meant {
  if (words.length === 0) return everySkillHere(world)
  const meant = words.map((word) => meantBy(world, word))
  return { paths: meant.flatMap(({ paths }) => paths), notices: meant.flatMap(({ notices }) => notices) }
}

function meantBy(world: World, word: string): Meant {
  const typed = folderOfSkillMd(typedPath(world, word)) === typedPath(world, word) ? word : parentOf(word)
  const at = typedPath(world, typed)
  if (!isFolder(at)) return { paths: [typed], notices: [] }
  const { found, note } = skillFoldersBelow(at)
  const isOne = found.length === 0 || found[0] === at
  const paths = isOne ? [typed] : found.map((dir) => pathFromHere(world, dir))
  return { paths, notices: noticesOf(typed, note) }
}

function noticesOf(where: string, note: string): string[] {
  return note === '' ? [] : [`${where}: ${note}`]
}

function parentOf(word: string): string {
  return word.replace(/[\\/]?[^\\/]*$/, '') || (word.startsWith('/') ? '/' : '.')
}

function everySkillHere(world: World): Meant {
  const project = projectOf(world, world.cwd)
  const notices: string[] = []
  for (const dir of project === null ? [world.cwd] : [world.cwd, project]) {
    const { found, note } = skillFoldersBelow(dir)
    notices.push(...noticesOf(pathFromHere(world, dir), note))
    if (found.length > 0) return { paths: found.map((path) => pathFromHere(world, path)), notices }
  }
  throw new AppError(
    'not_found',
    ['There is no SKILL.md in this folder or below it. Name the folders to check.', ...notices].join(' '),
  )
}
