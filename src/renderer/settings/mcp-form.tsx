import { useState } from 'react'
import type { FormEvent } from 'react'
import type { McpServerInput, McpServerView } from '@shared/domain/mcp'
import type { SettingsView } from '@shared/domain/settings'
import { visibleLine } from '@shared/visible-text'
import { api, messageOf } from '../api'
import { showMcp } from '../stores/mcp'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { SelectField, TextArea, TextField } from '../ui/field'
import { Note } from '../ui/note'
import { checkServer, variablesOf } from './mcp-draft'
import type { McpDraft, McpErrors } from './mcp-draft'
import { words } from './tool-strings'

const FORM = 'mcp-form'

interface FormProps {
  start: McpDraft
  /** As it is now; undefined for a new one. */
  server: McpServerView | undefined
  keychain: SettingsView['keychain']
  onClose(): void
}

/** An MCP server, new or changed. It is written into the person's own file; keys go to the keyring. */
export function McpForm({ start, server, keychain, onClose }: FormProps) {
  const [draft, setDraft] = useState(start)
  const [errors, setErrors] = useState<McpErrors>({})
  const { busy, failure, send } = useSave(onClose)
  const change = (part: Partial<McpDraft>): void => setDraft({ ...draft, ...part })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const checked = checkServer(draft)
    setErrors(checked.ok ? {} : checked.errors)
    if (checked.ok) void send(checked.input)
  }
  return (
    <Dialog
      open
      title={start.was === null ? words.mcpForm.addMcpServer : words.mcpForm.change(visibleLine(start.was))}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words.mcpForm.cancel}</Button>
          <Button type="submit" form={FORM} variant="solid" unavailable={busy && words.mcpForm.saving}>
            {words.mcpForm.saveServer}
          </Button>
        </>
      }
    >
      <form id={FORM} className="set-form" onSubmit={submit} noValidate>
        <TextField
          label={words.mcpForm.name}
          className="mono"
          value={draft.name}
          error={errors.name}
          hint={words.mcpForm.smallLettersDigitsAnd}
          spellCheck={false}
          onChange={(event) => change({ name: event.target.value })}
        />
        <SelectField
          label={words.mcpForm.kind}
          value={draft.kind}
          onChange={(event) => change({ kind: event.target.value === 'address' ? 'address' : 'program' })}
        >
          <option value="program">{words.mcpForm.aProgramOnThis}</option>
          <option value="address">{words.mcpForm.anAddressHttp}</option>
        </SelectField>
        {draft.kind === 'address' ? (
          <AddressFields draft={draft} errors={errors} onChange={change} />
        ) : (
          <ProgramFields draft={draft} errors={errors} onChange={change} />
        )}
        <KeyFields draft={draft} server={server} keychain={keychain} onChange={change} />
        {failure && <Note tone="bad">{failure}</Note>}
      </form>
    </Dialog>
  )
}

interface FieldsProps {
  draft: McpDraft
  errors: McpErrors
  onChange(part: Partial<McpDraft>): void
}

const KEY_HINT =
  'Name a key as a variable, ${LIKE_THIS}; its value is asked for below and does not stand in the file.'

function ProgramFields({ draft, errors, onChange }: FieldsProps) {
  return (
    <>
      <TextField
        label={words.mcpForm.program}
        className="mono"
        value={draft.command}
        error={errors.command}
        hint={words.mcpForm.itRunsAsYou}
        spellCheck={false}
        onChange={(event) => onChange({ command: event.target.value })}
      />
      <TextArea
        label={words.mcpForm.arguments}
        className="mono"
        rows={2}
        value={draft.args}
        hint={words.mcpForm.oneALine}
        spellCheck={false}
        onChange={(event) => onChange({ args: event.target.value })}
      />
      <TextArea
        label={words.mcpForm.variables}
        className="mono"
        rows={2}
        value={draft.env}
        error={errors.env}
        hint={words.mcpForm.oneALineTickets(KEY_HINT)}
        spellCheck={false}
        onChange={(event) => onChange({ env: event.target.value })}
      />
    </>
  )
}

function AddressFields({ draft, errors, onChange }: FieldsProps) {
  return (
    <>
      <TextField
        label={words.mcpForm.address}
        className="mono"
        value={draft.url}
        error={errors.url}
        hint={words.mcpForm.httpsOrHttpOn}
        spellCheck={false}
        onChange={(event) => onChange({ url: event.target.value })}
      />
      <TextArea
        label={words.mcpForm.headers}
        className="mono"
        rows={2}
        value={draft.headers}
        error={errors.headers}
        hint={words.mcpForm.oneALineAuthorization(KEY_HINT)}
        spellCheck={false}
        onChange={(event) => onChange({ headers: event.target.value })}
      />
    </>
  )
}

const FROM = {
  entered: words.mcpForm.enteredLeaveItEmpty,
  environment: words.mcpForm.comesFromTheEnvironment,
  missing: words.mcpForm.notSetYet,
} as const

/** One field for each variable that the server names. */
function KeyFields({
  draft,
  server,
  keychain,
  onChange,
}: Omit<FormProps, 'start' | 'onClose'> & Omit<FieldsProps, 'errors'>) {
  const names = variablesOf(draft)
  if (names.length === 0) return null
  const sourceOf = (name: string) => server?.keys.find((key) => key.name === name)?.from ?? 'missing'
  return (
    <fieldset className="set-keys">
      <legend className="small m">{words.mcpForm.keys}</legend>
      <p className="small t3">
        {keychain.available ? words.mcpForm.sealedByTheSystems : words.mcpForm.keptUntilSatchelCloses}
      </p>
      {names.map((name) => (
        <TextField
          key={name}
          label={name}
          type="password"
          autoComplete="off"
          value={draft.keys[name] ?? ''}
          hint={FROM[sourceOf(name)]}
          onChange={(event) => onChange({ keys: { ...draft.keys, [name]: event.target.value } })}
        />
      ))}
    </fieldset>
  )
}

function useSave(onSaved: () => void) {
  const [state, setState] = useState({ busy: false, failure: '' })
  const send = async (input: McpServerInput): Promise<void> => {
    setState({ busy: true, failure: '' })
    try {
      showMcp(await api.call('mcp.save', input))
      onSaved()
    } catch (error) {
      setState({ busy: false, failure: messageOf(error) })
    }
  }
  return { ...state, send }
}
