import { useEffect, useId, useRef, useState } from 'react'
import type { FormEvent, KeyboardEvent, RefObject } from 'react'
import { scriptArguments, type RunPlan } from '@shared/domain/approval'
import type { CallEdit } from '@shared/domain/call-edit'
import { Button, IconButton } from '../../ui/button'
import { Option, TextArea } from '../../ui/field'
import { CloseIcon } from '../../ui/icons'
import { isMac, matches } from '../../ui/keys'
import './edit-form.css'
import { words } from '../words'

export interface EditFormProps {
  plan: RunPlan
  busy: boolean
  onBack: () => void
  onAsk: (edited: CallEdit) => void
}

/**
 * What should run instead: the arguments of a script, one field each, or the text of a command. Nothing runs by it;
 * what is sent is asked for anew. Keys inside the fields belong to the fields.
 */
export function EditForm({ plan, busy, onBack, onAsk }: EditFormProps) {
  const isCommand = plan.kind === 'shell'
  const [command, setCommand] = useState(plan.argv.at(-1) ?? '')
  const [args, setArgs] = useState(() => scriptArguments(plan).map(toField))
  const wasFull = plan.fullScreen === true
  const [isFull, setFull] = useState(wasFull)
  const form = useRef<HTMLFormElement>(null)
  useFirstFocus(form)
  const send = (): void => {
    const what = isCommand ? { command } : { args: args.map(({ text }) => text) }
    if (!busy) onAsk(isFull === wasFull ? what : { ...what, fullScreen: isFull })
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    send()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const isSent = matches(event, 'Mod+Enter', isMac()) && !event.nativeEvent.isComposing
    if (!isSent && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (isSent) send()
    else onBack()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from any part
    <form ref={form} className="edit-run" onSubmit={submit} onKeyDown={onKeyDown}>
      {isCommand ? (
        <TextArea
          label={words.editCommand}
          className="mono"
          rows={4}
          spellCheck={false}
          maxLength={64_000}
          value={command}
          onChange={(event) => setCommand(event.target.value)}
        />
      ) : (
        <Arguments fields={args} onChange={setArgs} />
      )}
      {canBeFull(plan) && <FullScreenOption checked={isFull} onChange={setFull} />}
      <div className="row edit-run-acts">
        <Button variant="quiet" onClick={onBack}>
          {words.keep}
        </Button>
        <span className="small t3 grow">{words.editHint}</span>
        <Button
          type="submit"
          variant="solid"
          unavailable={isCommand && command.trim() === '' && words.editHint}
        >
          {words.askEdited}
        </Button>
      </div>
    </form>
  )
}

/** A sandbox gives it a terminal of its own; a text on standard input would be there in place of the keys. */
function canBeFull({ sandbox, stdin }: RunPlan): boolean {
  return sandbox.backend !== 'none' && stdin === null
}

function FullScreenOption(props: { checked: boolean; onChange: (checked: boolean) => void }) {
  const hintId = useId()
  return (
    <div>
      <Option
        type="checkbox"
        label={words.fullScreen}
        checked={props.checked}
        aria-describedby={hintId}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      <p id={hintId} className="small t3">
        {words.fullScreenHint}
      </p>
    </div>
  )
}

interface Field {
  /** Stays with it while others come and go. */
  key: number
  text: string
}

let keys = 0

function toField(text: string): Field {
  keys += 1
  return { key: keys, text }
}

function Arguments({ fields, onChange }: { fields: Field[]; onChange: (fields: Field[]) => void }) {
  const change = (key: number, text: string): void =>
    onChange(fields.map((field) => (field.key === key ? { key, text } : field)))
  return (
    <fieldset className="edit-run-args">
      <legend className="small b">{words.editArgs}</legend>
      {fields.length === 0 && <p className="small t3">{words.noArgs}</p>}
      {fields.map(({ key, text }, index) => (
        <div key={key} className="row edit-run-arg">
          {/* An argument may hold line breaks, so it is no one-line field. */}
          <textarea
            className="inp mono"
            rows={Math.min(4, text.split('\n').length)}
            spellCheck={false}
            maxLength={100_000}
            aria-label={words.editArg(index + 1)}
            value={text}
            onChange={(event) => change(key, event.target.value)}
          />
          <IconButton
            label={words.removeArg(index + 1)}
            onClick={() => onChange(fields.filter((field) => field.key !== key))}
          >
            <CloseIcon size={14} />
          </IconButton>
        </div>
      ))}
      <Button small onClick={() => onChange([...fields, toField('')])}>
        {words.addArg}
      </Button>
    </fieldset>
  )
}

/** The caret stands in the first field, or on the way to make one. */
function useFirstFocus(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => form.current?.querySelector<HTMLElement>('textarea, button')?.focus(), [form])
}
