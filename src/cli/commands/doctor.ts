import type { Diagnostic, SkillRoot } from '@shared/domain/skill'
import { SCOPE_NAMES } from '@shared/scope-names'
import { catalogueOverflow } from '@shared/skill-check/together'
import type { SkillEntry } from '../../main/skills/record'
import type { RootNote } from '../../main/skills/sources/sources'
import { MAX_CATALOGUE } from '../../main/skills/registry/totals'
import { problemsBeside } from '../here/beside'
import type { Given, Outcome } from '../grammar/command'
import { EXIT } from '../grammar/exit-codes'
import { counted, shown, wrapped } from '../terminal/output'
import type { Style } from '../terminal/output'
import { countSeverities, countsText, isAtLeast, problemLines, sortedProblems } from '../check/problems'
import type { Severity } from '../check/problems'
import { startProgress } from '../terminal/progress'
import { openSkillsHere } from '../here/skills'
import type { SkillsHere } from '../here/skills'
import { scopeWord, statusWord } from '../terminal/statuses'
import type { World } from '../world'

/** A skill with everything that is to be said of it. */
interface Patient {
  entry: SkillEntry
  diagnostics: Diagnostic[]
}

/** `satchel skills doctor`: exit code 1 when there is an error anywhere. */
export async function run(given: Given, world: World): Promise<Outcome> {
  const least = (given.values.get('severity') ?? 'warning') as Severity
  const here = await openSkillsHere(given, world)
  try {
    const places = placeProblems(here)
    const general = generalProblems(here)
    const patients = await examine(here, world)
    const all = [...general, ...patients.flatMap(({ diagnostics }) => diagnostics)]
    const counts = countSeverities(all)
    const { length: skills } = here.registry.list(here.projectDir)
    return {
      result: {
        project: here.projectDir,
        folders: here.registry.roots(here.projectDir),
        notes: [...here.notes.map((note) => ({ location: '', note })), ...places],
        general,
        skills: patients.map((patient) => patientRow(here, patient)),
        checked: skills,
        errors: counts.error,
        warnings: counts.warning,
        infos: counts.info,
      },
      exit: counts.error > 0 ? EXIT.failed : EXIT.done,
      text: (style) => ({
        out: [
          ...here.notes.map((note) => `${wrapped(shown(note), style.width, 0)}\n`),
          ...placeLines(places, style),
          ...general
            .filter((item) => isAtLeast(item, least))
            .map((item) => `${problemLines('', item, style)}\n`),
          ...patients.flatMap((patient) => patientLines(patient, least, style)),
          `${counted(skills, 'skill')} in ${counted(usedRoots(here), 'folder')}: ${countsText(counts) || 'no problems'}.`,
        ].join('\n'),
      }),
    }
  } finally {
    here.close()
  }
}

async function examine(here: SkillsHere, world: World): Promise<Patient[]> {
  const { registry, projectDir } = here
  const entries = registry.list(projectDir)
  const together = problemsBeside(here)
  const progress = startProgress(world, 'Checking skills')
  const patients: Patient[] = []
  for (const [at, entry] of entries.entries()) {
    progress.tick(at)
    const { key } = entry.record
    // One that went away since the look has no problems any more.
    const own = (await registry.facts(key).catch(() => null))?.diagnostics ?? []
    const all = sortedProblems([...own, ...(together.get(key) ?? [])])
    if (all.length > 0) patients.push({ entry, diagnostics: all })
  }
  progress.end()
  return patients
}

/** What is to be said once, of all skills together. */
function generalProblems({ registry, projectDir }: SkillsHere): Diagnostic[] {
  const { wanted } = registry.totals(projectDir).catalogue
  const overflow = catalogueOverflow(wanted, MAX_CATALOGUE)
  return overflow === null ? [] : [overflow]
}

/** Folders and sources that are not, or not wholly, used. */
function placeProblems({ registry, projectDir }: SkillsHere): RootNote[] {
  const roots = registry.roots(projectDir).flatMap((root) => {
    const note = [rootState(root), root.note ?? ''].filter((text) => text !== '').join(' ')
    return note === '' ? [] : [{ location: `${SCOPE_NAMES[root.scope]}: ${root.location}`, note }]
  })
  return [...registry.notes(), ...roots]
}

function rootState({ state }: SkillRoot): string {
  if (state === 'unreadable') return "This folder can't be read."
  return state === 'not-trusted' ? 'This project is not trusted, so none of its skills is in use.' : ''
}

function usedRoots({ registry, projectDir }: SkillsHere): number {
  return registry.roots(projectDir).filter(({ state }) => state !== 'missing').length
}

function placeLines(places: readonly RootNote[], style: Style): string[] {
  if (places.length === 0) return []
  return places.map(
    ({ location, note }) =>
      `${style.paint('strong', shown(location))}\n  ${wrapped(shown(note), style.width, 2)}\n`,
  )
}

function patientRow({ placeOf }: SkillsHere, { entry, diagnostics }: Patient): Record<string, unknown> {
  const { name, scope, location } = entry.record
  return { name, scope, location, ...placeOf(entry.record), status: entry.status, diagnostics }
}

function patientLines({ entry, diagnostics }: Patient, least: Severity, style: Style): string[] {
  const listed = diagnostics.filter((item) => isAtLeast(item, least))
  if (listed.length === 0) return []
  const { record } = entry
  const { text, paint } = statusWord(entry)
  const head = `${style.paint('strong', shown(record.name))}  ${shown(scopeWord(record))}, ${style.paint(paint, text)}`
  return [head, ...listed.map((item) => problemLines(record.location, item, style)), '']
}
