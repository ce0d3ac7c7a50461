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
import { words } from './tool-strings'

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
        <h3>{words.secretsPart.secrets}</h3>
        <span className="sp" />
        <Button small onClick={() => setEditing('new')}>
          {words.secretsPart.addSecret}
        </Button>
      </div>
      <p className="small t3 set-lead">{words.secretsPart.keysAndPasswordsThat}</p>
      {secrets && (
        <ul className="set-providers" aria-label={words.secretsPart.secrets}>
          {secrets.length === 0 && <li className="small t3">{words.secretsPart.thereIsNoneYet}</li>}
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
  ready: ['ok', words.secretsPart.ready],
  missing: ['warn', words.secretsPart.noValue],
  unreadable: ['bad', words.secretsPart.cantBeOpenedBy],
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
  const used =
    secret.lastUsedAt === null
      ? words.secretsPart.neverUsed
      : words.secretsPart.lastUsed(formatDay(secret.lastUsedAt, now))
  return (
    <li>
      <div className="set-provider">
        <div className="row">
          <code className="m">{secret.name}</code>
          <StatusMark tone={tone}>{word}</StatusMark>
          <span className="sp" />
          <Button small onClick={onChange}>
            {words.secretsPart.change}
            <span className="sr">{` ${secret.name}`}</span>
          </Button>
          <Button small onClick={onDelete}>
            {words.secretsPart.delete}
            <span className="sr">{` ${secret.name}`}</span>
          </Button>
        </div>
        <div className="small t2">{`${sourceWords(secret)}, ${used}`}</div>
        {secret.note !== '' && <div className="small t2">{visibleLine(secret.note)}</div>}
        {secret.grants.map((grant) => (
          <div key={grant.skillKey} className="row small">
            <span>
              {words.secretsPart.givenTo}
              <span className="mono">{visibleLine(grant.skillName)}</span>
              {words.secretsPart.untilOneOfIts(formatDay(grant.at, now))}
            </span>
            <span className="sp" />
            <Button small variant="quiet" onClick={() => onRevoke(grant.skillKey)}>
              {words.secretsPart.takeBack}
              <span className="sr">{words.secretsPart.from(visibleLine(grant.skillName))}</span>
            </Button>
          </div>
        ))}
      </div>
    </li>
  )
}

function sourceWords({ source, variable, last4 }: SecretView): string {
  const end = last4 === null ? '' : words.secretsPart.endsWith(last4)
  if (source === 'env') return words.secretsPart.fromSatchelsOwnVariable(variable)
  return source === 'memory' ? words.secretsPart.keptUntilSatchelIs(end) : words.secretsPart.inTheKeyring(end)
}
