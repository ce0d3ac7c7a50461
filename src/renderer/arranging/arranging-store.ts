import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { ArrangeDone, ArrangeRequest, SkillPlace } from '@shared/domain/arranging'
import type { SkillSummary } from '@shared/domain/skill'
import { visibleLine } from '@shared/visible-text'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { withTypedKept } from '../stores/drafts'
import { addNotice, addSkillNotice, goTo, uiStore } from '../stores/ui'
import { announce } from '../ui/announce'
import { byReason, doEach } from './many-plan'
import type { ManyRow } from './many-plan'
import { words } from './strings'

/** What a dialog asks for, about one skill. */
export type Asked = 'duplicate' | 'rename' | 'move' | 'copy'

/** What can be asked for about several at once. */
export type ManyAsked = 'move' | 'copy'

export type MeantSkill = Pick<SkillSummary, 'key' | 'name' | 'scope'>

type OpenDialog =
  | { kind: 'new'; projectDir: string | null; text?: GoneText | undefined }
  | (Asking & { kind: Asked })
  | {
      kind: 'many'
      asked: ManyAsked
      skills: readonly MeantSkill[]
      projectDir: string | null
      place: SkillPlace | null
    }
  | { kind: 'restore'; trashId: string; name: string; why: string; projectDir: null }

/** Unsaved text that a new skill begins with, of one that is gone. */
export interface GoneText {
  key: string
  name: string
}

interface Asking {
  skill: MeantSkill
  projectDir: string | null
  /** The name that it begins with; left out: one of the dialog's own. */
  to?: string | undefined
  /** Where it is to go; null: that was not said. */
  place: SkillPlace | null
}

/** What was just done, with a way back. */
export interface Toast {
  n: number
  text: string
  /** Operations, the last one first. */
  ids: readonly string[]
}

interface ArrangingState {
  dialog: OpenDialog | null
  toast: Toast | null
  /** Operations that were done together, the last one first: one Undo takes all back. */
  together: readonly string[]
  /** The trash is shown in the place of the list. */
  trash: boolean
  /** Rises when the trash may hold something else. */
  version: number
  /** The folder of a skill that is to be opened once it is listed. */
  awaited: string | null
  /** How it is shown then: its page, its page to be edited, or its row where the person is in the list. */
  awaitedAs: 'page' | 'edit' | 'row'
}

export const arrangingStore = createStore<ArrangingState>(() => ({
  dialog: null,
  toast: null,
  together: [],
  trash: false,
  version: 0,
  awaited: null,
  awaitedAs: 'page',
}))

export function useArranging<T>(select: (state: ArrangingState) => T): T {
  return useStore(arrangingStore, select)
}

/** `text`: what it begins with instead of a template alone, to be looked at and saved in the editor. */
export function openNewSkill(projectDir: string | null, text?: GoneText): void {
  arrangingStore.setState({ dialog: { kind: 'new', projectDir, text } })
}

/** Opens the dialog for one skill; nothing is done before a person saw what it would be. */
export function openArrange(kind: Asked, skill: MeantSkill, projectDir: string | null, to?: string): void {
  arrangingStore.setState({ dialog: { kind, skill, projectDir, to, place: null } })
}

/** The same for one or several that go to another folder. */
export function openTransfer(
  asked: ManyAsked,
  skills: readonly MeantSkill[],
  { projectDir, place = null }: { projectDir: string | null; place?: SkillPlace | null },
): void {
  const [skill] = skills
  if (!skill) return
  arrangingStore.setState({
    dialog:
      skills.length === 1
        ? { kind: asked, skill, projectDir, place }
        : { kind: 'many', asked, skills, projectDir, place },
  })
}

export function closeDialog(): void {
  arrangingStore.setState({ dialog: null })
}

export function showTrash(): void {
  goTo({ area: 'skills', skill: null })
  arrangingStore.setState({ trash: true })
}

export function hideTrash(): void {
  if (arrangingStore.getState().trash) arrangingStore.setState({ trash: false })
}

/** Does what a dialog showed, and leads to the skill, which takes a text over. Throws what the dialog shows. */
export async function arrange(
  request: ArrangeRequest,
  projectDir: string | null,
  planHash: string,
  text?: GoneText,
): Promise<void> {
  const goes = 'key' in request && (request.do === 'move' || request.do === 'rename')
  const work = () => api.call('arrange.do', { projectDir, request, planHash })
  const done = goes ? await withTypedKept(request.key, work) : await work()
  if (text && done.path !== null) await api.call('editor.adoptDrafts', { from: text.key, folder: done.path })
  const { dialog } = arrangingStore.getState()
  const fromForm = dialog?.kind === 'rename' && dialog.to !== undefined
  const awaitedAs = text !== undefined || fromForm ? 'edit' : goes && isInList() ? 'row' : 'page'
  arrangingStore.setState({ dialog: null, trash: false, awaited: done.path, awaitedAs })
  tell([done])
}

/** Nothing that was there before is opened to a person who is in the list. */
function isInList(): boolean {
  const { area, skill } = uiStore.getState()
  return area === 'skills' && skill === null && !arrangingStore.getState().trash
}

/** Does what a dialog showed of several skills, with one way back for all; what is refused meanwhile is said. */
export function arrangeMany(
  kind: ManyAsked,
  rows: readonly ManyRow[],
  { place, projectDir }: { place: SkillPlace; projectDir: string | null },
): void {
  void guarded(async () => {
    const { done, failed } = await doEach(rows, ({ key, name, hash }) => {
      const request = { do: kind, key, place, name } as const
      const work = () => api.call('arrange.do', { projectDir, request, planHash: hash })
      return kind === 'move' ? withTypedKept(key, work) : work()
    })
    arrangingStore.setState({ dialog: null })
    for (const { key, reason } of failed) addSkillNotice('warning', reason, key)
    tell(done)
  })
}

/** At once, with a way back (`ux.md` 5.8, rule 8). What can't be deleted is said. */
export function deleteSkills(keys: readonly string[], projectDir: string | null): void {
  void guarded(async () => {
    const done: ArrangeDone[] = []
    const refused = new Map<string, string>()
    for (const key of keys) {
      const request = { do: 'delete', key } as const
      const { hash, refusal } = await api.call('arrange.plan', { projectDir, request })
      const input = { projectDir, request, planHash: hash }
      if (refusal === null) done.push(await withTypedKept(key, () => api.call('arrange.do', input)))
      else refused.set(key, refusal)
    }
    if (done.length > 0 && uiStore.getState().area === 'skills') goTo({ skill: null })
    tellKept(refused, keys.length > 1)
    tell(done)
  })
}

/** Names that are told; the rest is counted. */
const NAMED = 5

/** One sentence for all that stay for the same reason; of a single skill the reason alone. */
function tellKept(refused: ReadonlyMap<string, string>, isOfSeveral: boolean): void {
  const [first] = refused.keys()
  if (first === undefined) return
  if (!isOfSeveral) return addSkillNotice('warning', refused.get(first)!, first)
  for (const { reason, keys } of byReason(refused)) {
    const names = keys.map((key) => visibleLine(key.slice(key.lastIndexOf('/') + 1)))
    addSkillNotice(
      'warning',
      words.many.kept(names.slice(0, NAMED), names.length - NAMED, reason),
      keys[0] ?? first,
    )
  }
}

export function undo(ids: readonly string[]): void {
  arrangingStore.setState({ toast: null })
  void guarded(async () => {
    const undone = ids.map((key) => ({ key }))
    const { done, failed } = await doEach(undone, ({ key: id }) =>
      withTypedKept(null, () => api.call('arrange.undo', { id })),
    )
    const [only] = ids.length === 1 ? done : []
    const awaitedAs = isInList() ? 'row' : 'page'
    arrangingStore.setState({ awaited: only?.path ?? null, awaitedAs, together: [] })
    touchTrash()
    if (done.length > 0) announce(only?.text ?? words.many.undone(done.length))
    const asked = failed.length === 1 && (await asksForName(ids))
    if (!asked) for (const { reason } of failed) addNotice('error', reason)
  })
}

/** What was deleted and can't come back as it was may do so under another name: true, that is asked for. */
async function asksForName(ids: readonly string[]): Promise<boolean> {
  const { last } = await api.call('arrange.last', {})
  if (ids.length !== 1 || last?.id !== ids[0] || last?.kind !== 'delete' || last.trashId === null)
    return false
  restore(last.trashId, last.name)
  return true
}

/** The last change of a skill folder, also of another window; what was done together with it comes back too. */
export function undoLast(): void {
  void guarded(async () => {
    const { last } = await api.call('arrange.last', {})
    const { together } = arrangingStore.getState()
    if (last) undo(together.includes(last.id) ? together : [last.id])
    else announce(words.nothingToUndo)
  })
}

/** Back to where it came from; under another name, that is asked for, where something else is there by now. */
export function restore(trashId: string, name: string): void {
  void guarded(async () => {
    const request = { do: 'restore', trashId } as const
    const { hash, refusal, makes } = await api.call('arrange.plan', { projectDir: null, request })
    if (refusal === null) await arrange(request, null, hash)
    else if (makes === null) addNotice('error', refusal)
    else
      arrangingStore.setState({ dialog: { kind: 'restore', trashId, name, why: refusal, projectDir: null } })
  })
}

/** Several at once; what can't come back as it was is said, and stays in the trash. */
export function restoreMany(entries: readonly { id: string; name: string }[]): void {
  void guarded(async () => {
    const able: { key: string; hash: string }[] = []
    const stays = new Map<string, string>()
    for (const { id: trashId } of entries) {
      const request = { do: 'restore', trashId } as const
      const { hash, refusal } = await api.call('arrange.plan', { projectDir: null, request })
      if (refusal === null) able.push({ key: trashId, hash })
      else stays.set(trashId, refusal)
    }
    const { done, failed } = await doEach(able, ({ key: trashId, hash }) =>
      api.call('arrange.do', { projectDir: null, request: { do: 'restore', trashId }, planHash: hash }),
    )
    for (const { key, reason } of failed) stays.set(key, reason)
    for (const { id, name } of entries) {
      const reason = stays.get(id)
      if (reason !== undefined) addNotice('warning', words.notRestored(visibleLine(name), reason))
    }
    touchTrash()
    tell(done)
  })
}

export function removeForGood(trashId: string): void {
  void guarded(async () => {
    await api.call('trash.remove', { trashId })
    touchTrash()
  })
}

export function dismissToast(): void {
  arrangingStore.setState({ toast: null })
}

/** The skill that was waited for is listed. */
export function arrived(): void {
  arrangingStore.setState({ awaited: null, awaitedAs: 'page' })
}

let told = 0

function tell(done: readonly ArrangeDone[]): void {
  const [first] = done
  if (!first) return
  const text = done.length === 1 ? first.text : words.many.done[manyKind(first.kind)](done.length)
  const ids = done.map(({ id }) => id).toReversed()
  arrangingStore.setState({ toast: { n: (told += 1), text, ids }, together: ids })
  announce(text)
  touchTrash()
}

function manyKind(kind: ArrangeDone['kind']): ManyAsked | 'delete' | 'restore' {
  return kind === 'move' || kind === 'copy' || kind === 'restore' ? kind : 'delete'
}

/** The trash is asked for again. */
export function touchTrash(): void {
  arrangingStore.setState(({ version }) => ({ version: version + 1 }))
}
