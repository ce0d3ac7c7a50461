import { mkdir, readdir, realpath, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { TrialInput } from '@shared/domain/editing'
import { AppError } from '@shared/errors'
import { foldName } from '@shared/skill-md/skill-name'
import { estimateTokens } from '@shared/tokens'
import { newId } from '../../lib/ids'
import { catalogueTokens, frontOf, readSkillMd } from '../../skills/scan/facts'
import { resolveGroup } from '../../skills/registry/precedence'
import type { SkillEntry, SkillRecord } from '../../skills/record'
import type { Registry } from '../../skills/registry/registry'
import { resolveName } from '../../skills/registry/resolve'
import { removeSealed } from '../../skills/store/snapshot-copy'
import { storeSource, type SourceFile } from '../../skills/sources/source-store'
import type { Store } from '../../skills/store/store'

/** A skill with unsaved text, as it is tried in one chat. */
export interface TrialSkill {
  /** The temporary folder in which that chat works, by which all of this is found. Real path. */
  dir: string
  /** Key of the saved copy, and the project that it is of. */
  of: string
  home: string | null
  record: SkillRecord
  digest: string
  /** Digest of what is saved. */
  saved: string
}

/** Skills that are tried now, each in its own chat and nowhere else (ADR 0040). */
export interface TrialSkills {
  /** Writes it beside the app's data. Throws `bad_input` with the reason why it can't be tried. */
  create(input: TrialInput): Promise<TrialSkill>
  /** The registry as it is seen by chats: in a trial the tried text takes the place of every copy of its name. */
  seenBy(registry: Registry): Registry
  remove(dir: string): Promise<void>
  /** At start: what an earlier one left. */
  removeLeft(): Promise<void>
}

export interface TrialSkillDeps {
  dataDir: string
  registry: Registry
  store: Pick<Store, 'digestOf' | 'read' | 'snapshot'>
}

export function createTrialSkills(deps: TrialSkillDeps): TrialSkills {
  const open = new Map<string, TrialSkill>()
  const sourcesDir = join(deps.dataDir, 'trials')
  return {
    async create(input) {
      const trial = await writeTrial(deps, sourcesDir, input)
      open.set(trial.dir, trial)
      return trial
    },
    seenBy: (registry) => seenBy(registry, open),
    async remove(dir) {
      open.delete(dir)
      await removeFolders(sourcesDir, dir)
    },
    removeLeft: () => removeLeft(deps.dataDir, sourcesDir),
  }
}

async function removeFolders(sourcesDir: string, dir: string): Promise<void> {
  await removeSealed(join(sourcesDir, basename(dir)))
  await rm(dir, { recursive: true, force: true })
}

async function removeLeft(dataDir: string, sourcesDir: string): Promise<void> {
  const workspaces = join(dataDir, 'workspaces')
  for (const name of await readdir(workspaces).catch(() => [])) {
    if (name.startsWith('try_')) await rm(join(workspaces, name), { recursive: true, force: true })
  }
  await removeSealed(sourcesDir)
}

async function writeTrial(deps: TrialSkillDeps, sourcesDir: string, input: TrialInput): Promise<TrialSkill> {
  const { registry, store, dataDir } = deps
  const base = registry.record(input.key)
  if (!base) throw new AppError('not_found', 'This skill is not there any more.')
  const saved = await store.snapshot(base)
  if (saved.blocked !== null) throw new AppError('bad_input', `It can’t be tried: ${saved.blocked}.`)
  const files = filesFor(saved, input, store)
  const id = newId('try')
  const workspace = join(dataDir, 'workspaces', id)
  try {
    const source = await storeSource({ sourcesDir, id, name: basename(base.rootDir) }, files)
    await mkdir(workspace, { recursive: true, mode: 0o700 })
    const record = recordOf(base, await realpath(join(source.dir, source.name)), saved.files)
    refuseUnusable(registry, base, record)
    const { digest } = await store.snapshot(record)
    const dir = await realpath(workspace)
    return { dir, of: base.key, home: base.projectDir, record, digest, saved: saved.digest }
  } catch (error) {
    await removeFolders(sourcesDir, workspace)
    throw error
  }
}

type Saved = Awaited<ReturnType<Store['snapshot']>>

/** The saved files, with what is typed in the place of some. */
function filesFor(saved: Saved, { files }: TrialInput, store: TrialSkillDeps['store']): SourceFile[] {
  const typed = new Map(files.map(({ path, text }) => [path, text]))
  const known = new Set(saved.files.map(({ path }) => path))
  const gone = files.find(({ path }) => !known.has(path))
  if (gone) {
    throw new AppError(
      'bad_input',
      `"${gone.path}" is not on disk any more. Save it, or discard what you typed.`,
    )
  }
  return saved.files.map(({ path, executable }) => {
    const text = typed.get(path)
    const bytes = () =>
      text === undefined ? store.read(saved.digest, path) : Promise.resolve(Buffer.from(text))
    return { path, executable, bytes }
  })
}

function recordOf(base: SkillRecord, rootDir: string, files: Saved['files']): SkillRecord {
  const folder = basename(rootDir)
  const main = files.find(({ path }) => /^skill\.md$/i.test(path))?.path ?? 'SKILL.md'
  const skillMd = join(rootDir, main)
  const parsed = readSkillMd(skillMd, folder)
  const tokens = {
    ...base.tokens,
    catalogue: catalogueTokens(parsed),
    body: estimateTokens(parsed.body),
  }
  return {
    ...base,
    ...frontOf(parsed, parsed.diagnostics),
    key: `${base.scope}:${rootDir}`,
    rootDir,
    folder,
    skillMd,
    root: {
      ...base.root,
      dir: rootDir,
      projectDir: null,
      containIn: null,
      readOnly: true,
      mountedAs: folder,
    },
    location: `unsaved text of ${base.location}`,
    projectDir: null,
    sharedIn: null,
    parent: null,
    tokens,
    stamp: rootDir,
  }
}

function refuseUnusable(registry: Registry, base: SkillRecord, record: SkillRecord): void {
  const home = base.projectDir
  const managed = registry.copies(home, record.name).some((entry) => entry.record.scope === 'enterprise')
  if (managed) {
    const why = `Your organisation manages "${record.name}", and no other text of it is used.`
    throw new AppError('bad_input', `${why} Give this skill another name to try it.`)
  }
  const { status, statusReason } = ownEntry(registry, home, record)
  if (status !== 'effective') throw new AppError('bad_input', `It can’t be tried: ${statusReason}`)
}

/** What the rules say of the tried copy where there is no other; that it is off or that another was chosen is not asked. */
function ownEntry(registry: Registry, home: string | null, record: SkillRecord): SkillEntry {
  const rules = { ...registry.rules(home), trusted: () => true, pin: () => null, off: () => null }
  return resolveGroup([record], rules)[0]!
}

function seenBy(registry: Registry, open: ReadonlyMap<string, TrialSkill>): Registry {
  const trialIn = (projectDir: string | null) => (projectDir === null ? undefined : open.get(projectDir))
  const home = (projectDir: string | null) => trialIn(projectDir)?.home ?? projectDir
  const list: Registry['list'] = (projectDir, agent = null) => {
    const trial = trialIn(projectDir)
    if (!trial) return registry.list(projectDir, agent)
    return withTrial(registry, trial, registry.list(trial.home, agent))
  }
  const named = (projectDir: string | null, name: string) =>
    list(projectDir).filter(({ record }) => foldName(record.name) === foldName(name))
  return {
    ...registry,
    list,
    copies: (projectDir, name) =>
      trialIn(projectDir) ? named(projectDir, name) : registry.copies(projectDir, name),
    resolve: (projectDir, name, agent = null) =>
      trialIn(projectDir)
        ? resolveName(list(projectDir, agent), name)
        : registry.resolve(projectDir, name, agent),
    get: (projectDir, key, agent = null) =>
      trialIn(projectDir)
        ? (list(projectDir, agent).find(({ record }) => record.key === key) ?? null)
        : registry.get(projectDir, key, agent),
    record: (key) =>
      [...open.values()].find(({ record }) => record.key === key)?.record ?? registry.record(key),
    roots: (projectDir) => registry.roots(home(projectDir)),
    rootDir: (projectDir, location) => registry.rootDir(home(projectDir), location),
    totals: (projectDir) => registry.totals(home(projectDir)),
    rules: (projectDir) => registry.rules(home(projectDir)),
  }
}

/** The same list for the same list: what is found out of one is remembered by it. */
const made = new WeakMap<readonly SkillEntry[], Map<string, readonly SkillEntry[]>>()

function withTrial(
  registry: Registry,
  trial: TrialSkill,
  entries: readonly SkillEntry[],
): readonly SkillEntry[] {
  const known = made.get(entries) ?? new Map<string, readonly SkillEntry[]>()
  made.set(entries, known)
  const before = known.get(trial.dir)
  if (before) return before
  const name = foldName(trial.record.name)
  const isSame = ({ record }: SkillEntry) => foldName(record.name) === name
  const others = entries.map((entry) => (isSame(entry) ? shadowed(entry, trial) : entry))
  const at = others.findIndex((entry) => foldName(entry.record.name) >= name)
  const next = others.toSpliced(at < 0 ? others.length : at, 0, ownEntry(registry, trial.home, trial.record))
  known.set(trial.dir, next)
  return next
}

function shadowed(entry: SkillEntry, { record }: TrialSkill): SkillEntry {
  if (entry.status !== 'effective') return entry
  const statusReason = 'The unsaved text is tried in this chat.'
  return { ...entry, status: 'shadowed', statusReason, shadowedBy: record.scope }
}
