import { realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { SkillFile } from '@shared/domain/skill'
import { AppError } from '@shared/errors'
import type { AppEvent } from '@shared/events'
import type { AppContract } from '@shared/ipc/contract'
import type { Handlers } from '@shared/ipc/define'
import { visibleLine } from '@shared/visible-text'
import type { AppDeps } from '../deps'
import { createAuthorMode, type AuthorMode } from '../../approvals/rules/author'
import { createRules } from '../../approvals/rules/rules'
import type { Arranging } from '../../arranging/service'
import type { Audit } from '../../audit/audit'
import type { Db } from '../../db/open'
import { allowedTrees } from '../../db/request-rows'
import { noteVersion } from '../../db/skill-version-rows'
import type { SkillFolder } from '../../editing/context'
import { createEditing, type EditingService } from '../../editing/service'
import { done } from '../../handlers/part'
import type { Emitter } from '../../lib/emitter'
import type { PolicyKeeper } from '../../policy/keeper'
import { organisationOf } from '../../policy/skill-policy'
import { readFiles } from '../../skills/registry/folder-check'
import type { SkillRecord } from '../../skills/record'
import type { Registry } from '../../skills/registry/registry'
import type { Store } from '../../skills/store/store'
import { listTree } from '../../skills/store/tree'
import { treeDigest } from '../../skills/store/tree-digest'
import { createSkillFollow } from './follow'
import { rankFor, seenEntry } from './rank'
import type { Trials } from '../trials/trials'
import { createFolderFiles } from '../../workspace/folder-files'

export interface EditorParts {
  deps: AppDeps
  db: Db
  audit: Audit
  events: Emitter<AppEvent>
  policy: Pick<PolicyKeeper, 'now'>
  registry: Registry
  store: Store
  isTrusted(projectDir: string): boolean
}

/** What the editor adds to the app. */
export interface SkillEditing {
  editing: EditingService
  author: AuthorMode
}

/** The editor's core, joined with the skills on disk. */
export function createSkillEditing(parts: EditorParts): SkillEditing {
  const { deps, db, audit, events, registry, store } = parts
  const { log, now } = deps
  const author = createAuthorMode({
    db,
    audit,
    rules: createRules({ db, audit, now }),
    changed: () => events.emit({ t: 'rules.changed' }),
    now,
  })
  const must = (key: string): SkillRecord => {
    const record = registry.record(key)
    if (!record) throw new AppError('not_found', 'This skill is not there any more.')
    return record
  }
  const editing = createEditing({
    db,
    audit,
    files: createFolderFiles({ notes: join(deps.dataDir, 'writing') }),
    versions: {
      keep: async (key, how) => {
        const { digest } = await store.snapshot(must(key))
        // So that the bounds of a history hold for what is kept here (`skill-page/versions.ts`).
        db.tx(() => noteVersion(db.sql, { skillKey: key, digest, seenAt: now(), how }))
        return digest
      },
      files: async (digest) => (await store.manifest(digest)).files,
      digestOf: treeDigest,
      read: (digest, path) => store.read(digest, path),
    },
    folderOf: (key) => folderOf(parts, key),
    listed: (key) => listed(must(key)),
    async saved(key, change) {
      author.saved(key, { ...change, allowed: await allowedFiles(parts, key) })
      events.emit({ t: 'skills.changed' })
    },
    now,
  })
  events.on((event) => {
    if (event.t !== 'skills.changed') return
    lookAtAuthored({ ...parts, author, editing }).catch((error: unknown) =>
      log.error('a skill that is edited could not be looked at', error),
    )
  })
  return { editing, author }
}

type EditorHandlers = Pick<Handlers<AppContract>, Extract<keyof AppContract, `editor.${string}`>>

interface HandlerParts extends EditorParts, SkillEditing {
  trials: Trials
  arranging: Pick<Arranging, 'wentTo'>
}

export function editorHandlers(parts: HandlerParts): EditorHandlers {
  const { author, deps, editing, events, registry, trials } = parts
  const follow = createSkillFollow({ ...parts, now: deps.now })
  const drafted = <T>(value: T): T => {
    events.emit({ t: 'drafts.changed' })
    return value
  }
  return {
    'editor.open': ({ key }) => {
      follow.note(key)
      return editing.open(key)
    },
    'editor.follow': ({ key }) => drafted({ key: follow.follow(key) }),
    'editor.read': (file) => editing.read(file),
    'editor.save': async (input) => drafted(await editing.save(input)),
    'editor.change': async (input) => drafted(await editing.change(input)),
    'editor.dragOut': async (file) => done(deps.desktop.dragFile(await editing.draggedFile(file))),
    'editor.reveal': async (file) => done(await deps.desktop.reveal(await editing.whereIs(file))),
    'editor.whereIs': async (file) => ({ path: await editing.whereIs(file) }),
    'editor.keepDraft': (input) => {
      editing.keepDraft(input)
      return drafted({})
    },
    'editor.dropDraft': (file) => {
      editing.dropDraft(file)
      return drafted({})
    },
    'editor.drafts': () => editing.drafts(),
    'editor.goneDrafts': () => editing.gone(),
    'editor.adoptDrafts': async ({ from, folder }) => {
      const record = registry.all().find(({ rootDir }) => rootDir === folder)
      if (!record) throw new AppError('not_found', 'This skill is not there any more.')
      await editing.adopt(from, record.key)
      return drafted({})
    },
    'editor.author': async ({ key, on }) => {
      if (on) await startAuthor(parts, key)
      else author.stop(key)
      return {}
    },
    'editor.authors': () => author.list(),
    'editor.check': async ({ key, path, text }) => (await registry.facts(key, { path, text })).diagnostics,
    'editor.try': (input) => trials.start(input),
    'editor.tries': () => trials.list(),
    'editor.endTry': async ({ sessionId }) => {
      await trials.end(sessionId)
      return {}
    },
    'editor.seen': (entry) => seenEntry(entry),
    'editor.rank': ({ projectDir, message, skill }) => rankFor(registry.list(projectDir), message, skill),
  }
}

function folderOf({ policy, registry, isTrusted }: EditorParts, key: string): SkillFolder | null {
  const record = registry.record(key)
  if (!record) return null
  const { name, rootDir, projectDir } = record
  const inert = projectDir !== null && !isTrusted(projectDir)
  return {
    key,
    name,
    rootDir,
    whyNot: inert ? NOT_TRUSTED : whyReadOnly(record, organisationOf(policy.now().policy)),
  }
}

const NOT_TRUSTED = 'Its project is not trusted yet. Look at what it brings and trust it first.'

/** Satchel writes only in the person's own folders and those of projects (`ux.md` 3.3, *Editor*). */
function whyReadOnly(record: SkillRecord, organisation: string): string | null {
  const { scope, root, unread, brokenReason, name } = record
  if (unread) return brokenReason
  if (scope === 'enterprise')
    return `Managed by ${organisation}. Only its administrator can change this copy.`
  if (scope === 'bundled') return 'This skill comes with Satchel.'
  if (root.plugin) return `This skill belongs to the plugin ${root.plugin.name}.`
  if (root.readOnly)
    return root.tool ? `This folder belongs to ${root.tool.name}.` : 'This folder is only read.'
  return isOfAnotherFolder(record)
    ? `Its SKILL.md is a link into another folder. Satchel changes ${visibleLine(name)} only where it really lies.`
    : null
}

const isMain = (path: string): boolean => /^skill\.md$/i.test(path)

/** Its SKILL.md is a link to that of a folder elsewhere: that folder is the skill, and is no part of this place. */
function isOfAnotherFolder({ rootDir, skillMd }: SkillRecord): boolean {
  try {
    return realpathSync(dirname(skillMd)) !== rootDir
  } catch {
    return true // gone meanwhile: nothing is changed there
  }
}

const MAX_LISTED = 2000

function listed(record: SkillRecord): { files: SkillFile[]; folders: string[] } {
  const { rootDir, unread } = record
  if (unread) return { files: [], folders: [] }
  const tree = listTree(rootDir, { maxFiles: MAX_LISTED, allowHardLinks: true })
  const all = readFiles(tree).map(({ path, size, script }) => ({ path, size, isScript: script }))
  // What lies beside the file that a link leads to is of another folder, and is not edited from here.
  if (isOfAnotherFolder(record)) return { files: all.filter(({ path }) => isMain(path)), folders: [] }
  const folders = tree.dirs.map((dir) => relative(rootDir, dir).split(sep).join('/'))
  return { files: all, folders: folders.filter((folder) => folder !== '').sort() }
}

/** The person works on the skill: what they save there may run without asking for an hour, in the sandbox. */
async function startAuthor(parts: EditorParts & SkillEditing, key: string): Promise<void> {
  const { author, editing, registry, store } = parts
  await editing.between(key, async () => {
    const folder = folderOf(parts, key)
    const record = registry.record(key)
    if (!folder || !record) throw new AppError('not_found', 'This skill is not there any more.')
    if (folder.whyNot !== null) throw new AppError('bad_input', folder.whyNot)
    author.start({ key, name: record.name }, await store.digestOf(record))
  })
  // Whatever file of it changes is to be seen at once.
  registry.deepen([key])
}

/** Digests of all files of the versions of a skill of which a person allowed a script to run. */
async function allowedFiles({ db, store }: EditorParts, key: string): Promise<Set<string>> {
  const allowed = new Set<string>()
  for (const digest of allowedTrees(db.sql, key)) {
    const manifest = await store.manifest(digest).catch(() => null) // not kept any more: it vouches for nothing
    for (const { sha256 } of manifest?.files ?? []) allowed.add(sha256)
  }
  return allowed
}

/** After a change on disk: what the editor did not save ends it. */
async function lookAtAuthored(parts: EditorParts & SkillEditing): Promise<void> {
  const { author, editing, registry, store } = parts
  for (const { key } of author.list()) {
    await editing.between(key, async () => {
      const record = registry.record(key)
      author.seen(key, record ? await store.digestOf(record).catch(() => null) : null)
    })
  }
}
