import { isWebAddress } from './about-fields'
import { booleanIn, listIn, mapIn, partOf, textIn, wordsIn } from './field-reader'

/** What `metadata.openclaw` says (`format.md` 3; 2.2 for its older names). Odd parts count as absent. */
export interface OpenclawFields {
  requires: {
    /** Programs, all of which are needed. */
    bins: string[]
    /** Programs, one of which is needed. */
    anyBins: string[]
    /** Names of variables of the environment. */
    env: string[]
    /** Settings of that tool; Satchel only shows them. */
    config: string[]
  }
  /** `darwin`, `linux`, `win32`; empty: every system. */
  os: string[]
  /** Its needs are not checked. */
  always: boolean
  /** The variable that takes the one key of the skill. */
  primaryEnv: string | undefined
  /** Names of further variables. */
  envVars: string[]
  skillKey: string | undefined
  emoji: string | undefined
  homepage: string | undefined
}

const DIALECTS = ['openclaw', 'clawdbot', 'moltbot', 'clawdis']

/** Undefined where the metadata has no such part. */
export function openclawFields(metadata: Record<string, unknown>): OpenclawFields | undefined {
  const key = DIALECTS.find((name) => Object.hasOwn(metadata, name))
  const own = key === undefined ? null : mapIn(metadata[key])
  if (!own) return undefined
  const requires = mapIn(partOf(own, 'requires')) ?? {}
  const names = (map: Record<string, unknown>, part: string) => wordsIn(partOf(map, part)) ?? []
  const homepage = textIn(partOf(own, 'homepage'))
  return {
    requires: {
      bins: names(requires, 'bins'),
      anyBins: names(requires, 'anyBins'),
      env: names(requires, 'env'),
      config: listIn(partOf(requires, 'config')) ?? [],
    },
    os: names(own, 'os').map((name) => SYSTEMS[name.toLowerCase()] ?? name.toLowerCase()),
    always: booleanIn(partOf(own, 'always')) ?? false,
    primaryEnv: textIn(partOf(own, 'primaryEnv')),
    envVars: envVars(partOf(own, 'envVars')),
    skillKey: textIn(partOf(own, 'skillKey')),
    emoji: textIn(partOf(own, 'emoji')),
    homepage: homepage !== undefined && isWebAddress(homepage) ? homepage : undefined,
  }
}

/** Everyday names of systems, as Node names them. */
const SYSTEMS: Readonly<Record<string, string>> = { macos: 'darwin', mac: 'darwin', windows: 'win32' }

/** Names, or maps with a `name`. */
function envVars(value: unknown): string[] {
  if (!Array.isArray(value)) return wordsIn(value) ?? []
  const items = value as unknown[]
  return items.flatMap((item) => {
    const name = textIn(mapIn(item)?.['name'] ?? item)
    return name === undefined ? [] : [name]
  })
}
