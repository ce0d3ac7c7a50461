import { describe, expect, it } from 'vitest'
import { findEntries, MOST_SHOWN } from '../../../../src/renderer/palette/find-entries'
import type { PaletteEntry } from '../../../../src/renderer/palette/find-entries'

const entry = (kind: PaletteEntry['kind'], name: string, more: Partial<PaletteEntry> = {}): PaletteEntry => ({
  id: `${kind}:${name}`,
  kind,
  name,
  where: '',
  actions: [{ label: 'Open', run: () => undefined }],
  ...more,
})

const entries = [
  entry('request', 'Run fill.py?'),
  entry('chat', 'About PDFs'),
  entry('skill', 'pdf-processing'),
  entry('skill', 'pdf-old', { dimmed: true }),
  entry('command', 'Stop'),
  entry('setting', 'Models'),
]
const names = (typed: string, recent: string[] = []) =>
  findEntries(entries, typed, recent).shown.map(({ entry: { name } }) => name)

describe('what the palette finds', () => {
  it('is everything in groups while nothing is typed, what was used last first', () => {
    const { shown, count } = findEntries(entries, '', ['setting:Models', 'chat:gone'])
    expect(shown.map(({ entry: { name }, heading }) => [heading, name])).toEqual([
      ['Used last', 'Models'],
      ['Waiting for you', 'Run fill.py?'],
      ['Chats', 'About PDFs'],
      ['Skills', 'pdf-processing'],
      [undefined, 'pdf-old'],
      ['Commands', 'Stop'],
    ])
    expect(count).toBe(6)
  })

  it('is the best match first, with copies that are not used further down', () => {
    expect(names('pdf')).toEqual(['pdf-processing', 'pdf-old', 'About PDFs'])
  })

  it('puts what was used last before its equals', () => {
    expect(names('pdf', ['skill:pdf-old'])[0]).toBe('pdf-old')
  })

  it.each([
    ['@pdf', ['pdf-processing', 'pdf-old']],
    ['#', ['About PDFs']],
    ['!fill', ['Run fill.py?']],
    ['> st', ['Stop']],
    [':mod', ['Models']],
    ['@stop', []],
  ])('narrows to one kind: %s', (typed, found) => {
    expect(names(typed)).toEqual(found)
  })

  it('shows some of very many and counts them all', () => {
    const many = Array.from({ length: 500 }, (_one, n) => entry('skill', `skill-${n}`))
    const { shown, count } = findEntries(many, 'skill', [])
    expect([shown.length, count]).toEqual([MOST_SHOWN, 500])
  })
})
