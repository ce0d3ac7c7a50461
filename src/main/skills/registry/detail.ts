import { stringify } from 'yaml'
import type { ComparedFile, Diagnostic, SkillDetail, SkillFile } from '@shared/domain/skill'
import { AppError } from '@shared/errors'
import { agentUnknown } from '@shared/skill-check/agent-unknown'
import { containRelative } from '@shared/paths'
import { countProblems, readSkillMd, type FullFacts } from '../scan/facts'
import { compareCopies } from './compare'
import type { SkillEntry, SkillRecord } from '../record'
import type { Registry } from './registry'
import { originOf } from '../sources/git-source'
import { readStart } from '../store/safe-read'
import type { Store } from '../store/store'
import { summaryOf } from './summary'
import { listTree } from '../store/tree'
import type { TreeFile } from '../store/tree'

/** What the page of one skill shows; the list comes from `Registry.watch`. */
export interface SkillViews {
  /** Throws `not_found`. */
  detail(projectDir: string | null, key: string): Promise<SkillDetail>
  /** Two copies file by file. Throws `not_found`. */
  compare(
    projectDir: string | null,
    left: string,
    right: string,
  ): Promise<{ files: ComparedFile[]; cut: boolean }>
  /** Text of one file, cut at 256 kB; null for one that is no text. Throws `not_found`, `path_escape`. */
  readFile(
    projectDir: string | null,
    key: string,
    path: string,
  ): { text: string | null; size: number; cut: boolean }
  /** `argument-hint` of effective skills, by key; those without one are left out. */
  argumentHints(projectDir: string | null, keys: readonly string[]): Record<string, string>
  /** Folder of a skill, for showing it in the file manager. Throws `not_found`. */
  folderOf(key: string): string
}

const MAX_LISTED = 200
const MAX_SHOWN = 256 * 1024

export interface SkillViewDeps {
  registry: Registry
  store: Store
  /** Problems that a skill has only beside others. */
  beside(projectDir: string | null, key: string): Promise<Diagnostic[]>
  /** Names of the agents that can be used there. */
  agentNames(projectDir: string | null): readonly string[]
}

export function createSkillViews(deps: SkillViewDeps): SkillViews {
  const { registry, store, beside, agentNames } = deps
  const find = (projectDir: string | null, key: string): SkillEntry => {
    const entry = registry.get(projectDir, key)
    if (!entry) throw gone()
    return entry
  }
  return {
    detail: async (projectDir, key) => {
      const entry = find(projectDir, key)
      const full = await registry.facts(key)
      return {
        ...detailOf(entry, full, [
          ...agentUnknown(full.parsed, agentNames(projectDir)),
          ...(await beside(projectDir, key)),
        ]),
        ...(await stateOf(entry.record, store)),
        copies: registry.copies(projectDir, entry.record.name).map(copyOf),
      }
    },
    compare: (projectDir, left, right) =>
      compareCopies(find(projectDir, left).record, find(projectDir, right).record),
    readFile: (projectDir, key, path) => readShown(find(projectDir, key).record, path),
    argumentHints: (projectDir, keys) => argumentHints(registry, projectDir, keys),
    folderOf(key) {
      const record = registry.record(key)
      if (!record) throw gone()
      return record.rootDir
    },
  }
}

const MAX_HINT = 200

function argumentHints(
  registry: Registry,
  projectDir: string | null,
  keys: readonly string[],
): Record<string, string> {
  const hints = keys.flatMap((key): [string, string][] => {
    const entry = registry.get(projectDir, key)
    if (entry?.status !== 'effective') return []
    const { argumentHint } = readSkillMd(entry.record.skillMd, entry.record.folder)
    return argumentHint ? [[key, argumentHint.slice(0, MAX_HINT)]] : []
  })
  return Object.fromEntries(hints)
}

type Read = Omit<SkillDetail, 'treeDigest' | 'scriptsBlocked' | 'copies'>

function detailOf(entry: SkillEntry, full: FullFacts, beside: Diagnostic[]): Read {
  const { parsed, files } = full
  const diagnostics = [...full.diagnostics, ...beside]
  return {
    ...summaryOf(entry),
    problems: countProblems(parsed.broken, diagnostics),
    body: parsed.body,
    frontmatter: Object.entries(parsed.frontmatter).map(([key, value]) => ({ key, value: asText(value) })),
    origin: originOf(entry.record.root),
    allowedTools: parsed.allowedTools,
    diagnostics,
    fileList: files
      .slice(0, MAX_LISTED)
      .map(({ path, size, script }): SkillFile => ({ path, size, isScript: script })),
    fileListCut: files.length > MAX_LISTED,
  }
}

/** The digest of what is on disk; empty with the reason where there can be none. */
async function stateOf(
  record: SkillRecord,
  store: Store,
): Promise<Pick<SkillDetail, 'treeDigest' | 'scriptsBlocked'>> {
  try {
    const { digest, blocked } = await store.inspect(record)
    return { treeDigest: digest, ...(blocked === null ? {} : { scriptsBlocked: blocked }) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { treeDigest: '', scriptsBlocked: error.message }
  }
}

function copyOf({ record, status }: SkillEntry): SkillDetail['copies'][number] {
  return {
    key: record.key,
    scope: record.scope,
    location: record.location,
    used: status === 'effective',
  }
}

function filesOf(record: SkillRecord): TreeFile[] {
  if (record.unread) return []
  return listTree(record.rootDir, { maxFiles: MAX_LISTED * 10, allowHardLinks: true }).files
}

function readShown(record: SkillRecord, path: string): { text: string | null; size: number; cut: boolean } {
  const wanted = containRelative(path)
  const file = filesOf(record).find((candidate) => candidate.path === wanted)
  if (!file) throw new AppError('not_found', `"${record.name}" has no file "${wanted}" any more.`)
  const bytes = readStart(file.real, MAX_SHOWN)
  const text = bytes.includes(0) ? null : bytes.toString('utf8')
  return { text, size: file.size, cut: file.size > bytes.length }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : stringify(value).trimEnd()
}

function gone(): AppError {
  return new AppError(
    'not_found',
    'This skill is not there any more. Its folder was moved, renamed or deleted.',
  )
}
