import { clsx } from 'clsx'
import { useId, useState } from 'react'
import type { ComponentProps } from 'react'
import { messageOf } from '../api'
import type { Typed } from './typed'

export interface TypedFieldProps<T> {
  label: string
  /** The value as it is written into the field. */
  shown: string
  unit?: string
  read: (text: string) => Typed<T>
  /** A promise that rejects says why it could not be saved. */
  onSave: (value: T) => void | Promise<void>
  input: ComponentProps<'input'>
}

/** A field that is saved when it is left; what can't be saved stays as it was typed, with the reason below it. */
export function TypedField<T>(props: TypedFieldProps<T>) {
  // Another value is another field: nothing of what was typed before stays.
  return <Field key={props.shown} {...props} />
}

function Field<T>({ label, shown, unit, read, onSave, input }: TypedFieldProps<T>) {
  const id = useId()
  const [problem, setProblem] = useState('')
  const leave = (field: HTMLInputElement): void => {
    const typed = field.value === shown ? null : read(field.value)
    setProblem(typed && 'problem' in typed ? typed.problem : '')
    if (!typed || 'problem' in typed) return
    if (String(typed.value ?? '') === shown) field.value = shown
    else Promise.resolve(onSave(typed.value)).catch((error: unknown) => setProblem(messageOf(error)))
  }
  return (
    <div>
      <span className="row">
        <input
          {...input}
          className={clsx('inp', input.className ?? 'set-number num')}
          aria-label={label}
          aria-invalid={problem !== ''}
          aria-describedby={problem === '' ? undefined : id}
          defaultValue={shown}
          onBlur={(event) => leave(event.target)}
        />
        {unit && <span className="small t3">{unit}</span>}
      </span>
      {problem && (
        <div id={id} className="fld-error" role="alert">
          {problem}
        </div>
      )}
    </div>
  )
}
