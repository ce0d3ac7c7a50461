import { useState } from 'react'
import type { LocalServer, ProviderView } from '@shared/domain/settings'
import { PROVIDER_PRESETS } from '@shared/provider-presets'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { Button } from '../ui/button'
import { draftFromPreset, type ProviderDraft } from './provider-form-state'
import { Row } from './rows'
import { words } from './model-strings'

/** Looks for model servers on this computer, when it is asked to and never by itself. */
export function LocalServers(props: {
  providers: readonly ProviderView[]
  onAdd: (draft: ProviderDraft) => void
}) {
  const [found, setFound] = useState<LocalServer[] | null>(null)
  const [busy, setBusy] = useState(false)
  const detect = async (): Promise<void> => {
    setBusy(true)
    await guarded(async () => setFound(await api.call('providers.detect', {})))
    setBusy(false)
  }
  return (
    <>
      <Row name={words.localServers.serversOnThisComputer} hint={words.localServers.asksTheUsualPorts}>
        <Button small unavailable={busy && words.localServers.looking} onClick={() => void detect()}>
          {words.localServers.detect}
        </Button>
      </Row>
      {found && (
        <ul className="set-providers" aria-label={words.localServers.serversFound}>
          {found.length === 0 && <li className="small t3">{words.localServers.noneOfThemAnswers}</li>}
          {found.map((server) => (
            <li key={server.baseUrl} className="row">
              <span className="m">{server.name}</span>
              <span className="small t3">
                {words.localServers.serverModelsLengthModel(server.baseUrl, server.models.length)}
              </span>
              <span className="sp" />
              <Button
                small
                unavailable={props.providers.some(isAt(server.baseUrl)) && words.localServers.itIsSetUp}
                onClick={() => props.onAdd(draftOf(server))}
              >
                {words.localServers.add}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function isAt(baseUrl: string) {
  return (provider: ProviderView) => provider.baseUrl === baseUrl
}

/** Its preset, with the models that it offers to choose from; a single one is chosen. */
function draftOf({ name, baseUrl, models }: LocalServer): ProviderDraft {
  const preset = PROVIDER_PRESETS.find((item) => item.baseUrl === baseUrl)
  const known = preset ?? { name, kind: 'openai-compatible' as const, baseUrl, needsKey: false, keyEnv: '' }
  return {
    ...draftFromPreset(known, false),
    models: models.length === 1 ? models.join() : '',
    offered: models,
  }
}
