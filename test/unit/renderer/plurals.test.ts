import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { parseSync } from 'vite'
import { catalogue } from '../../../src/shared/catalogue'

/** A text with a number in it: where it stands, and what it takes. */
interface Counted {
  area: string
  path: string[]
  params: string[]
}

interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

const root = resolve(import.meta.dirname, '../../../src/renderer')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && readFileSync(join(root, name), 'utf8').includes('defineStrings('))
  .map((name) => join(root, name))
const sources = files.map((file) => readFileSync(file, 'utf8'))
const counted = files.flatMap((file, at) => countedIn(file, sources[at]!))
/** Words that go with one and with all other numbers, up to where they differ: "new entry", "new entries". */
const forms = sources.flatMap((text) =>
  [...text.matchAll(/one: '([^']+)',\s*other: '([^']+)'/g)].map(([, one, other]) =>
    untilDifferent(one!, other!),
  ),
)

beforeAll(async () => {
  await Promise.all(files.map((file) => import(file)))
})

test('there are texts with numbers and words that are counted', () => {
  expect(counted.length).toBeGreaterThan(80)
  expect(forms.length).toBeGreaterThan(40)
})

test.each(counted.map((one) => [`${one.area}: ${one.path.join('.')}`, one] as const))(
  '%s is said rightly of 0, 1 and 2',
  (_, one) => {
    for (const n of [0, 1, 2]) {
      const said = String(functionAt(one)(...one.params.map((type) => argument(type, n))))
      expect(wrongForms(said), said).toEqual([])
    }
  },
)

test.each([
  ['1 skills', ['1 skills']],
  ['2 skill, 1 file', ['2 skill']],
  ['0 new entry', ['0 new entry']],
  ['1 new entry of 2 files', []],
  ['11 skills', []],
  ['1 pixels', ['1 pixels']],
])('%j: %j', (said, wrong) => {
  expect(wrongForms(said)).toEqual(wrong)
})

/** "1 skills", "2 skill"; and any other word in -s after 1. */
function wrongForms(said: string): string[] {
  const wrong = forms.flatMap(({ one, other }) => [
    ...matches(said, `\\b1 ${other}\\b`),
    ...matches(said, `\\b[02] ${one}\\b(?! \\p{L}+s\\b)`),
  ])
  return [...new Set([...wrong, ...matches(said, '\\b1 (?!\\p{L}*(?:[mu]s|is|ss|was)\\b)\\p{L}+s\\b')])]
}

function matches(said: string, pattern: string): string[] {
  return [...said.matchAll(new RegExp(`(?<![\\d.,])${pattern}`, 'gu'))].map(([match]) => match)
}

function untilDifferent(one: string, other: string): { one: string; other: string } {
  const [ones, others] = [one.split(' '), other.split(' ')]
  const length = ones.findIndex((word, at) => word !== others[at]) + 1
  return { one: ones.slice(0, length).join(' '), other: others.slice(0, length).join(' ') }
}

function argument(type: string, n: number): unknown {
  if (/\bnumber\b/.test(type)) return n
  if (type === 'boolean') return true
  if (type.endsWith('[]')) return Array.from({ length: n }, () => 'pdf')
  return 'pdf'
}

function functionAt({ area, path }: Counted): (...values: unknown[]) => unknown {
  const words = path.reduce<unknown>(
    (at, name) => (at as Record<string, unknown>)[name],
    catalogue().get(area),
  )
  return words as (...values: unknown[]) => unknown
}

/** The functions of a catalogue that take a number or a list, and nothing but numbers, texts and lists. */
function countedIn(file: string, source: string): Counted[] {
  const found: Counted[] = []
  const visit = (node: unknown, area: string, path: string[]): void => {
    if (Array.isArray(node)) for (const one of node) visit(one, area, path)
    if (!isNode(node)) return
    if (node.type === 'CallExpression' && (node['callee'] as Node)['name'] === 'defineStrings') {
      const [name, words] = node['arguments'] as Node[]
      visit(words, String(name!['value']), [])
    } else if (node.type === 'Property' && area !== '') {
      const key = node['key'] as Node
      const value = node['value'] as Node
      const here = [...path, String(key['name'] ?? key['value'])]
      if (value.type === 'ArrowFunctionExpression') add(value, area, here)
      else visit(value, area, here)
    } else for (const value of Object.values(node)) visit(value, area, path)
  }
  const add = (value: Node, area: string, path: string[]): void => {
    const params = (value['params'] as Node[]).map((param) => {
      const type = (param['typeAnnotation'] as Node | null)?.['typeAnnotation'] as Node | undefined
      return param.type === 'Identifier' && type ? source.slice(type.start, type.end) : 'an object'
    })
    const isPlain = params.every((type) =>
      /^(number|string|boolean|null|undefined|readonly string\[\]|[ |])+$/.test(type),
    )
    if (isPlain && params.some((type) => /number|\[\]/.test(type))) found.push({ area, path, params })
  }
  visit(parseSync(file, source).program, '', [])
  return found
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}
