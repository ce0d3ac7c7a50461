import { cutText } from '../../lib/well-formed'
import { escapeLine } from '../instructions/escape'
import { typeName } from './tool'

/**
 * What is wrong with the arguments of a call by the schema that its server listed, in the words of S4, "Error
 * Handling"; null: nothing. Types and what is required are looked at, in every depth; all else is the server's to say.
 */
export function wrongArgument(schema: unknown, value: unknown, path: readonly string[] = []): string | null {
  if (!isRecord(schema)) return null
  const types = typesOf(schema['type'])
  if (types.length > 0 && !types.some((type) => isOf(type, value))) {
    const said = `Invalid parameter type: expected ${types.join(' or ')}, got ${typeName(value)}`
    return path.length === 0 ? said : `${said} for "${named(path)}"`
  }
  if (Array.isArray(value)) return wrongItem(schema['items'], value, path)
  return isRecord(value) ? wrongProperty(schema, value, path) : null
}

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']
const MAX_NAME = 200

/** Empty when the schema names none, or one that is not known: then every value is right. */
function typesOf(type: unknown): string[] {
  const types: unknown[] = Array.isArray(type) ? type : [type]
  const known = types.filter((one): one is string => TYPES.includes(one as string))
  return known.length === types.length ? known : []
}

function isOf(type: string, value: unknown): boolean {
  const given = typeName(value)
  return given === type || (type === 'number' && given === 'integer')
}

function wrongProperty(
  { required, properties }: Record<string, unknown>,
  value: Record<string, unknown>,
  path: readonly string[],
): string | null {
  const wanted = (Array.isArray(required) ? required : []).filter((name) => typeof name === 'string')
  const missing = wanted.find((name) => !Object.hasOwn(value, name))
  if (missing !== undefined) return `Missing required parameter: ${named([...path, missing])}`
  if (!isRecord(properties)) return null
  return first(Object.keys(properties), (name) =>
    Object.hasOwn(value, name) ? wrongArgument(properties[name], value[name], [...path, name]) : null,
  )
}

function wrongItem(items: unknown, value: readonly unknown[], path: readonly string[]): string | null {
  return first([...value.keys()], (at) => wrongArgument(items, value[at], [...path, String(at)]))
}

function first<T>(all: readonly T[], wrong: (one: T) => string | null): string | null {
  for (const one of all) {
    const said = wrong(one)
    if (said !== null) return said
  }
  return null
}

/** Names are the server's and the model's. */
function named(path: readonly string[]): string {
  return escapeLine(cutText(path.join('.'), MAX_NAME))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
