import type { ProviderView, UnsavedProvider } from '@shared/domain/settings'
import { AppError } from '@shared/errors'
import type { AppDeps } from '../deps'
import type { Db } from '../../db/open'
import { createProviders } from '../../llm/provider-settings'
import type { ProviderConfig, Providers } from '../../llm/provider-settings'
import type { PolicyKeeper } from '../../policy/keeper'
import type { Policy } from '../../policy/policy-file'
import { organisationOf } from '../../policy/skill-policy'

/** Only providers that the policy lists are asked; the practice agent asks nobody and is always there. */
export function allowedProviders({ db, deps, policy }: ProviderDeps): Providers {
  const providers = createProviders({
    db,
    secrets: deps.secrets,
    env: deps.env,
    now: deps.now,
    ...(deps.command ? { forCommand: deps.command } : {}),
  })
  return onlyAllowed(providers, () => policy.now().policy)
}

interface ProviderDeps {
  db: Db
  deps: AppDeps
  policy: PolicyKeeper
}

export function onlyAllowed(providers: Providers, policy: () => Policy | null): Providers {
  const refused = (config: Pick<ProviderConfig, 'id' | 'kind' | 'baseUrl'>) => !isAllowed(policy(), config)
  const config = (id: string) => {
    const found = providers.config(id)
    return found && refused(found) ? null : found
  }
  return {
    ...providers,
    config,
    key: (id) => (config(id) ? providers.key(id) : null),
    list: () => providers.list().map((view) => labelled(view)),
    save(input) {
      mustBeAllowed(input)
      return providers.save(input)
    },
    unsaved(input) {
      mustBeAllowed(input)
      return providers.unsaved(input)
    },
  }

  function mustBeAllowed({ id, kind, baseUrl = '' }: UnsavedProvider): void {
    if (!refused({ id, kind, baseUrl })) return
    throw new AppError(
      'bad_input',
      `${organisationOf(policy())} does not allow this provider. Choose another.`,
    )
  }

  function labelled(view: ProviderView): ProviderView {
    if (view.kind === 'practice') return view
    const found = providers.config(view.id)
    if (!found || !refused(found)) return view
    return { ...view, label: `${view.label} (not allowed by ${organisationOf(policy())})` }
  }
}

/** An entry is an id or a kind, or an address in which a star stands for anything but a slash. */
export function isAllowed(
  policy: Pick<Policy, 'providers'> | null,
  { id, kind, baseUrl }: Pick<ProviderConfig, 'id' | 'kind' | 'baseUrl'>,
): boolean {
  const allow = policy?.providers?.allow
  if (!allow) return true
  return allow.some((entry) =>
    entry.includes('://') ? isAddress(entry, baseUrl) : isNamed(entry, { id, kind, baseUrl }),
  )
}

/** Its official servers by name: an address of one's own must be listed itself. */
const OFFICIAL: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com',
  google: 'https://generativelanguage.googleapis.com',
}

function isNamed(
  entry: string,
  { id, kind, baseUrl }: Pick<ProviderConfig, 'id' | 'kind' | 'baseUrl'>,
): boolean {
  if (entry !== kind && entry !== id) return false
  const official = OFFICIAL[kind]
  return (
    official === undefined || baseUrl === '' || baseUrl === official || baseUrl.startsWith(`${official}/`)
  )
}

function isAddress(entry: string, baseUrl: string): boolean {
  const escaped = entry.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/@]*')
  return new RegExp(`^${escaped}(?:/.*)?$`, 'i').test(baseUrl)
}
