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
      title={start.was === null ? 'Add MCP server' : `Change ${visibleLine(start.was)}`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={FORM} variant="solid" unavailable={busy && 'Saving'}>
            Save server
          </Button>
        </>
      }
    >
      <form id={FORM} className="set-form" onSubmit={submit} noValidate>
        <TextField
          label="Name"
          className="mono"
          value={draft.name}
          error={errors.name}
          hint="Small letters, digits and hyphens. Its tools are called mcp__name__tool."
          spellCheck={false}
          onChange={(event) => change({ name: event.target.value })}
        />
        <SelectField
          label="Kind"
          value={draft.kind}
          onChange={(event) => change({ kind: event.target.value === 'address' ? 'address' : 'program' })}
        >
          <option value="program">A program on this computer</option>
          <option value="address">An address (HTTP)</option>
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
        label="Program"
        className="mono"
        value={draft.command}
        error={errors.command}
        hint="It runs as you, without a sandbox."
        spellCheck={false}
        onChange={(event) => onChange({ command: event.target.value })}
      />
      <TextArea
        label="Arguments"
        className="mono"
        rows={2}
        value={draft.args}
        hint="One a line."
        spellCheck={false}
        onChange={(event) => onChange({ args: event.target.value })}
      />
      <TextArea
        label="Variables"
        className="mono"
        rows={2}
        value={draft.env}
        error={errors.env}
        hint={`One a line: TICKETS_TOKEN=\${TICKETS_TOKEN}. ${KEY_HINT}`}
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
        label="Address"
        className="mono"
        value={draft.url}
        error={errors.url}
        hint="https://, or http:// on this computer."
        spellCheck={false}
        onChange={(event) => onChange({ url: event.target.value })}
      />
      <TextArea
        label="Headers"
        className="mono"
        rows={2}
        value={draft.headers}
        error={errors.headers}
        hint={`One a line: Authorization: Bearer \${DOCS_TOKEN}. ${KEY_HINT}`}
        spellCheck={false}
        onChange={(event) => onChange({ headers: event.target.value })}
      />
    </>
  )
}

const FROM = {
  entered: 'Entered. Leave it empty to keep it, unless the program or address changes.',
  environment: 'Comes from the environment. What is entered here goes before it.',
  missing: 'Not set yet.',
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
      <legend className="small m">Keys</legend>
      <p className="small t3">
        {keychain.available
          ? 'Sealed by the system’s keyring, for this server alone.'
          : 'Kept until Satchel closes: this computer has no keyring that Satchel can use.'}
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
