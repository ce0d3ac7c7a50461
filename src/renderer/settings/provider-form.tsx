import { useState } from 'react'
import type { FormEvent } from 'react'
import type { ProviderInput, SettingsView } from '@shared/domain/settings'
import { api, messageOf } from '../api'
import { refreshSettings } from '../stores/settings'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Option, SelectField, TextArea, TextField } from '../ui/field'
import { Note } from '../ui/note'
import { OfferedModels } from './offered-models'
import { checkDraft, checkUnsaved, KINDS } from './provider-form-state'
import type { FieldErrors, KeyStore, ProviderDraft } from './provider-form-state'
import { words } from './model-strings'

const FORM = 'provider-form'

/** A provider, new or changed. Nothing is saved until everything is right. */
export function ProviderForm(props: { start: ProviderDraft; view: SettingsView; onClose: () => void }) {
  const { start, view, onClose } = props
  const [draft, setDraft] = useState(start)
  const [errors, setErrors] = useState<FieldErrors>({})
  const { busy, failure, send } = useSave(onClose)
  const before = view.providers.find((provider) => provider.id === start.id)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const taken = view.providers.map((provider) => provider.id)
    const checked = checkDraft(draft, taken, before)
    setErrors(checked.ok ? {} : checked.errors)
    if (checked.ok) void send(checked.input)
  }
  const change = (part: Partial<ProviderDraft>): void => setDraft((now) => ({ ...now, ...part }))
  return (
    <Dialog
      open
      title={before ? words.providerForm.change(before.label) : words.providerForm.addProvider}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words.providerForm.cancel}</Button>
          <Button type="submit" form={FORM} variant="solid" unavailable={busy && words.providerForm.saving}>
            {words.providerForm.saveProvider}
          </Button>
        </>
      }
    >
      <form id={FORM} className="set-form" onSubmit={submit} noValidate>
        <NameFields draft={draft} errors={errors} onChange={change} />
        <OfferedModels
          draft={draft}
          onChange={change}
          onAsk={() => {
            const taken = view.providers.map((provider) => provider.id)
            const checked = checkUnsaved(draft, taken, before)
            setErrors(checked.ok ? {} : checked.errors)
            return checked.ok ? checked.input : null
          }}
        />
        <KeyFields
          draft={draft}
          errors={errors}
          view={view}
          canKeep={before !== undefined}
          onChange={change}
        />
        {failure && <Note tone="bad">{failure}</Note>}
      </form>
    </Dialog>
  )
}

function NameFields({ draft, errors, onChange }: Pick<KeyFieldsProps, 'draft' | 'errors' | 'onChange'>) {
  const kind = KINDS.find((item) => item.kind === draft.kind)
  return (
    <>
      <SelectField
        label={words.providerForm.kind}
        value={draft.kind}
        onChange={(event) => {
          const chosen = KINDS.find((item) => item.kind === event.target.value)
          if (chosen) onChange({ kind: chosen.kind })
        }}
      >
        {KINDS.map((item) => (
          <option key={item.kind} value={item.kind}>
            {item.name}
          </option>
        ))}
      </SelectField>
      <TextField
        label={words.providerForm.name}
        value={draft.label}
        error={errors.label}
        onChange={(event) => onChange({ label: event.target.value })}
      />
      <TextField
        label={words.providerForm.address}
        value={draft.baseUrl}
        error={errors.baseUrl}
        placeholder={kind?.address}
        hint={kind?.hint}
        spellCheck={false}
        onChange={(event) => onChange({ baseUrl: event.target.value })}
      />
      <TextArea
        label={words.providerForm.models}
        rows={3}
        value={draft.models}
        error={errors.models}
        hint={words.providerForm.oneALineExactly}
        spellCheck={false}
        onChange={(event) => onChange({ models: event.target.value })}
      />
    </>
  )
}

function useSave(onSaved: () => void) {
  const [state, setState] = useState({ busy: false, failure: '' })
  const send = async (input: ProviderInput): Promise<void> => {
    setState({ busy: true, failure: '' })
    try {
      await api.call('providers.save', input)
      await refreshSettings()
      onSaved()
    } catch (error) {
      setState({ busy: false, failure: messageOf(error) })
    }
  }
  return { ...state, send }
}

interface KeyFieldsProps {
  draft: ProviderDraft
  errors: FieldErrors
  view: SettingsView
  canKeep: boolean
  onChange: (part: Partial<ProviderDraft>) => void
}

/** Where the key lives, in words. Without a keyring the keychain can't be chosen, and the reason stands there. */
function KeyFields({ draft, errors, view, canKeep, onChange }: KeyFieldsProps) {
  const { available, reason } = view.keychain
  const stores: [KeyStore, string, string][] = [
    ['keychain', words.providerForm.keepItInThe, available ? words.providerForm.sealedByTheSystem : reason],
    ['memory', words.providerForm.forThisRunOnly, words.providerForm.forgottenWhenSatchelCloses],
    ['env', words.providerForm.fromAnEnvironmentVariable, words.providerForm.satchelReadsTheVariable],
    ['none', words.providerForm.noKey, words.providerForm.forAServerOn],
  ]
  if (canKeep) stores.unshift(['keep', words.providerForm.leaveTheKeyAs, ''])
  return (
    <fieldset className="set-keys">
      <legend className="small m">{words.providerForm.apiKey}</legend>
      {stores.map(([store, label, hint]) => {
        const unusable = store === 'keychain' && !available
        return (
          <Option
            key={store}
            type="radio"
            name="key-store"
            checked={draft.store === store}
            disabled={unusable}
            label={
              <>
                <span className={unusable ? 't3' : undefined}>{label}</span>
                {hint && <span className="small t3 set-key-hint">{hint}</span>}
              </>
            }
            onChange={() => onChange({ store })}
          />
        )
      })}
      {(draft.store === 'keychain' || draft.store === 'memory') && (
        <TextField
          label={words.providerForm.key}
          type="password"
          autoComplete="off"
          value={draft.key}
          error={errors.key}
          onChange={(event) => onChange({ key: event.target.value })}
        />
      )}
      {draft.store === 'env' && (
        <TextField
          label={words.providerForm.variableName}
          className="mono"
          value={draft.envName}
          error={errors.envName}
          spellCheck={false}
          onChange={(event) => onChange({ envName: event.target.value })}
        />
      )}
      {draft.store === 'keep' && errors.key && <Note tone="bad">{errors.key}</Note>}
    </fieldset>
  )
}
