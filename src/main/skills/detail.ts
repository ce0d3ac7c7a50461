import { stringify } from 'yaml'
import type { SkillDetail, SkillFile, SkillList, SkillSummary } from '@shared/domain/skill'
import { AppError } from '@shared/errors'
import { containRelative } from '@shared/paths'
import { foldName } from '@shared/skill-md/skill-name'
import { isScriptFile, readSkillMd } from './facts'
import type { SkillEntry, SkillRecord } from './record'
import type { Registry } from './registry'
import { readStart } from './safe-read'
import type { Store } from './store'
import { listTree } from './tree'
import type { Tree, TreeFile } from './tree'

/** What the Skills view shows. */
export interface SkillViews {
  list(projectDir: string | null): SkillList
  /** Throws `not_found`. */
  detail(projectDir: string | null, key: string): Promise<SkillDetail>
  /** Text of one file, cut at 256 kB; null for one that is no text. Throws `not_found`, `path_escape`. */
  readFile(
    projectDir: string | null,
    key: string,
    path: string,
  ): { text: string | null; size: number; cut: boolean }
  /** Folder of a skill, for showing it in the file manager. Throws `not_found`. */
  folderOf(key: string): string
}

const MAX_LISTED = 200
const MAX_SHOWN = 256 * 1024
const HEAD = 256

export function createSkillViews(deps: { registry: Registry; store: Store }): SkillViews {
  const { registry, store } = deps
  const find = (projectDir: string | null, key: string): SkillEntry => {
    const entry = registry.get(projectDir, key)
    if (!entry) throw gone()
    return entry
  }
  return {
    list: (projectDir) => listOf(registry, projectDir),
    detail: async (projectDir, key) => {
      const entry = find(projectDir, key)
      return detailOf(entry, copiesOf(registry.list(projectDir), entry), store)
    },
    readFile: (projectDir, key, path) => readShown(find(projectDir, key).record, path),
    folderOf(key) {
      const record = registry.all().find((candidate) => candidate.key === key)
      if (!record) throw gone()
      return record.rootDir
    },
  }
}

function listOf(registry: Registry, projectDir: string | null): SkillList {
  const skills = registry.list(projectDir).map(summaryOf)
  const offered = skills.filter(({ status, hiddenFromModel }) => status === 'effective' && !hiddenFromModel)
  return {
    skills,
    roots: registry.roots(projectDir),
    scanMs: registry.scanMs(),
    catalogueTokens: offered.reduce((sum, { tokens }) => sum + tokens.catalogue, 0),
  }
}

function summaryOf({ record, status, statusReason, shadowedBy }: SkillEntry): SkillSummary {
  return {
    key: record.key,
    name: record.name,
    description: record.description,
    scope: record.scope,
    location: record.location,
    status,
    statusReason,
    ...(shadowedBy ? { shadowedBy } : {}),
    tokens: record.tokens,
    scripts: record.scripts,
    files: record.files,
    problems: record.diagnostics.filter(({ severity }) => severity !== 'info').length,
    changedAt: record.changedAt,
    hiddenFromModel: record.disableModelInvocation,
    userInvocable: record.userInvocable,
  }
}

async function detailOf(
  entry: SkillEntry,
  copies: SkillDetail['copies'],
  store: Store,
): Promise<SkillDetail> {
  const { record } = entry
  const tree = treeOf(record)
  const { treeDigest, scriptsBlocked } = await stateOf(record, store)
  return {
    ...summaryOf(entry),
    body: record.unread ? '' : readSkillMd(record.skillMd, record.folder).body,
    frontmatter: Object.entries(record.frontmatter).map(([key, value]) => ({ key, value: asText(value) })),
    ...(record.license === undefined ? {} : { license: record.license }),
    allowedTools: record.allowedTools,
    diagnostics: record.diagnostics,
    fileList: tree.files.slice(0, MAX_LISTED).map(toFile),
    fileListCut: tree.files.length > MAX_LISTED,
    treeDigest,
    ...(scriptsBlocked === null ? {} : { scriptsBlocked }),
    copies,
  }
}

/** The digest of what is on disk; empty with the reason where there can be none. */
async function stateOf(
  record: SkillRecord,
  store: Store,
): Promise<{ treeDigest: string; scriptsBlocked: string | null }> {
  try {
    const { digest, blocked } = await store.inspect(record)
    return { treeDigest: digest, scriptsBlocked: blocked }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { treeDigest: '', scriptsBlocked: error.message }
  }
}

/** All copies with the same name, the used one first. */
function copiesOf(entries: readonly SkillEntry[], { record }: SkillEntry): SkillDetail['copies'] {
  const name = foldName(record.name)
  return entries
    .filter((entry) => foldName(entry.record.name) === name)
    .map((entry) => ({
      key: entry.record.key,
      scope: entry.record.scope,
      location: entry.record.location,
      used: entry.status === 'effective',
    }))
}

function treeOf(record: SkillRecord): Tree {
  if (record.unread) return { files: [], dirs: [], blocked: null, cut: false }
  return listTree(record.rootDir, { maxFiles: MAX_LISTED * 10, allowHardLinks: true })
}

function toFile(file: TreeFile): SkillFile {
  return { path: file.path, size: file.size, isScript: isScript(file) }
}

function isScript(file: TreeFile): boolean {
  try {
    const head = readStart(file.real, HEAD)
    return !head.includes(0) && isScriptFile(file.path, head)
  } catch {
    return false // gone since it was listed
  }
}

function readShown(record: SkillRecord, path: string): { text: string | null; size: number; cut: boolean } {
  const wanted = containRelative(path)
  const file = treeOf(record).files.find((candidate) => candidate.path === wanted)
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
