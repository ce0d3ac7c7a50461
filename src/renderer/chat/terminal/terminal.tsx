import { clsx } from 'clsx'
import { memo, useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button'
import { CopyButton } from '../../ui/copy-button'
import { VisibleText } from '../../ui/visible-text'
import { chat } from '../strings'
import { scrollToEnd } from '../transcript/use-stick-to-end'
import { createScreen } from './screen'
import type { Line, Screen, Span } from './screen'
import { useOutput } from './use-output'

/** Lines shown while the block is closed. */
const CLOSED_LINES = 12

/** Output of a run as it comes, or again from its log; `instead` stands there when the log ended with nothing in it. */
export function LiveTerminal({ runId, instead }: { runId: string; instead?: ReactNode }) {
  const { screen, ended } = useOutput(runId)
  if (ended && instead && screen.count() === 0) return instead
  return <TerminalBlock screen={screen} live />
}

export interface KeptTerminalProps {
  out: string
  err: string
  /** Leads to all of the output where this is only its beginning and its end; otherwise null. */
  full: ReactNode
}

/** Output that the call's own row holds: all of it, or its beginning and its end. */
export function KeptTerminal({ out, err, full }: KeptTerminalProps) {
  const [screen] = useState(() => {
    const kept = createScreen()
    kept.write('out', out)
    kept.write('err', err)
    return kept
  })
  if (screen.lines().length === 0) return <p className="small t3 term-none">{chat.noOutput}</p>
  return <TerminalBlock screen={screen} live={false} full={full} />
}

function TerminalBlock(props: { screen: Screen; live: boolean; full?: ReactNode }) {
  const isExcerpt = Boolean(props.full)
  const [open, setOpen] = useState(false)
  const [follow, setFollow] = useState(true)
  const box = useRef<HTMLDivElement>(null)
  const lines = props.screen.lines()
  const shown = open ? lines : lines.slice(-CLOSED_LINES)
  const hidden = props.screen.count() - shown.length
  // After every drawing: the lines live outside of React.
  useEffect(() => {
    if (open && follow) scrollToEnd(box.current)
  })
  const showsErr = lines.some((line) => line.channel === 'err')
  return (
    <div className="term">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <div ref={box} className={clsx('term-lines', open && 'open')} tabIndex={open ? 0 : undefined}>
        {hidden > 0 && <div className="t3">{chat.earlierLines(isExcerpt ? null : hidden)}</div>}
        {shown.map((line) => (
          <LineView key={line.n} line={line} marked={showsErr} />
        ))}
      </div>
      <div className="term-tools">
        {open && props.live && (
          <Button variant="quiet" small aria-pressed={follow} onClick={() => setFollow(!follow)}>
            {chat.follow}
          </Button>
        )}
        {(hidden > 0 || open) && (
          <Button variant="quiet" small aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? chat.showLess : moreWords(props.screen, isExcerpt)}
          </Button>
        )}
        {props.full}
        <CopyButton text={() => props.screen.text()} label={chat.copyOutput} />
      </div>
    </div>
  )
}

/** Whether opening the block shows everything. */
function moreWords(screen: Screen, isExcerpt: boolean): string {
  return isExcerpt || screen.count() > screen.lines().length ? chat.showMore : chat.showAll
}

const LineView = memo(function LineView({ line, marked }: { line: Line; marked: boolean }) {
  return (
    <div className={clsx('term-line', line.channel === 'err' && 'err')}>
      {marked && <span className="term-mark">{line.channel === 'err' ? chat.stderr : ''}</span>}
      <span className="term-text">
        {withColumns(line.spans).map(({ span, column }) => (
          <span key={column} className={spanClass(span.style)}>
            <VisibleText text={span.text} />
          </span>
        ))}
      </span>
    </div>
  )
})

/** Where each span begins: the one thing about it that does not change while the line grows. */
function withColumns(spans: readonly Span[]): { span: Span; column: number }[] {
  let end = 0
  return spans.map((span) => {
    const column = end
    end += span.text.length
    return { span, column }
  })
}

function spanClass(style: Line['spans'][number]['style']): string | undefined {
  const name = clsx(
    style.color && `a-${style.color}`,
    style.bold && 'b',
    style.dim && 't3',
    style.italic && 'italic',
    style.underline && 'underline',
    style.inverse && 'a-inverse',
  )
  return name || undefined
}
