import { useEffect, useRef, useState } from 'react'
import type { FormEvent, KeyboardEvent } from 'react'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/field'
import { isMac, matches } from '../../ui/keys'
import { QUICK_REASONS, words } from '../words'

export type Denial = 'deny' | 'deny_stop' | 'deny_always'

export interface DenyFormProps {
  busy: boolean
  /** What "Always deny this …" would name; left out: that is not offered. */
  alwaysNoun?: string | undefined
  onDeny: (choice: Denial, note: string) => void
  onBack: () => void
}

/** One line for the agent, four usual reasons, and the refusal itself. Keys inside the field belong to the field. */
export function DenyForm({ busy, alwaysNoun, onDeny, onBack }: DenyFormProps) {
  const [note, setNote] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const send = (choice: Denial): void => {
    if (!busy) onDeny(choice, note.trim())
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    send('deny')
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      onBack()
    } else if (matches(event, 'Mod+Enter', isMac()) && !event.nativeEvent.isComposing) {
      event.preventDefault()
      event.stopPropagation()
      send('deny')
    }
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from any part
    <form className="deny" onSubmit={submit} onKeyDown={onKeyDown}>
      <TextField
        ref={field}
        label={words.reasonLabel}
        hint={words.reasonHint}
        value={note}
        maxLength={2000}
        onChange={(event) => setNote(event.target.value)}
      />
      <div className="row deny-quick">
        {QUICK_REASONS.map((reason) => (
          <button key={reason} type="button" className="chip" onClick={() => setNote(reason)}>
            {reason}
          </button>
        ))}
      </div>
      <div className="row deny-acts">
        <Button variant="quiet" onClick={onBack}>
          {words.keep}
        </Button>
        <span className="sp" />
        {alwaysNoun !== undefined && (
          <Button onClick={() => send('deny_always')}>{words.denyAlways(alwaysNoun)}</Button>
        )}
        <Button onClick={() => send('deny_stop')}>{words.denyStop}</Button>
        <Button type="submit" variant="solid">
          {words.denyNow}
        </Button>
      </div>
    </form>
  )
}
