import { z } from 'zod'
import { canonicalJson } from '@shared/canonical-json'
import type { Db } from '../db/open'
import { readSetting, writeSetting } from '../db/setting-rows'
import { sha256 } from '../lib/hash'
import type { ServerDefinition } from './definitions'

/**
 * Values of the variables that definitions name, as a person entered them: sealed by the keyring, else in memory until
 * the end of this run. Never in the file (KEY-1), and only for what they were entered for: another program or address
 * under the same name gets none (KEY-3).
 */
export interface McpKeys {
  of(definition: ServerDefinition): Record<string, string>
  /** Beside those that are there for the same target; those of another one are forgotten. */
  set(definition: ServerDefinition, values: Readonly<Record<string, string>>): void
  remove(name: string): void
}

interface Sealing {
  available: boolean
  seal(text: string): Buffer
  open(sealed: Buffer): string
}

interface Context {
  db: Db
  secrets: Sealing
  /** By server and target; what the keyring gave is kept here too, so that it is asked once. */
  known: Map<string, Record<string, string>>
}

const SETTING = 'mcp-keys'
const Stored = z.record(
  z.string(),
  z.object({ target: z.string(), values: z.record(z.string(), z.string()) }),
)
type Stored = z.infer<typeof Stored>

export function createMcpKeys(parts: Pick<Context, 'db' | 'secrets'>): McpKeys {
  const context: Context = { ...parts, known: new Map() }
  return {
    of: (definition) => valuesOf(context, definition),
    set: (definition, values) => set(context, definition, values),
    remove(name) {
      const { [name]: _gone, ...others } = stored(context)
      write(context, others)
      forget(context, name)
    },
  }
}

/** What keys are entered for. */
function targetOf(definition: ServerDefinition): string {
  const { kind } = definition
  const target = kind === 'http' ? [definition.url] : [definition.command, ...definition.args]
  return sha256(canonicalJson([kind, ...target]))
}

function valuesOf(context: Context, definition: ServerDefinition): Record<string, string> {
  const target = targetOf(definition)
  const key = `${definition.name} ${target}`
  const known = context.known.get(key)
  if (known) return known
  const row = stored(context)[definition.name]
  const values = row?.target === target ? opened(context, row.values) : {}
  context.known.set(key, values)
  return values
}

function set(context: Context, definition: ServerDefinition, values: Readonly<Record<string, string>>): void {
  const { name } = definition
  const all = { ...valuesOf(context, definition), ...values }
  const target = targetOf(definition)
  const { [name]: _before, ...others } = stored(context)
  if (context.secrets.available && Object.keys(all).length > 0) {
    const sealed = Object.entries(all).map(([variable, value]) => [
      variable,
      context.secrets.seal(value).toString('base64'),
    ])
    write(context, { ...others, [name]: { target, values: Object.fromEntries(sealed) } })
  } else write(context, others)
  forget(context, name)
  context.known.set(`${name} ${target}`, all)
}

function forget({ known }: Context, name: string): void {
  for (const key of known.keys()) if (key.startsWith(`${name} `)) known.delete(key)
}

/** What another keyring sealed is asked for again. */
function opened({ secrets }: Context, values: Readonly<Record<string, string>>): Record<string, string> {
  const all = Object.entries(values).flatMap(([variable, sealed]) => {
    try {
      return [[variable, secrets.open(Buffer.from(sealed, 'base64'))] as const]
    } catch {
      return [] // as if it had not been entered: the server says which variable is missing
    }
  })
  return Object.fromEntries(all)
}

function stored({ db }: Context): Stored {
  return readSetting(db.sql, SETTING, Stored, {})
}

function write(context: Context, values: Stored): void {
  context.db.durable(() => writeSetting(context.db.sql, SETTING, values))
}
