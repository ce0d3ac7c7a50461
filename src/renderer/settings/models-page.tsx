import { useState } from 'react'
import type { ProviderView } from '@shared/domain/settings'
import { api, messageOf } from '../api'
import { refreshSettings } from '../stores/settings'
import { Button } from '../ui/button'
import { SelectField } from '../ui/field'
import { plural } from '../ui/format'
import { PlusIcon } from '../ui/icons'
import { StatusMark } from '../ui/marks'
import { Menu, MenuItem } from '../ui/menu'
import { Note } from '../ui/note'
import type { PageProps } from './pages'
import { ProviderForm } from './provider-form'
import { draftFromPreset, draftFromProvider, keyWords, modelChoices, PRESETS } from './provider-form-state'
import type { ProviderDraft } from './provider-form-state'
import { Page, Row, save } from './rows'

/** Who answers: the practice agent, and every provider that was set up. */
export function ModelsPage({ view }: PageProps) {
  const [draft, setDraft] = useState<ProviderDraft | null>(null)
  const keychain = view.keychain.available
  return (
    <Page title="Models">
      <Row name="Default model" hint="For new chats. Each chat can choose another.">
        <SelectField
          label="Default model"
          value={view.settings.defaultModel}
          onChange={(event) => save({ defaultModel: event.target.value })}
        >
          {modelChoices(view.providers, view.settings.defaultModel).map(([ref, label]) => (
            <option key={ref} value={ref}>
              {label}
            </option>
          ))}
        </SelectField>
      </Row>
      <div className="row set-sub">
        <h3>Providers</h3>
        <span className="sp" />
        <Menu
          align="end"
          trigger={
            <Button small icon={<PlusIcon size={14} />}>
              Add provider
            </Button>
          }
        >
          {PRESETS.map((preset) => (
            <MenuItem
              key={preset.name}
              hint={preset.baseUrl}
              onSelect={() => setDraft(draftFromPreset(preset, keychain))}
            >
              {preset.name}
            </MenuItem>
          ))}
        </Menu>
      </div>
      {!keychain && <Note tone="info">{view.keychain.reason}</Note>}
      <ul className="set-providers" aria-label="Providers">
        {view.providers.map((provider) => (
          <li key={provider.id}>
            <ProviderRow provider={provider} onEdit={() => setDraft(draftFromProvider(provider))} />
          </li>
        ))}
      </ul>
      {draft && (
        <ProviderForm
          key={`${draft.id}:${draft.label}:${draft.baseUrl}`}
          start={draft}
          view={view}
          onClose={() => setDraft(null)}
        />
      )}
    </Page>
  )
}

const STATE = {
  ready: { tone: 'ok', word: 'Ready' },
  'key-missing': { tone: 'warn', word: 'Key missing' },
  'key-unreadable': { tone: 'bad', word: 'Key can’t be read, enter it again' },
} as const

function ProviderRow({ provider, onEdit }: { provider: ProviderView; onEdit: () => void }) {
  const [result, setResult] = useState<{ ok: boolean; message: string } | null>(null)
  const [busy, setBusy] = useState(false)
  const practice = provider.kind === 'practice'
  const run = async (act: () => Promise<{ ok: boolean; message: string } | null>): Promise<void> => {
    setBusy(true)
    setResult(await act().catch((error: unknown) => ({ ok: false, message: messageOf(error) })))
    setBusy(false)
  }
  const check = () => run(() => api.call('providers.check', { id: provider.id }))
  const remove = () =>
    run(async () => {
      await api.call('providers.delete', { id: provider.id })
      await refreshSettings()
      return null
    })
  return (
    <div className="set-provider" data-state={provider.state}>
      <div className="row">
        <span className="m">{provider.label}</span>
        <StatusMark tone={STATE[provider.state].tone}>{STATE[provider.state].word}</StatusMark>
        <span className="sp" />
        {!practice && (
          <>
            <Button small unavailable={busy && 'Checking'} onClick={() => void check()}>
              Check
            </Button>
            <Button small onClick={onEdit}>
              Change…
            </Button>
            <Button small variant="quiet" onClick={() => void remove()}>
              Remove
            </Button>
          </>
        )}
      </div>
      <div className="small t3">
        {practice
          ? 'Scripted and offline: it tries out the real loop with your own skills, and never pretends to think.'
          : [provider.baseUrl, plural(provider.models.length, 'model', 'models'), keyWords(provider)]
              .filter(Boolean)
              .join(', ')}
      </div>
      {result && (
        <output className="small">
          <StatusMark tone={result.ok ? 'ok' : 'bad'}>{result.message}</StatusMark>
        </output>
      )}
    </div>
  )
}
