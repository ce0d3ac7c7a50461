import { defineStrings } from './catalogue'
import type { Scope } from './domain/skill'

/** Scopes as people read them (`ux.md` 2.1). */
export const SCOPE_NAMES: Readonly<Record<Scope, string>> = defineStrings('scopes', {
  enterprise: 'Enterprise',
  personal: 'Personal',
  project: 'Project',
  plugin: 'Plugin',
  bundled: 'Bundled',
  shared: 'Shared',
})
