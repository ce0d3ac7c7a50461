import { listIn, mapIn, note, text, textIn, valueOf } from './field-reader'
import type { FieldReader } from './field-reader'

/** What a skill says of itself, shown on its page. Nothing is decided by it. */
export interface AboutFields {
  /** Else `metadata.version`, where most files have it. */
  version: string | undefined
  /** Else `metadata.author`; of a map its `name`. */
  author: string | undefined
  homepage: string | undefined
  /** Where it was taken from. */
  source: string | undefined
  category: string | undefined
  /** What it needs in the words of its author, one entry each: packages, programs. */
  dependencies: string[]
}

export function aboutFields(reader: FieldReader, metadata: Record<string, unknown>): AboutFields {
  const inMetadata = (key: string) => (Object.hasOwn(metadata, key) ? textIn(metadata[key]) : undefined)
  return {
    version: text(reader, 'version') ?? inMetadata('version'),
    author: author(reader) ?? inMetadata('author'),
    homepage: homepage(reader),
    source: textIn(valueOf(reader, 'source')),
    category: textIn(valueOf(reader, 'category')) ?? inMetadata('category'),
    dependencies: dependencies(valueOf(reader, 'dependencies')),
  }
}

function author(reader: FieldReader): string | undefined {
  const map = mapIn(valueOf(reader, 'author'))
  return map ? textIn(map['name']) : text(reader, 'author')
}

/** Only an address that a browser may open. */
function homepage(reader: FieldReader): string | undefined {
  const found = text(reader, 'homepage')
  if (found === undefined || isWebAddress(found)) return found
  note(reader, 'info', 'homepage', [
    'homepage-not-web',
    `"homepage" is no web address and is not offered as a link: "${found}".`,
    'Write it with "https://".',
  ])
  return undefined
}

/** True for an http or https address without white space. */
export function isWebAddress(address: string): boolean {
  return /^https?:\/\/[^\s/]+\S*$/i.test(address)
}

/** A text is split at commas; a map such as `{python: [pdf]}` gives its keys. */
function dependencies(value: unknown): string[] {
  const map = mapIn(value)
  if (map) return Object.keys(map)
  return listIn(typeof value === 'string' ? value.split(',') : value) ?? []
}
