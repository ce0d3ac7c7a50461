import { EditorState, Text, Transaction } from '@codemirror/state'
import type { Extension, TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { EditedFile, TrialInput } from '@shared/domain/editing'
import type { TextEdit } from '@shared/skill-md/fix-edits'
import { editsBetween } from '@shared/skill-md/fix-edits'
import { visibleLine } from '@shared/visible-text'
import { api, messageOf } from '../api'
import { setTyped } from '../stores/drafts'
import { fileText, openText } from './text/line-ends'
import type { FileForm } from './text/line-ends'
import { words } from './strings'

/** What the disk has where something else was opened. */
export interface Conflict {
  /** Null: the file is gone, or is no text any more. */
  text: string | null
  digest: string | null
}

/** A file that is open in the editor. Kept while the window is, with its history of changes. */
export interface OpenDocument {
  key: string
  path: string
  /** Undefined until it was read. */
  state: EditorState | undefined
  form: FileForm
  /** As it stands in the file that was opened or saved last. */
  saved: Text
  /** sha256 of that file; null: there is none. */
  digest: string | null
  /** Why it can't be changed; null: it can. */
  whyNot: string | null
  /** The text 150 ms after typing stopped; at once after anything else. */
  settled: string
  conflict: Conflict | null
  /** When the text was typed that was found again; null: nothing was. */
  restoredAt: number | null
  problem: string
  isSaving: boolean
}

/** Typing in a field of the form: the history puts what is typed in one go together, as in the text. */
export const FORM_EVENT = 'input.type.form'

/** Milliseconds after typing stopped (`ux.md` 7), and at most between two drafts. */
const SETTLE_MS = 150
const DRAFT_MS = 1000

interface Documents {
  open: ReadonlyMap<string, OpenDocument>
}

const store = createStore<Documents>(() => ({ open: new Map() }))
/** The views that show a document now: changes go through them. */
const views = new Map<string, EditorView>()
const timers = new Map<
  string,
  { settle?: ReturnType<typeof setTimeout>; draft?: ReturnType<typeof setTimeout> }
>()

export const documentId = (key: string, path: string): string => `${key}\n${path}`

export function useDocument(id: string): OpenDocument | undefined {
  return useStore(store, ({ open }) => open.get(id))
}

export function documentOf(id: string): OpenDocument | undefined {
  return store.getState().open.get(id)
}

export function isDirty({ state, saved }: OpenDocument): boolean {
  return state !== undefined && !state.doc.eq(saved)
}

/** The whole text, as it is edited. */
export function textOf({ state }: OpenDocument): string {
  return state?.doc.toString() ?? ''
}

export function savedText({ saved }: OpenDocument): string {
  return saved.toString()
}

function put(id: string, change: Partial<OpenDocument>): void {
  const known = documentOf(id)
  if (!known) return
  store.setState(({ open }) => ({ open: new Map(open).set(id, { ...known, ...change }) }))
}

export type ExtensionsFor = (document: { path: string; form: FileForm; readOnly: boolean }) => Extension[]

/** Reads a file that is not open yet; what was typed before a crash is in its place. */
export async function openDocument(key: string, path: string, extensions: ExtensionsFor): Promise<void> {
  const id = documentId(key, path)
  if (documentOf(id)) return
  const file = await api.call('editor.read', { key, path })
  if (documentOf(id)) return
  const { document, draft } = documentFrom(key, path, file, extensions)
  store.setState(({ open }) => ({ open: new Map(open).set(id, document) }))
  if (draft !== null) changeText(id, editsBetween(textOf(document), draft), 'restore')
}

/** The file as a document, and the text that was typed over it and found again. */
function documentFrom(key: string, path: string, file: EditedFile, extensions: ExtensionsFor) {
  const own = openText(file.text ?? '')
  const draft = file.draft && openText(file.draft.text)
  const form = draft?.form ?? own.form
  const readOnly = file.whyNot !== null
  const state = EditorState.create({ doc: own.text, extensions: extensions({ path, form, readOnly }) })
  const moved = file.draft !== null && file.draft.before !== file.digest
  const document: OpenDocument = {
    key,
    path,
    state,
    form,
    saved: state.doc,
    // Of the file that the found text was typed over: a save of it never replaces another one unseen.
    digest: file.draft ? file.draft.before : file.digest,
    whyNot: file.whyNot,
    settled: own.text,
    conflict: moved ? { text: file.text, digest: file.digest } : null,
    restoredAt: file.draft?.keptAt ?? null,
    problem: '',
    isSaving: false,
  }
  return { document, draft: draft && draft.text !== own.text ? draft.text : null }
}

/** Forgets a document, for example because its file was renamed; what is not saved stays as a draft. */
export function closeDocument(id: string): void {
  store.setState(({ open }) => {
    const next = new Map(open)
    next.delete(id)
    return { open: next }
  })
}

setTyped({
  async keep() {
    await Promise.all([...timers.keys()].map(keepDraft))
  },
  forget(key) {
    for (const [id, document] of store.getState().open) {
      if (key === null || document.key === key) closeDocument(id)
    }
  },
})

export function attachView(id: string, view: EditorView): () => void {
  views.set(id, view)
  return () => {
    if (views.get(id) === view) views.delete(id)
    void keepDraft(id)
  }
}

export const viewOf = (id: string): EditorView | undefined => views.get(id)

/** What a view did; and what is done without one. */
export function noteTransaction(id: string, transaction: Transaction): void {
  put(id, { state: transaction.state })
  if (!transaction.docChanged) return
  const own = timers.get(id) ?? {}
  timers.set(id, own)
  const typed =
    (transaction.isUserEvent('input.type') && !transaction.isUserEvent(FORM_EVENT)) ||
    transaction.isUserEvent('delete')
  clearTimeout(own.settle)
  if (typed) own.settle = setTimeout(() => settle(id), SETTLE_MS)
  else settle(id)
  own.draft ??= setTimeout(() => void keepDraft(id), DRAFT_MS)
}

function settle(id: string): void {
  const document = documentOf(id)
  if (document) put(id, { settled: textOf(document) })
}

/** Edits of the text from outside of it: one step of its one history. */
export function changeText(id: string, edits: readonly TextEdit[], event: string): void {
  if (edits.length === 0) return
  const changes = edits.map(({ start, end, text }) => ({ from: start, to: end, insert: text }))
  dispatch(id, { changes, annotations: Transaction.userEvent.of(event) })
}

export function dispatch(id: string, spec: TransactionSpec): void {
  const view = views.get(id)
  if (view) return view.dispatch(spec)
  const state = documentOf(id)?.state
  if (state) noteTransaction(id, state.update(spec))
}

/** Keeps what is typed, or forgets what was kept when nothing is left to save. */
export async function keepDraft(id: string): Promise<void> {
  const own = timers.get(id)
  if (!own?.draft) return
  clearTimeout(own.draft)
  delete own.draft
  const document = documentOf(id)
  if (!document || document.whyNot !== null) return
  const { key, path, form, digest } = document
  try {
    if (isDirty(document)) {
      await api.call('editor.keepDraft', {
        key,
        path,
        text: fileText(textOf(document), form),
        before: digest,
      })
    } else await api.call('editor.dropDraft', { key, path })
  } catch (error) {
    put(id, { problem: words.documents.whatYouTypeCant(messageOf(error)) })
  }
}

/** Texts of a skill that are not saved, also of files that were not opened again since the last start. */
export async function unsavedFiles(key: string): Promise<TrialInput['files']> {
  const own = [...store.getState().open.values()].filter((document) => document.key === key)
  const typed = own.filter(isDirty).map(({ path, state, form }) => ({
    path,
    text: fileText(state?.doc.toString() ?? '', form),
  }))
  const drafts = (await api.call('editor.drafts', {})).filter(
    (draft) => draft.key === key && !own.some(({ path }) => path === draft.path),
  )
  const kept = await Promise.all(
    drafts.map(async ({ path }) => {
      const { draft } = await api.call('editor.read', { key, path })
      return draft ? [{ path, text: draft.text }] : []
    }),
  )
  return [...typed, ...kept.flat()]
}

/** Writes the file. What is typed meanwhile stays unsaved. */
export async function saveDocument(id: string): Promise<void> {
  const document = documentOf(id)
  if (!document?.state || document.isSaving || !isDirty(document)) return
  const { key, path, form, digest, state } = document
  put(id, { isSaving: true, problem: '' })
  try {
    const text = fileText(state.doc.toString(), form)
    const result = await api.call('editor.save', { key, path, text, before: digest })
    if (result.t === 'stale') {
      const isKnown = document.conflict !== null
      put(id, {
        conflict: { text: result.text, digest: result.digest },
        problem: isKnown ? words.notSaved(visibleLine(path)) : '',
      })
    } else put(id, { saved: state.doc, digest: result.digest, conflict: null, restoredAt: null })
  } catch (error) {
    put(id, { problem: messageOf(error) })
  }
  put(id, { isSaving: false })
}

/** The text of the file again; the change can be undone like any other. */
export function discard(id: string): void {
  const document = documentOf(id)
  if (!document) return
  changeText(id, editsBetween(textOf(document), savedText(document)), 'discard')
  put(id, { restoredAt: null, problem: '' })
  void keepDraft(id)
}

/** Looks whether the disk has something else by now: unchanged text follows it, typed text is left alone. */
export async function lookAgain(id: string): Promise<void> {
  const before = documentOf(id)
  if (!before?.state || before.isSaving) return
  const { key, path } = before
  const file = await api.call('editor.read', { key, path }).catch(() => null) // gone: saving will say so
  const document = documentOf(id)
  if (!file || !document || document.isSaving || file.digest === document.digest) return
  if (isDirty(document)) return put(id, { conflict: { text: file.text, digest: file.digest } })
  takeTheirs(id, { text: file.text, digest: file.digest })
}

export function takeTheirs(id: string, { text, digest }: Conflict): void {
  const document = documentOf(id)
  if (!document || text === null) return
  const theirs = openText(text)
  if ((theirs.form.ends === 'mixed') !== (document.form.ends === 'mixed')) return openAnew(id)
  changeText(id, editsBetween(textOf(document), theirs.text), 'disk')
  put(id, {
    form: theirs.form,
    saved: toText(theirs.text, theirs.form),
    digest,
    conflict: null,
    restoredAt: null,
    problem: '',
  })
  void keepDraft(id)
}

/** Other kinds of line ends need another editor: what shows the document opens it again. */
function openAnew(id: string): void {
  const { key, path } = documentOf(id)!
  void api.call('editor.dropDraft', { key, path }).finally(() => closeDocument(id))
}

/** The next save replaces what the disk has now. */
export function keepMine(id: string, { text, digest }: Conflict): void {
  const document = documentOf(id)
  if (!document) return
  const theirs = openText(text ?? '')
  put(id, { saved: toText(theirs.text, document.form), digest, conflict: null, problem: '' })
}

/** What a person made of both texts. Where the disk changed again while they compared, that is a conflict of its own. */
export function keepMerged(id: string, merged: string, seen: Conflict): void {
  const document = documentOf(id)
  if (!document) return
  const newer = document.conflict?.digest === seen.digest ? null : document.conflict
  changeText(id, editsBetween(textOf(document), merged), 'merge')
  keepMine(id, seen)
  if (newer) put(id, { conflict: newer })
}

/** As a document of these ends cuts its lines: two texts are compared line by line. */
function toText(text: string, { ends }: FileForm): Text {
  return Text.of(ends === 'mixed' ? text.split('\n') : text.split(/\r\n?|\n/))
}
