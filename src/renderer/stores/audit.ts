import type { AuditEvent, AuditFilter, AuditSummary, AuditVerdict } from '@shared/domain/audit'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { api, messageOf } from '../api'

/** How far back is looked, in days; null: everything, or the days that were chosen in the bars. */
export type AuditRange = 1 | 7 | 30 | 90 | null

interface AuditState {
  /** Without the time, which `range` or `days` gives. */
  filter: AuditFilter
  range: AuditRange
  /** Days that were chosen in the bars, as days since 1970 in the zone of this computer; both included. */
  days: { from: number; to: number } | null
  selected: number | null
  follow: boolean
  summary: AuditSummary | null
  /** Newest entry that the list has; later ones are only counted. */
  upTo: number
  total: number
  /** How many entries came since. */
  fresh: number
  /** Parts of the list that were fetched, by their number. */
  pages: ReadonlyMap<number, readonly AuditEvent[]>
  verdict: AuditVerdict | null
  verifying: boolean
  error: string
}

/** Rows of one part. */
export const PAGE = 200
const DAY_MS = 86_400_000

export const auditStore = createStore<AuditState>(() => ({
  filter: {},
  range: 30,
  days: null,
  selected: null,
  follow: true,
  summary: null,
  upTo: 0,
  total: 0,
  fresh: 0,
  pages: new Map(),
  verdict: null,
  verifying: false,
  error: '',
}))

export function useAudit<T>(select: (state: AuditState) => T): T {
  return useStore(auditStore, select)
}

/** What is asked: the filter with its times. */
export function wholeFilter({
  filter,
  range,
  days,
}: Pick<AuditState, 'filter' | 'range' | 'days'>): AuditFilter {
  if (days) return { ...filter, since: startOf(days.from), until: startOf(days.to + 1) }
  return range === null ? filter : { ...filter, since: startOf(dayOf(Date.now()) - range + 1) }
}

/** Days since 1970 here. */
export function dayOf(at: number): number {
  return Math.floor((at + offsetMs()) / DAY_MS)
}

/** The first millisecond of a day here. */
export function startOf(day: number): number {
  return day * DAY_MS - offsetMs()
}

function offsetMs(): number {
  return -new Date().getTimezoneOffset() * 60_000
}

/** Narrows or widens the list, which then begins at its newest entry. */
export function setAuditFilter(change: Partial<Pick<AuditState, 'filter' | 'range' | 'days'>>): void {
  auditStore.setState(change)
  void reloadAudit()
}

/** Leaves one key of the filter out, or sets it. */
export function narrow<K extends keyof AuditFilter>(key: K, value: AuditFilter[K] | undefined): void {
  const { [key]: _before, ...rest } = auditStore.getState().filter
  setAuditFilter({ filter: value === undefined ? rest : { ...rest, [key]: value } })
}

export function selectEntry(selected: number | null): void {
  auditStore.setState({ selected })
}

/** Each reload asks with a new number; answers to older ones are dropped. */
let asked = 0
let shown = 0

/** While the area is shown its list is kept true. Returns a function that ends it. */
export function showAudit(): () => void {
  shown += 1
  void reloadAudit()
  void verifyAudit(true)
  return () => {
    shown -= 1
  }
}

export async function reloadAudit(): Promise<void> {
  const mine = ++asked
  const filter = wholeFilter(auditStore.getState())
  try {
    const summary = await api.call('audit.summary', { filter, offsetMs: offsetMs() })
    const first = await api.call('audit.query', { filter, upTo: summary.head, limit: PAGE })
    if (mine !== asked) return
    const pages = new Map([[0, first]])
    auditStore.setState({
      summary,
      pages,
      upTo: summary.head,
      total: summary.total,
      fresh: 0,
      error: '',
    })
  } catch (error) {
    if (mine === asked) auditStore.setState({ error: messageOf(error) })
  }
}

const loading = new Set<string>()

/** Fetches a part of the list, once. */
export async function loadPage(page: number): Promise<void> {
  const { pages, upTo } = auditStore.getState()
  const mine = asked
  const id = `${mine}:${page}`
  if (pages.has(page) || loading.has(id)) return
  loading.add(id)
  try {
    const filter = wholeFilter(auditStore.getState())
    const rows = await api.call('audit.query', { filter, upTo, offset: page * PAGE, limit: PAGE })
    if (mine !== asked) return
    auditStore.setState((state) => ({ pages: new Map([...state.pages, [page, rows]]) }))
  } catch (error) {
    auditStore.setState({ error: messageOf(error) })
  } finally {
    loading.delete(id)
  }
}

/** After `audit.changed`: the list follows, or says how many came. */
export async function auditChanged(): Promise<void> {
  if (shown === 0) return
  const { follow, total } = auditStore.getState()
  if (follow) {
    await reloadAudit()
  } else {
    const mine = asked
    const filter = wholeFilter(auditStore.getState())
    const summary = await api.call('audit.summary', { filter, offsetMs: offsetMs() })
    if (mine === asked) auditStore.setState({ summary, fresh: Math.max(0, summary.total - total) })
  }
  await verifyAudit(true)
}

/** Only what is new, or all of it. */
export async function verifyAudit(sinceLast: boolean): Promise<void> {
  if (auditStore.getState().verifying) return
  auditStore.setState({ verifying: true })
  try {
    auditStore.setState({ verdict: await api.call('audit.verify', { sinceLast, outputs: !sinceLast }) })
  } catch (error) {
    auditStore.setState({ error: messageOf(error) })
  } finally {
    auditStore.setState({ verifying: false })
  }
}
