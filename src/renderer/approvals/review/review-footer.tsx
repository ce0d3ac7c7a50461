import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button'
import { DecisionButton } from './decision-button'
import type { Arming } from './use-armed'
import { FINDINGS } from './review-findings'
import { words } from '../words'

export interface ReviewFooterProps {
  arming: Arming
  armDelayMs: number
  serious: boolean
  /** What Allow does; the label follows the choice to remember. */
  allowWords: string
  /** Nothing is remembered: only then a key allows. */
  isOnce: boolean
  /** Allow waits for something in What to check: the hint leads there. */
  toFindings: boolean
  /** Why Allow is not offered; empty when it is. */
  blocker: string
  /** Why nothing can be decided; empty when it can. */
  stopped: string
  /** Other things than an answer, in a menu. */
  more: ReactNode
  onLater: () => void
  onDeny: () => void
  onAllow: () => void
}

/** Deny comes first in reading order; with a serious finding it is also the emphasised one. */
export function ReviewFooter(props: ReviewFooterProps) {
  const { arming, armDelayMs, serious } = props
  return (
    <div className={serious ? 'row rv-foot rv-foot-serious' : 'row rv-foot'}>
      <DecisionButton
        kind={serious ? 'solid' : 'outline'}
        arming={arming}
        armDelayMs={armDelayMs}
        shortcut="Mod+Backspace"
        blocked={props.stopped || undefined}
        onAct={props.onDeny}
      >
        {words.denyWhy}
      </DecisionButton>
      <DecisionButton
        kind={serious ? 'risk' : 'solid'}
        arming={arming}
        armDelayMs={armDelayMs}
        {...(props.isOnce ? { shortcut: 'Mod+Enter' as const } : {})}
        blocked={props.blocker || undefined}
        onAct={props.onAllow}
      >
        {props.allowWords}
      </DecisionButton>
      <Hint blocker={props.blocker} ready={arming.ready} toFindings={props.toFindings} />
      <span className="rv-foot-later">
        <Button variant="quiet" shortcut="Escape" onClick={props.onLater}>
          {words.later}
        </Button>
        {props.more}
      </span>
    </div>
  )
}

/** Why Allow waits; what it waits for in What to check is one click away. */
function Hint({ blocker, ready, toFindings }: { blocker: string; ready: boolean; toFindings: boolean }) {
  if (toFindings) {
    return (
      <button type="button" className="rv-foot-hint link small" onClick={showFindings}>
        {blocker}
      </button>
    )
  }
  return (
    <span className={clsx('rv-foot-hint small t3', ready && !blocker && 'rv-foot-calm')}>
      {blocker || words.soon}
    </span>
  )
}

function showFindings(): void {
  const part = document.getElementById(FINDINGS)
  part?.scrollIntoView({ block: 'start' })
  part?.querySelector('h2')?.focus()
}
