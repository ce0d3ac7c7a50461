import { useVirtualizer } from '@tanstack/react-virtual'
import { clsx } from 'clsx'
import { memo, useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { visibleText } from '@shared/visible-text'
import type { CodeToken } from './code-lines'
import './code-view.css'
import { useOnScreen } from './use-on-screen'
import { words } from './strings'

export type FlagLevel = 'serious' | 'notable' | 'information'

/** One drawn line. `label` is what stands for it in folded places. */
export interface LineRow {
  key: string
  /** Number shown at the left; 0 shows none. */
  number: number
  /** `fold` can be opened; of `gap` nothing more is there. */
  kind: 'same' | 'add' | 'del' | 'fold' | 'gap'
  tokens: CodeToken[]
  flag?: FlagLevel
}

/** A place to scroll to; a new `n` scrolls again. */
export interface LineTarget {
  line: number
  n: number
}

export interface LineListProps {
  rows: LineRow[]
  label: string
  wrap: boolean
  target?: LineTarget | undefined
  onUnfold?: (key: string) => void
  /** Called when the end of the last line is on the screen. */
  onEnd?: () => void
}

/** Above this many lines only those on screen are drawn. */
const VIRTUAL_ABOVE = 1000
const LINE_HEIGHT = 19
/** A longer line is cut until the person asks for the rest. */
const MAX_SHOWN = 4000

/** Lines of code with numbers, signs and flags; text is data and every odd character is revealed. */
export function LineList(props: LineListProps) {
  const scroller = useRef<HTMLElement>(null)
  const virtual = props.rows.length > VIRTUAL_ABOVE
  const Lines = virtual ? VirtualLines : PlainLines
  return (
    <section
      ref={scroller}
      className={clsx('lines', props.wrap && 'wrap')}
      aria-label={props.label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
      tabIndex={0}
    >
      <Lines {...props} scroller={scroller} />
    </section>
  )
}

type Inner = LineListProps & { scroller: RefObject<HTMLElement | null> }

function PlainLines(props: Inner) {
  const { target, scroller, rows } = props
  useEffect(() => {
    if (!target) return
    const line = scroller.current?.querySelector(`[data-line="${target.line}"]:not(.del)`)
    line?.scrollIntoView({ block: 'center' })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- new rows mean: look for the line again
  }, [target, scroller, rows])
  return (
    <>
      {rows.map((row) => (
        <Line key={row.key} row={row} onUnfold={props.onUnfold} />
      ))}
      {props.onEnd && <End onEnd={props.onEnd} />}
    </>
  )
}

function VirtualLines(props: Inner) {
  const { rows, target, scroller } = props
  // oxlint-disable-next-line react/incompatible-library -- it re-renders by itself, nothing is memoised over it
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 30,
  })
  useEffect(() => {
    if (!target) return
    const index = rows.findIndex((row) => row.number === target.line && row.kind !== 'del')
    if (index >= 0) virtualizer.scrollToIndex(index, { align: 'center' })
  }, [target, rows, virtualizer])
  return (
    <div style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
      {virtualizer.getVirtualItems().map((item) => {
        const row = rows[item.index]
        if (!row) return null
        return (
          <div
            key={row.key}
            data-index={item.index}
            ref={virtualizer.measureElement}
            style={{ position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${item.start}px)` }}
          >
            <Line row={row} onUnfold={props.onUnfold} />
          </div>
        )
      })}
      {props.onEnd && (
        <div style={{ position: 'absolute', bottom: 0 }}>
          <End onEnd={props.onEnd} />
        </div>
      )}
    </div>
  )
}

function End({ onEnd }: { onEnd: () => void }) {
  const mark = useRef<HTMLSpanElement>(null)
  useOnScreen(mark, onEnd)
  return <span ref={mark} className="ln-end" />
}

const SIGN = { same: '', add: '+', del: '−', fold: '', gap: '' }
const SPOKEN = { same: '', add: words.lineList.added, del: words.lineList.removed, fold: '', gap: '' }

const Line = memo(function Line({
  row,
  onUnfold,
}: {
  row: LineRow
  onUnfold: ((key: string) => void) | undefined
}) {
  const [whole, setWhole] = useState(false)
  if (row.kind === 'fold') {
    return (
      <button type="button" className="ln-fold" onClick={() => onUnfold?.(row.key)}>
        {row.tokens[0]?.text}
      </button>
    )
  }
  if (row.kind === 'gap') return <div className="ln-fold ln-gap">{row.tokens[0]?.text}</div>
  const length = row.tokens.reduce((sum, token) => sum + token.text.length, 0)
  const cut = length > MAX_SHOWN && !whole
  return (
    <div className={clsx('ln', row.kind, row.flag && `flag flag-${row.flag}`)} data-line={row.number}>
      <i>{row.number || ''}</i>
      <b aria-hidden="true">{SIGN[row.kind]}</b>
      <span>
        {SPOKEN[row.kind] && <span className="sr">{SPOKEN[row.kind]}</span>}
        <Tokens tokens={cut ? cutTokens(row.tokens) : row.tokens} />
        {cut && (
          <button type="button" className="ln-more" onClick={() => setWhole(true)}>
            {words.lineList.showMoreCharacters(length - MAX_SHOWN)}
          </button>
        )}
      </span>
    </div>
  )
})

function Tokens({ tokens }: { tokens: readonly CodeToken[] }) {
  let offset = 0
  return tokens.map((token, index) => {
    const key = offset
    offset += token.text.length
    const last = index === tokens.length - 1
    return (
      <span key={key} className={token.kind || undefined}>
        <CodeText text={token.text} last={last} />
      </span>
    )
  })
}

const MARKED = /(\t|[ ]+$|⟦U\+[0-9A-F]+(?: ×\d+)?⟧|[␀-␡])/

/** Tabs, trailing spaces and revealed characters get a mark of their own; everything else is text. */
function CodeText({ text, last }: { text: string; last: boolean }) {
  return <Marked shown={visibleText(text, '\t')} last={last} />
}

/** Text that is already revealed, its marks set apart from its words. */
export function Marked({ shown, last }: { shown: string; last: boolean }) {
  if (!MARKED.test(shown)) return shown
  let offset = 0
  return shown.split(MARKED).map((part) => {
    const key = offset
    offset += part.length
    const kind = markOf(part, last)
    return kind ? (
      <span key={key} className={kind} data-name={CONTROL_NAMES[part.charCodeAt(0) - FIRST_PICTURE]}>
        {part}
      </span>
    ) : (
      part
    )
  })
}

/** Few fonts draw U+2400 and after, so the abbreviation is drawn in its place; the text stays the picture. */
const FIRST_PICTURE = 0x2400
const CONTROL_NAMES =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US SP DEL'.split(
    ' ',
  )

function markOf(part: string, last: boolean): string {
  if (part === '\t') return 'tabmark'
  if (/^[␀-␡]/.test(part)) return 'inv control'
  if (part.startsWith('⟦')) return 'inv'
  return last && /^ +$/.test(part) ? 'trailing' : ''
}

function cutTokens(tokens: readonly CodeToken[]): CodeToken[] {
  const out: CodeToken[] = []
  let left = MAX_SHOWN
  for (const token of tokens) {
    if (left <= 0) break
    out.push({ ...token, text: token.text.slice(0, left) })
    left -= token.text.length
  }
  return out
}
