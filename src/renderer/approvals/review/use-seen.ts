import { useCallback, useState } from 'react'
import type { RequestDetail } from '@shared/domain/approval'
import type { Reviewing } from '../../stores/ui'
import type { LineTarget } from '../../ui/line-list'
import { ONCE, type Remembering } from './remembering'

export type Seen = ReturnType<typeof useSeen>

interface Looked {
  hash: string
  ticked: ReadonlySet<string>
  command: boolean
  findings: boolean
  remembering: Remembering
}

const NOTHING: Omit<Looked, 'hash'> = {
  ticked: new Set(),
  command: false,
  findings: false,
  remembering: ONCE,
}

/** What the person looked at and chose. Ticks, the seen command and what to remember end with their request and its plan. */
export function useSeen(requestId: string, detail: RequestDetail | undefined, intent: Reviewing['intent']) {
  const hash = `${requestId} ${detail?.planHash ?? ''}`
  const wanted = intent === 'chat' || intent === 'always' ? { ...ONCE, lifetime: intent } : ONCE
  const [state, setState] = useState<Looked>({ hash, ...NOTHING })
  const [chosenFor, setChosenFor] = useState('')
  const [target, setTarget] = useState<LineTarget | undefined>()
  const [denyFor, setDenyFor] = useState(intent === 'deny' ? requestId : '')
  const [editFor, setEditFor] = useState('')
  const now = state.hash === hash ? state : { hash, ...NOTHING }
  const change = useCallback(
    (part: (old: Looked) => Partial<Looked>) =>
      setState((old) => {
        const base = old.hash === hash ? old : { hash, ...NOTHING }
        return { ...base, ...part(base) }
      }),
    [hash],
  )
  const showLine = useCallback((line: number) => setTarget((old) => ({ line, n: (old?.n ?? 0) + 1 })), [])
  const tick = useCallback(
    (id: string, on: boolean) =>
      change((old) => {
        const ticked = new Set(old.ticked)
        if (on) ticked.add(id)
        else ticked.delete(id)
        return { ticked }
      }),
    [change],
  )
  return {
    ticked: now.ticked,
    command: now.command,
    findings: now.findings,
    // What the dock's menu asked for holds until something else is chosen.
    remembering: offered(detail, chosenFor === requestId ? now.remembering : wanted),
    setRemembering: (remembering: Remembering) => {
      setChosenFor(requestId)
      change(() => ({ remembering }))
    },
    target,
    denying: denyFor === requestId,
    setDenying: (on: boolean) => setDenyFor(on ? requestId : ''),
    backToReview: () => {
      setDenyFor('')
      setEditFor('')
    },
    editing: editFor === hash,
    setEditing: (on: boolean) => setEditFor(on ? hash : ''),
    tick,
    showLine,
    onCommand: useCallback(() => change(() => ({ command: true })), [change]),
    onFindings: useCallback(() => change(() => ({ findings: true })), [change]),
    showNext: (detail: RequestDetail | undefined) => {
      const lines = (detail?.findings ?? [])
        .flatMap((finding) => finding.line ?? [])
        .toSorted((a, b) => a - b)
      const next = lines.find((line) => line > (target?.line ?? 0)) ?? lines[0]
      if (next !== undefined) showLine(next)
    },
  }
}

/** Where nothing can be remembered nothing is, whatever was asked for. */
function offered(detail: RequestDetail | undefined, wanted: Remembering): Remembering {
  if (wanted.lifetime === 'always' && detail?.remember.chatOnly) return ONCE
  return detail?.remember.args.includes(wanted.args) ? wanted : ONCE
}
