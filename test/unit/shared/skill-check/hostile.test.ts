import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_PER_CODE } from '@shared/skill-check/report'
import { FOLDER_CODES } from '@shared/skill-check/rules'
import { check } from './skill-folder'

const codes = new Set<string>(FOLDER_CODES)
const path = fc.oneof(
  fc.constantFrom(
    'a.md',
    'A.md',
    'scripts/x.sh',
    'references/r.md',
    '.env',
    '../up',
    'a\\b',
    '',
    '/',
    'skill.md',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const snippet = fc.constantFrom(
  '[a](',
  ')',
  '[',
  ']',
  '<',
  '>',
  '`',
  '```\n',
  '#',
  '\n',
  '../',
  'scripts/',
  '.sh',
  '$1',
  '!`',
  '~/.claude/skills/',
  ' ',
  '-----BEGIN PRIVATE KEY-----\n',
  'sk-',
  '\r\n',
  '\u200b',
  '{',
  '|',
  '---\n',
  '%2e',
  '"',
)
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(snippet).map((parts) => parts.join('')),
)
const value = fc.oneof(fc.jsonValue(), fc.string())

describe('the compatible validator with hostile input', () => {
  it('never throws, only warns and informs, and stays bounded', () => {
    const sketch = fc.record({
      body: text,
      front: fc
        .dictionary(
          fc.constantFrom(
            'agent',
            'context',
            'model',
            'hooks',
            'metadata',
            'compatibility',
            'allowed-tools',
            'description',
          ),
          value,
        )
        .map((fields) =>
          Object.entries(fields).map(([key, content]) => `${key}: ${JSON.stringify(content)}`),
        ),
      files: fc.dictionary(path, fc.option(text)),
      links: fc.array(fc.record({ path, target: text, leaves: fc.boolean(), broken: fc.boolean() })),
      filesCut: fc.boolean(),
    })
    fc.assert(
      fc.property(sketch, (given) => {
        const found = check({
          ...given,
          environment: { hasProgram: () => false, hasVariable: () => false, interpreterFor: () => false },
        })
        expect(found.length).toBeLessThanOrEqual(codes.size * (MAX_PER_CODE + 1))
        for (const item of found) {
          expect(codes.has(item.code)).toBe(true)
          expect(item.severity).not.toBe('error')
          expect(item.line ?? 1).toBeGreaterThan(0)
          expect(item.column ?? 1).toBeGreaterThan(0)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('gives the same findings for the same input, whatever the order of the files', () => {
    const files = fc.dictionary(fc.stringMatching(/^[a-c]\.(md|sh)$/), text, { minKeys: 2 })
    fc.assert(
      fc.property(files, (given) => {
        const turned = Object.fromEntries(Object.entries(given).reverse())
        const sorted = (found: unknown[]) => found.map((item) => JSON.stringify(item)).sort()
        const lone = (found: ReturnType<typeof check>) =>
          found.filter(({ code }) => code !== 'file-names-alike' && code !== 'interpreter-missing')
        expect(sorted(lone(check({ files: turned })))).toEqual(sorted(lone(check({ files: given }))))
      }),
      { numRuns: 50 },
    )
  })

  it('lists a flood of one kind only up to its limit and counts the rest', () => {
    const body = Array.from({ length: 70 }, (_, n) => `[x](no-${n}.md)`).join('\n')
    const found = check({ body }).filter(({ code }) => code === 'link-target-missing')
    expect(found).toHaveLength(MAX_PER_CODE + 1)
    expect(found.at(-1)?.message).toBe('There are 50 more places of this kind.')
  })

  it('never prints a secret', () => {
    const rest = 'Zq8vN3xTb5Lk2Hs9Rw4Yc7Pd'
    const secrets = [
      `sk-${rest}Jm`,
      `ghp_${rest}MfGu1Ae6Vn0i`,
      `sk-ant-${rest}`,
      `postgres://anna:${rest}@db.internal/x`,
    ]
    const found = check({ files: { 'a.md': secrets.join('\n') } })
    expect(found.map(({ code, line }) => [code, line])).toEqual([1, 2, 3, 4].map((line) => ['secret', line]))
    expect(JSON.stringify(found)).not.toContain(rest.slice(0, 6))
  })

  it.each([
    ['open brackets', '['],
    ['open links', '[a]('],
    ['closed-open links', ']('],
    ['images', '![a](b.md '],
    ['backticks', '` '],
    ['backticks of many lengths', '` `` ``` '],
    ['tags', '<a href="'],
    ['headings', '# [a](\n'],
    ['setext lines', 'a\n-\n'],
    ['paths', 'scripts/'],
    ['dots', './../'],
    ['calls', 'python -u '],
    ['homes', '/home/ann/'],
    ['keys', 'sk-a'],
    ['tokens', 'eyJ.eyJ.'],
    ['addresses', 'a://b:'],
    ['zero-width spaces', 'a\u200b'],
    ['tag characters', '\u{E0041}'],
    ['marks', 'e\u0301\u0301\u0301\u0301\u0301\u0301'],
    ['private keys', '-----BEGIN PRIVATE KEY-----\n'],
    ['blanks', ' '],
    ['line ends', '\n'],
  ])('needs time that grows with the text, not with its square: 100 kB of %s', (_what, piece) => {
    const content = piece.repeat(Math.ceil(100_000 / piece.length))
    const start = performance.now()
    check({ body: content, files: { 'references/a.md': content, 'scripts/a.sh': content } })
    expect(performance.now() - start).toBeLessThan(25_000)
  })
})
