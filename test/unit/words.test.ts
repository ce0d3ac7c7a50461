import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { looseWords } from '../helpers/loose-words'

const root = resolve(import.meta.dirname, '../../src/renderer')
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.tsx?$/.test(name))

function wordsOf(file: string, text: string): string[] {
  return looseWords(file, text).map(({ line, words }) => `${line}: ${words}`)
}

test.each([
  ['<p>Nothing here</p>', 'Nothing here'],
  ['<p>{count} skills</p>', 'skills'],
  ['<Button label="Undo" />', 'Undo'],
  ["<Button label={on ? 'off' : all.on} />", 'off'],
  ['<input placeholder="name" />', 'name'],
  ['<ul aria-label={`Copies of ${name}`} />', 'Copies of'],
  ["<p>{on && 'off'}</p>", 'off'],
  ["<Row name='All agents' />", 'All agents'],
  ["const NAMES = { light: 'Light' }", 'Light'],
  ["announce('Link copied')", 'Link copied'],
  ["const text = 'no chat yet'", 'no chat yet'],
  ['const text = `${n} more`', 'more'],
  ["const text = plural(n, { one: 'file', other: 'files' })", 'file'],
])('%j holds a word', (text, words) => {
  expect(wordsOf('a.tsx', text)).toContain(`1: ${words}`)
})

test.each([
  '<p className="small t3">{words.title}</p>',
  '<div className={`row ${tone} wide`} role="grid" data-pane="list of it" />',
  "<Button variant={on ? 'solid' : 'quiet'} shortcut=\"Escape\" />",
  "if (event.key === 'Enter' || kind === 'Not found') stop()",
  "switch (key) { case 'Home': stop() }",
  "type Kind = 'One thing' | 'Another'",
  "element.querySelector('a[href], button:not([disabled])')",
  "clsx('small wide', { 'is on': on })",
  'const width = `${n}px`',
  '<a href="https://example.org/a">{address}</a>',
  "const words = defineStrings('an area', { title: 'All skills', of: (n: number) => `${n} skills` })",
])('%j holds none', (text) => {
  expect(wordsOf('a.tsx', text)).toEqual([])
})

test('two parts of the window never share a name in the catalogue', () => {
  const names = sources.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/defineStrings\('([^']+)'/g)].map(([, name]) => name),
  )
  expect(names.length).toBeGreaterThan(10)
  expect(new Set(names).size).toBe(names.length)
})

test('numbers and dates are written in one place, by the language of the texts', () => {
  const others = sources.filter(
    (file) =>
      file !== 'ui/format.ts' &&
      /\bIntl\.(Number|DateTime|Plural)|\.toLocale(Date|Time)?String\(/.test(
        readFileSync(join(root, file), 'utf8'),
      ),
  )
  expect(others).toEqual([])
})
