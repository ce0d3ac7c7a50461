import type { ProviderView } from '@shared/domain/settings'
import { ModelRef } from '@shared/domain/settings'
import { AppError } from '@shared/errors'
import { PROVIDER_PRESETS } from '@shared/provider-presets'
import { effectiveBaseUrl } from '../../main/llm/base-url'
import { presetId, type OneOffProvider } from '../../main/llm/command-providers'
import { wrongUse } from '../grammar/command'
import type { Given } from '../grammar/command'

const TYPE = 'satchel chat --help'
const ANY_SERVER = 'openai-compatible'

/** The server that `--base-url` names; null without it. Throws wrong use. */
export function oneOffProvider({ values }: Given): OneOffProvider | null {
  const address = values.get('base-url')
  if (address === undefined) return null
  const id = values.get('provider') ?? ANY_SERVER
  const preset = PROVIDER_PRESETS.find((one) => presetId(one) === id)
  if (!preset) {
    const ids = PROVIDER_PRESETS.map(presetId).join(', ')
    throw wrongUse(
      `With --base-url, --provider says how the server is spoken to. It is one of: ${ids}.`,
      TYPE,
    )
  }
  return { id, kind: preset.kind, baseUrl: checkedAddress(preset.kind, address) }
}

function checkedAddress(kind: OneOffProvider['kind'], address: string): string {
  try {
    return effectiveBaseUrl(kind, address)
  } catch (error) {
    if (error instanceof AppError) throw wrongUse(`--base-url can't be used. ${error.message}`, TYPE)
    throw error
  }
}

/** The model that was asked for; undefined: the agent's own, or that of the chat. Throws wrong use. */
export function wantedModel({ values }: Given, providers: readonly ProviderView[]): ModelRef | undefined {
  const model = values.get('model')
  const id = values.get('provider') ?? (values.has('base-url') ? ANY_SERVER : undefined)
  if (id === undefined) return model === undefined ? undefined : withProvider(model, providers)
  if (!isKnown(id, providers)) {
    const known = [...new Set([...providers.map((one) => one.id), ...PROVIDER_PRESETS.map(presetId)])]
    throw wrongUse(`There is no provider "${id}". There are: ${known.join(', ')}.`, TYPE)
  }
  const name = model ?? providers.find((one) => one.id === id)?.models[0]
  if (name === undefined) throw wrongUse(`Say which model of ${id}: --model <model>.`, TYPE)
  return name.startsWith(`${id}/`) ? name : `${id}/${name}`
}

/** `provider/model` as it is; a model alone where one provider has it. */
function withProvider(model: string, providers: readonly ProviderView[]): ModelRef {
  const [first = ''] = model.split('/')
  if (model.includes('/') && isKnown(first, providers) && ModelRef.safeParse(model).success) return model
  const having = providers.filter(({ models }) => models.includes(model))
  if (having.length === 1) return `${having[0]!.id}/${model}`
  throw wrongUse(
    having.length > 1
      ? `Several providers have ${model}: ${having.map(({ id }) => id).join(', ')}. Say which: --provider <id>.`
      : `No provider is known to have ${model}. Say which one does: --provider <id>.`,
    TYPE,
  )
}

function isKnown(id: string, providers: readonly ProviderView[]): boolean {
  return providers.some((one) => one.id === id) || PROVIDER_PRESETS.some((one) => presetId(one) === id)
}
