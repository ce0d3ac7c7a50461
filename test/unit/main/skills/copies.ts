import { basename } from 'node:path'
import type { PrecedenceRules } from '../../../../src/main/skills/registry/precedence'
import type { RootSpec, SkillRecord } from '../../../../src/main/skills/record'
import { recordFor, rootFor } from './support'

/** Where a copy lies, for what only needs to know that. */
export const PLACES = {
  enterprise: { scope: 'enterprise', sharedIn: null, projectDir: null },
  personal: { scope: 'personal', sharedIn: null, projectDir: null },
  'shared personal': { scope: 'shared', sharedIn: 'personal', projectDir: null },
  project: { scope: 'project', sharedIn: null, projectDir: '/prj' },
  'shared project': { scope: 'shared', sharedIn: 'project', projectDir: '/prj' },
  plugin: { scope: 'plugin', sharedIn: null, projectDir: null },
  bundled: { scope: 'bundled', sharedIn: null, projectDir: null },
} as const
export type CopyPlace = keyof typeof PLACES

export type CopyChange = Partial<Omit<SkillRecord, 'root'>> & { root?: Partial<RootSpec> }

/** A record as a scan would give it. */
export function copyFor(place: CopyPlace, rootDir: string, change: CopyChange = {}): SkillRecord {
  const at = PLACES[place]
  const { root, ...rest } = change
  return recordFor(rootDir, {
    ...at,
    key: `${at.scope}:${rootDir}`,
    name: 'pdf',
    folder: basename(rootDir),
    location: rootDir,
    root: rootFor('/', { ...at, label: '/', ...root }),
    ...rest,
  })
}

/** Rules under which nothing but the order of the scopes decides. */
export const PLAIN_RULES: PrecedenceRules = {
  projectOverPersonal: false,
  trusted: () => true,
  pin: () => null,
  off: () => null,
  place: { tenant: null, environment: null, agent: null },
}
