import { useState } from 'react'
import type { FormEvent } from 'react'
import { SecretName, type SecretInput, type SecretView } from '@shared/domain/secret'
import type { SettingsView } from '@shared/domain/settings'
import { messageOf } from '../api'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { SelectField, TextField } from '../ui/field'
import { Note } from '../ui/note'
import { words } from './tool-strings'

const FORM = 'secret-form'
type Store = SecretInput['value']['store']

interface Props {
  /** null: a new one. */
  before: SecretView | null
  keychain: SettingsView['keychain']
  /** Throws what went wrong, in words. */
  onSave: (input: SecretInput) => Promise<void>
  onClose: () => void
}

/** A secret, new or changed. The value is written once and never shown again. */
export function SecretForm({ before, keychain, onSave, onClose }: Props) {
  const [draft, setDraft] = useState(() => draftOf(before, keychain.available))
  const [failure, setFailure] = useState('')
  const change = (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part }))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const { name, note } = draft
    if (!SecretName.safeParse(name).success) {
      return setFailure(words.secretForm.aNameHasCapital)
    }
    onSave({ name, note, value: valueOf(draft) }).catch((error: unknown) => setFailure(messageOf(error)))
  }
  return (
    <Dialog
      open
      title={before ? words.secretForm.change(before.name) : words.secretForm.addSecret}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words.secretForm.cancel}</Button>
          <Button type="submit" form={FORM} variant="solid">
            {words.secretForm.saveSecret}
          </Button>
        </>
      }
    >
      <form id={FORM} className="set-form" onSubmit={submit} noValidate>
        <Fields before={before} hasKeyring={keychain.available} draft={draft} onChange={change} />
        {!keychain.available && <Note tone="info">{keychain.reason}</Note>}
        {failure && <Note tone="bad">{failure}</Note>}
      </form>
    </Dialog>
  )
}

interface Draft {
  name: string
  note: string
  store: Store
  value: string
}

interface FieldsProps {
  before: SecretView | null
  hasKeyring: boolean
  draft: Draft
  onChange: (part: Partial<Draft>) => void
}

function Fields({ before, hasKeyring, draft, onChange }: FieldsProps) {
  const { name, note, store, value } = draft
  return (
    <>
      <TextField
        label={words.secretForm.name}
        hint={words.secretForm.theVariableThatA}
        value={name}
        readOnly={before !== null}
        spellCheck={false}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <SelectField
        label={words.secretForm.value}
        value={store}
        onChange={(event) => onChange({ store: event.target.value as Store })}
      >
        {before && <option value="keep">{words.secretForm.keepThePresentOne}</option>}
        {hasKeyring && <option value="keychain">{words.secretForm.keepItInThe}</option>}
        <option value="memory">{words.secretForm.keepItUntilSatchel}</option>
        <option value="env">{words.secretForm.readItFromA}</option>
      </SelectField>
      {store !== 'keep' && (
        <TextField
          label={store === 'env' ? words.secretForm.nameOfTheVariable : words.secretForm.secretValue}
          hint={store === 'env' ? words.secretForm.itIsReadWhen : words.secretForm.atLeastCharactersIt}
          type={store === 'env' ? 'text' : 'password'}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange({ value: event.target.value })}
        />
      )}
      <TextField
        label={words.secretForm.note}
        value={note}
        onChange={(event) => onChange({ note: event.target.value })}
      />
    </>
  )
}

function draftOf(before: SecretView | null, hasKeyring: boolean): Draft {
  const store = before ? 'keep' : hasKeyring ? 'keychain' : 'memory'
  return { name: before?.name ?? '', note: before?.note ?? '', store, value: '' }
}

function valueOf({ store, value }: Draft): SecretInput['value'] {
  if (store === 'keep') return { store }
  return store === 'env' ? { store, variable: value } : { store, value }
}
