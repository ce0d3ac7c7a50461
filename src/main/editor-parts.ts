import { join, relative, sep } from 'node:path'
import type { SkillFile } from '@shared/domain/skill'
import { AppError } from '@shared/errors'
import type { AppEvent } from '@shared/events'
import type { AppContract } from '@shared/ipc/contract'
import type { Handlers } from '@shared/ipc/define'
import type { AppDeps } from './app-deps'
import type { Audit } from './audit/audit'
import type { Db } from './db/open'
import type { SkillFolder } from './editing/context'
import { createEditing, type EditingService } from './editing/service'
import type { Emitter } from './lib/emitter'
import { readFiles } from './skills/folder-check'
import type { SkillRecord } from './skills/record'
import type { Registry } from './skills/registry'
import type { Store } from './skills/store'
import { listTree } from './skills/tree'
import { rankFor, seenEntry } from './editor-rank'
import { createFolderFiles } from './workspace/folder-files'

export interface EditorParts {
  deps: AppDeps
  db: Db
  audit: Audit
  events: Emitter<AppEvent>
  registry: Registry
  store: Store
  isTrusted(projectDir: string): boolean
}

/** The editor's core, joined with the skills on disk. */
export function createSkillEditing(parts: EditorParts): EditingService {
  const { deps, db, audit, registry, store } = parts
  const must = (key: string): SkillRecord => {
    const record = registry.record(key)
    if (!record) throw new AppError('not_found', 'This skill is not there any more.')
    return record
  }
  return createEditing({
    db,
    audit,
    files: createFolderFiles({ notes: join(deps.dataDir, 'writing') }),
    versions: {
      keep: async (key) => (await store.snapshot(must(key))).digest,
      files: async (digest) => (await store.manifest(digest)).files,
      read: (digest, path) => store.read(digest, path),
    },
    folderOf: (key) => folderOf(parts, key),
    listed: (key) => listed(must(key)),
    saved: () => parts.events.emit({ t: 'skills.changed' }),
    now: deps.now,
  })
}

type EditorHandlers = Pick<Handlers<AppContract>, Extract<keyof AppContract, `editor.${string}`>>

export function editorHandlers({
  editing,
  events,
  registry,
}: EditorParts & { editing: EditingService }): EditorHandlers {
  const drafted = <T>(value: T): T => {
    events.emit({ t: 'drafts.changed' })
    return value
  }
  return {
    'editor.open': ({ key }) => ({ ...editing.open(key), authorUntil: null }),
    'editor.read': (file) => editing.read(file),
    'editor.save': async (input) => drafted(await editing.save(input)),
    'editor.change': async (input) => drafted(await editing.change(input)),
    'editor.keepDraft': (input) => {
      editing.keepDraft(input)
      return drafted({})
    },
    'editor.dropDraft': (file) => {
      editing.dropDraft(file)
      return drafted({})
    },
    'editor.drafts': () => editing.drafts(),
    'editor.check': async ({ key, path, text }) => (await registry.facts(key, { path, text })).diagnostics,
    'editor.seen': (entry) => seenEntry(entry),
    'editor.rank': ({ projectDir, message, skill }) => rankFor(registry.list(projectDir), message, skill),
  }
}

function folderOf({ registry, isTrusted }: EditorParts, key: string): SkillFolder | null {
  const record = registry.record(key)
  if (!record) return null
  const { name, rootDir, projectDir } = record
  const inert = projectDir !== null && !isTrusted(projectDir)
  return { key, name, rootDir, whyNot: inert ? NOT_TRUSTED : whyReadOnly(record) }
}

const NOT_TRUSTED = 'Its project is not trusted yet. Look at what it brings and trust it first.'

/** Satchel writes only in the person's own folders and those of projects (`ux.md` 3.3, *Editor*). */
function whyReadOnly({ scope, root, unread, brokenReason }: SkillRecord): string | null {
  if (unread) return brokenReason
  if (scope === 'enterprise') return 'Your organisation manages this skill.'
  if (scope === 'bundled') return 'This skill comes with Satchel.'
  if (root.plugin) return `This skill belongs to the plugin ${root.plugin.name}.`
  if (!root.readOnly) return null
  return root.tool ? `This folder belongs to ${root.tool.name}.` : 'This folder is only read.'
}

const MAX_LISTED = 2000

function listed({ rootDir, unread }: SkillRecord): { files: SkillFile[]; folders: string[] } {
  if (unread) return { files: [], folders: [] }
  const tree = listTree(rootDir, { maxFiles: MAX_LISTED, allowHardLinks: true })
  const folders = tree.dirs.map((dir) => relative(rootDir, dir).split(sep).join('/'))
  return {
    files: readFiles(tree).map(({ path, size, script }) => ({ path, size, isScript: script })),
    folders: folders.filter((folder) => folder !== '').sort(),
  }
}
