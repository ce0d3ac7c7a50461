import { useState } from 'react'
import type { RequestDetail } from '@shared/domain/approval'
import { visibleText } from '@shared/visible-text'
import { messageOf } from '../../api'
import { approvalsStore, refreshApprovals } from '../../stores/approvals'
import { openReview } from '../../stores/ui'
import { Button } from '../../ui/button'
import { StatusMark, type Tone } from '../../ui/marks'
import { Note } from '../../ui/note'
import { successor } from './decision'

interface Wish<State extends string> {
  name: string
  state: State
}

interface WishesProps<State extends string> {
  detail: RequestDetail
  title: string
  wishes: readonly Wish<State>[]
  /** A name as a person reads it. */
  nameWords: (name: string) => string
  isCode: boolean
  states: Readonly<Record<State, readonly [Tone, string]>>
  giveLabel: string
  /** Gives what has this name to the skill. */
  onGive: (name: string) => Promise<unknown>
}

/** What the skill asks for beside its run. Giving one allows no run: what would run then is asked for anew. */
export function ReviewWishes<State extends string>(props: WishesProps<State>) {
  const { detail, wishes, nameWords, states } = props
  const [error, setError] = useState('')
  if (wishes.length === 0) return null
  const give = async (name: string) => {
    try {
      await props.onGive(name)
      await refreshApprovals()
      const next = successor(detail, approvalsStore.getState().pending)
      if (next) openReview(next.id)
    } catch (reason) {
      setError(messageOf(reason))
    }
  }
  return (
    <section>
      <h2>{props.title}</h2>
      <ul className="rv-secrets">
        {wishes.map(({ name, state }) => {
          const shown = visibleText(nameWords(name))
          return (
            <li key={name}>
              <div className="row">
                {props.isCode ? <code className="m">{shown}</code> : <span className="m">{shown}</span>}
                <span className="sp" />
                {(state === 'not-given' || state === 'other') && detail.status === 'pending' && (
                  <Button small onClick={() => void give(name)}>
                    {props.giveLabel}
                    <span className="sr">{` ${shown}`}</span>
                  </Button>
                )}
              </div>
              <StatusMark tone={states[state][0]}>{states[state][1]}</StatusMark>
            </li>
          )
        })}
      </ul>
      {error && <Note tone="bad">{error}</Note>}
    </section>
  )
}
