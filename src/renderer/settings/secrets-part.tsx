import { useCallback, useEffect, useState } from 'react'
import type { SecretView, SecretInput } from '@shared/domain/secret'
import type { SettingsView } from '@shared/domain/settings'
import { visibleLine } from '@shared/visible-text'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { Button } from '../ui/button'
import { formatDay } from '../ui/format'
import { StatusMark, type Tone } from '../ui/marks'
import { useNow } from '../ui/use-now'
import { SecretForm } from './secret-form'

/** Secrets by name, and which skills may have them; a value never comes back to the page. */
export function SecretsPart({ view }: { view: SettingsView }) {
  const [secrets, setSecrets] = useState<SecretView[] | null>(null)
  const [editing, setEditing] = useState<SecretView | 'new' | null>(null)
  const fetchAll = useCallback(async () => setSecrets(await api.call('secrets.list', {})), [])
  useEffect(() => void guarded(fetchAll), [fetchAll])
  const act = (work: () => Promise<unknown>) =>
    void guarded(async () => {
      await work()
      await fetchAll()
    })
  const save = async (input: SecretInput) => {
    await api.call('secrets.save', input)
    setEditing(null)
    await fetchAll()
  }
  return (
    <>
      <div className="row set-sub">
        <h3>Secrets</h3>
        <span className="sp" />
        <Button small onClick={() => setEditing('new')}>
          Add secret
        </Button>
      </div>
      <p className="small t3 set-lead">
        Keys and passwords that a skill may ask for by name. A script gets one only in a run that you allow,
        and never without being asked about. What it prints of them is taken out.
      </p>
      {secrets && (
        <ul className="set-providers" aria-label="Secrets">
          {secrets.length === 0 && <li className="small t3">There is none yet.</li>}
          {secrets.map((secret) => (
            <SecretRow
              key={secret.name}
              secret={secret}
              onChange={() => setEditing(secret)}
              onDelete={() => act(() => api.call('secrets.delete', { name: secret.name }))}
              onRevoke={(skillKey) => act(() => api.call('secrets.revoke', { name: secret.name, skillKey }))}
            />
          ))}
        </ul>
      )}
      {editing && (
        <SecretForm
          before={editing === 'new' ? null : editing}
          keychain={view.keychain}
          onSave={save}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  )
}

const STATES: Record<SecretView['state'], [Tone, string]> = {
  ready: ['ok', 'Ready'],
  missing: ['warn', 'No value'],
  unreadable: ['bad', 'Can’t be opened by this keyring'],
}

function SecretRow(props: {
  secret: SecretView
  onChange: () => void
  onDelete: () => void
  onRevoke: (skillKey: string) => void
}) {
  const { secret, onChange, onDelete, onRevoke } = props
  const now = useNow(60_000)
  const [tone, word] = STATES[secret.state]
  const used = secret.lastUsedAt === null ? 'never used' : `last used ${formatDay(secret.lastUsedAt, now)}`
  return (
    <li>
      <div className="set-provider">
        <div className="row">
          <code className="m">{secret.name}</code>
          <StatusMark tone={tone}>{word}</StatusMark>
          <span className="sp" />
          <Button small onClick={onChange}>
            Change<span className="sr">{` ${secret.name}`}</span>
          </Button>
          <Button small onClick={onDelete}>
            Delete<span className="sr">{` ${secret.name}`}</span>
          </Button>
        </div>
        <div className="small t2">{`${sourceWords(secret)}, ${used}`}</div>
        {secret.note !== '' && <div className="small t2">{visibleLine(secret.note)}</div>}
        {secret.grants.map((grant) => (
          <div key={grant.skillKey} className="row small">
            <span>
              Given to <span className="mono">{visibleLine(grant.skillName)}</span>
              {` ${formatDay(grant.at, now)}, until one of its files changes`}
            </span>
            <span className="sp" />
            <Button small variant="quiet" onClick={() => onRevoke(grant.skillKey)}>
              Take back<span className="sr">{` from ${visibleLine(grant.skillName)}`}</span>
            </Button>
          </div>
        ))}
      </div>
    </li>
  )
}

function sourceWords({ source, variable, last4 }: SecretView): string {
  const end = last4 === null ? '' : `, ends with ${last4}`
  if (source === 'env') return `From Satchel’s own variable ${variable ?? ''}`
  return source === 'memory' ? `Kept until Satchel is closed${end}` : `In the keyring${end}`
}
