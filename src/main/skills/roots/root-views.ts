import type { SkillRoot } from '@shared/domain/skill'
import type { Copies } from '../registry/copies'
import type { RootReport } from '../scan/scan-contract'

const LIMITED =
  'Live updates are off for some folders, because the system allows no more of them. Changes are seen within 5 seconds.'
const REMOTE =
  'Live updates are off, because the folder lies on another machine. Changes are seen within 5 seconds.'

/** The roots as seen from a project: those of others are left out. */
export function rootViews(copies: Copies, projectDir: string | null, trusted: boolean): SkillRoot[] {
  return copies
    .roots()
    .filter(({ spec }) => spec.projectDir === null || spec.projectDir === projectDir)
    .map((root) => rootView(root, copies.countIn(root.spec), trusted))
}

/** The folder that is shown under this name; null: none is. */
export function rootDirOf(copies: Copies, projectDir: string | null, location: string): string | null {
  const root = copies
    .roots()
    .find(
      ({ spec }) => spec.label === location && (spec.projectDir === null || spec.projectDir === projectDir),
    )
  return root?.spec.dir ?? null
}

function rootView(root: RootReport, skills: number, trusted: boolean): SkillRoot {
  const { spec, state } = root
  const inert = spec.projectDir !== null && !trusted && state === 'found'
  const tool = spec.tool?.name ?? spec.plugin?.name
  const note = [root.note, nameNote(root, skills), liveNote(root)].filter((text) => text !== '').join(' ')
  return {
    scope: spec.scope,
    location: spec.label,
    ...(tool === undefined ? {} : { tool }),
    ...(spec.tool ? { toolId: spec.tool.id } : {}),
    readOnly: spec.readOnly,
    state: inert ? 'not-trusted' : state,
    skills,
    ...(note === '' ? {} : { note }),
  }
}

/** A folder that is reached plainly in the same scope too counts once, as what it is there. */
function nameNote({ spec, state }: RootReport, skills: number): string {
  if (spec.mountedAs === null || state !== 'found' || skills > 0) return ''
  return `Its skill is not called "${spec.mountedAs}", because its folder is searched in this scope without another name too. Remove one of the two.`
}

function liveNote({ live }: RootReport): string {
  if (live === 'limited') return LIMITED
  return live === 'remote' ? REMOTE : ''
}
