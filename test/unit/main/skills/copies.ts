import type { PrecedenceRules } from '../../../../src/main/skills/precedence'
import type { RootSpec, SkillRecord } from '../../../../src/main/skills/record'

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
  return {
    ...at,
    key: `${at.scope}:${rootDir}`,
    name: 'pdf',
    description: 'A sample.',
    rootDir,
    folder: rootDir.split('/').at(-1)!,
    root: { ...rootFor(at), ...root },
    skillMd: `${rootDir}/SKILL.md`,
    location: rootDir,
    label: '',
    tags: [],
    allowedTools: [],
    author: undefined,
    license: undefined,
    requires: [],
    disableModelInvocation: false,
    userInvocable: true,
    priority: 0,
    availableTo: null,
    parent: null,
    tokens: { catalogue: 1, body: 1, files: 0 },
    scripts: 0,
    files: 1,
    changedAt: 0,
    stamp: '',
    problems: 0,
    brokenReason: '',
    broken: false,
    unread: false,
    ...rest,
  }
}

/** Rules under which nothing but the order of the scopes decides. */
export const PLAIN_RULES: PrecedenceRules = {
  projectOverPersonal: false,
  trusted: () => true,
  pin: () => null,
  off: () => null,
  place: { tenant: null, environment: null, agent: null },
}

function rootFor(at: (typeof PLACES)[CopyPlace]): RootSpec {
  return {
    ...at,
    dir: '/',
    containIn: null,
    label: '/',
    nearness: 0,
    readOnly: false,
    tool: null,
    plugin: null,
    mountedAs: null,
  }
}
