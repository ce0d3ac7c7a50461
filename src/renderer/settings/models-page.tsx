import { useState } from 'react'
import type { ProviderView } from '@shared/domain/settings'
import { PROVIDER_PRESETS, type ProviderPreset } from '@shared/provider-presets'
import { visibleLine } from '@shared/visible-text'
import { api, messageOf } from '../api'
import { guarded } from '../shell/actions'
import { noteCheck, providerWord, useCheck } from '../stores/provider-checks'
import { refreshSettings } from '../stores/settings'
import { Button } from '../ui/button'
import { SelectField } from '../ui/field'
import { PlusIcon } from '../ui/icons'
import { StatusMark } from '../ui/marks'
import { Menu, MenuItem } from '../ui/menu'
import { Note } from '../ui/note'
import { LocalServers } from './local-servers'
import { NetworkRows, SpendingRows } from './model-rows'
import type { PageProps } from './pages'
import { ProviderForm } from './provider-form'
import { draftFromPreset, draftFromProvider, keyWords, modelChoices } from './provider-form-state'
import type { ProviderDraft } from './provider-form-state'
import { Page, Row, save } from './rows'
import { words } from './model-strings'

/** Who answers: the practice agent, and every provider that was set up. */
export function ModelsPage({ view }: PageProps) {
  const [draft, setDraft] = useState<ProviderDraft | null>(null)
  const keychain = view.keychain.available
  return (
    <Page title={words.modelsPage.models}>
      <Row name={words.modelsPage.defaultModel} hint={words.modelsPage.forNewChatsEach}>
        <SelectField
          label={words.modelsPage.defaultModel}
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
      <ProvidersHead onAdd={(preset) => setDraft(draftFromPreset(preset, keychain))} />
      {!keychain && <Note tone="info">{view.keychain.reason}</Note>}
      <ul className="set-providers" aria-label={words.modelsPage.providers}>
        {view.providers.map((provider) => (
          <li key={provider.id}>
            <ProviderRow
              provider={provider}
              onEdit={(offered) => setDraft(draftFromProvider(provider, offered))}
            />
          </li>
        ))}
      </ul>
      <LocalServers providers={view.providers} onAdd={setDraft} />
      <SpendingRows view={view} />
      <NetworkRows view={view} />
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

function ProvidersHead({ onAdd }: { onAdd: (preset: ProviderPreset) => void }) {
  return (
    <div className="row set-sub">
      <h3>{words.modelsPage.providers}</h3>
      <span className="sp" />
      <Menu
        align="end"
        trigger={
          <Button small icon={<PlusIcon size={14} />}>
            {words.modelsPage.addProvider}
          </Button>
        }
      >
        {PROVIDER_PRESETS.map((preset) => (
          <MenuItem key={preset.name} hint={preset.baseUrl} onSelect={() => onAdd(preset)}>
            {preset.name}
          </MenuItem>
        ))}
      </Menu>
    </div>
  )
}

/** Asks a provider, keeps the answer for the list, and gives the models that it offers. */
async function check(provider: ProviderView): Promise<string[]> {
  const result = await api
    .call('providers.check', { id: provider.id })
    .catch((error: unknown) => ({ ok: false, message: messageOf(error), models: [] }))
  noteCheck(provider, { ok: result.ok, message: result.message })
  return result.models
}

async function remove(id: string): Promise<void> {
  await api.call('providers.delete', { id })
  await refreshSettings()
}

function ProviderRow(props: { provider: ProviderView; onEdit: (offered: string[]) => void }) {
  const { provider, onEdit } = props
  const result = useCheck(provider)
  const [offered, setOffered] = useState<string[]>([])
  const [busy, setBusy] = useState(false)
  const practice = provider.kind === 'practice'
  const state = providerWord(provider, result)
  const checkNow = async (): Promise<void> => {
    setBusy(true)
    setOffered(await check(provider))
    setBusy(false)
  }
  return (
    <div className="set-provider" data-state={provider.state}>
      <div className="row">
        <span className="m">{visibleLine(provider.label)}</span>
        <StatusMark tone={state.tone}>{state.word}</StatusMark>
        <span className="sp" />
        {!practice && (
          <>
            <Button small unavailable={busy && words.modelsPage.checking} onClick={() => void checkNow()}>
              {words.modelsPage.check}
            </Button>
            <Button small onClick={() => onEdit(offered)}>
              {words.modelsPage.change}
            </Button>
            <Button small variant="quiet" onClick={() => void guarded(() => remove(provider.id))}>
              {words.modelsPage.remove}
            </Button>
          </>
        )}
      </div>
      <div className="small t3">
        {practice
          ? words.modelsPage.scriptedAndOfflineIt
          : [provider.baseUrl, words.modelsPage.model(provider.models.length), keyWords(provider)]
              .filter(Boolean)
              .join(', ')}
      </div>
      {result && (
        <output className="small set-check">
          <StatusMark tone={result.ok ? 'ok' : 'bad'}>{result.message}</StatusMark>
        </output>
      )}
    </div>
  )
}
