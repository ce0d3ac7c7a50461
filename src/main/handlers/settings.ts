import { done, type Part } from './part'
import type { Parts } from '../handlers'
import { checkProvider, checkUnsaved } from '../llm/check'
import { findLocalServers } from '../llm/local-servers'
import { checkNetworkChoices, createNetworkFetch } from '../llm/network-fetch'
import { createSettingsView } from '../app/settings-view'

/** Settings of the person, and the providers among them. */
export function settingHandlers(parts: Parts): Part<'settings' | 'providers' | 'window'> {
  const { deps, events, mcp, providers, registry, sessions, settings } = parts
  const view = createSettingsView(parts)
  const network = createNetworkFetch({ fetch: deps.fetch, env: deps.env, choices: settings.get })
  const changed = <T>(value: T): T => {
    events.emit({ t: 'settings.changed' })
    return value
  }
  return {
    'settings.get': () => view(),
    'window.setPlace': (place) => done(settings.place.set(place)),
    'settings.set': async (change) => {
      await checkNetworkChoices(change)
      const { defaultAgent } = settings.get()
      settings.set(change)
      if (change.defaultAgent !== undefined) await sessions.useDefaultAgent(defaultAgent)
      if (change.defaultModel !== undefined) sessions.useInEmptyChats(change.defaultModel)
      // What was turned off ends now.
      if (change.mcpOff !== undefined) mcp.view()
      if (change.projectOverPersonal !== undefined) registry.decide()
      if (change.writableTools !== undefined || change.interpreters !== undefined) await registry.refresh()
      return changed(view())
    },
    'providers.save': (input) => changed(recordProvider(parts, input.id, () => providers.save(input))),
    'providers.delete': ({ id }) => changed(done(recordProvider(parts, id, () => providers.remove(id)))),
    'providers.check': ({ id }) => checkProvider({ providers, fetch: network }, id),
    'providers.checkUnsaved': (input) => checkUnsaved({ providers, fetch: network }, input),
    'providers.detect': () => findLocalServers({ fetch: deps.fetch }),
  }
}

/** Where messages may be sent is a matter of safety; the key itself is never on record. */
function recordProvider<T>({ audit, providers }: Parts, id: string, change: () => T): T {
  const look = () => providers.list().find((view) => view.id === id) ?? null
  const before = look()
  const result = change()
  const after = look()
  const short = (view: typeof after) =>
    view && { kind: view.kind, baseUrl: view.baseUrl ?? null, models: view.models, keySource: view.keySource }
  const data = { before: short(before), after: short(after) }
  audit.append({ actor: 'person', action: 'provider.changed', sessionId: null, target: id, data })
  return result
}
