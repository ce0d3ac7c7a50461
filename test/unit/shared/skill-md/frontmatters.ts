import * as fc from 'fast-check'

/** Scalars as people write them, and as they should not. */
const SCALARS = [
  'pdf',
  'Reads PDF files, and fills forms.',
  'MIT',
  'true',
  'False',
  'null',
  '~',
  '1.0',
  '007',
  '1.2.3',
  '0x1F',
  '0o17',
  '1e999',
  '.5',
  '.inf',
  '+12',
  '-3',
  '12345678901234567890',
  '2026-01-01',
  'yes',
  'a:b',
  'https://example.org/x#y',
  'Bash(git:*) Read',
  'Bash(git add *), Read',
  '"quoted"',
  '"with \\"escapes\\" and \\n"',
  '"with \\u00e9"',
  '"a\\/b"',
  '""',
  "'single'",
  "'it''s'",
  "''",
  '[Read, Glob]',
  '[]',
  '{}',
  '[a, "b", \'c\', 1, true, null]',
  '[Bash(git:*), x]',
  '{"a": 1, "b": {"c": [1, 2]}}',
  '{a: 1, b: x y}',
  '{"a":"b"}',
  '[[1], {x: y}]',
  'ends with space  ',
  'Größe – „so“ 技能 🎒',
  // Doubtful or wrong ones.
  'Use when: asked',
  'x # comment',
  '"x" # comment',
  'a #b',
  '@x',
  '`x`',
  ', x',
  '- x',
  '? x',
  '*x',
  '&x y',
  '!!str 1',
  '%x',
  '[a] [b]',
  '[a, b',
  '{"a": 1',
  '{a: }',
  '{a}',
  '[a,]',
  '[a: b]',
  '"open',
  "'open",
  '"a" b',
  '|',
  '>-',
  '>+',
  '|2',
  'x\ty',
  'a\u00a0b',
  'a\u0085b',
  'a:',
  ':a',
  '{"a" : 1}',
  '{"a":1,"a":2}',
  '{__proto__: 1}',
  '-',
]
const KEYS = [
  'name',
  'description',
  'license',
  'metadata',
  'allowed-tools',
  'version',
  'tags',
  'x.y',
  'true',
  'null',
  '_k',
  'constructor',
  '__proto__',
  '"quoted"',
  'Größe',
  '1',
  'a b',
  '<<',
]

const indent = fc.constantFrom('  ', '  ', '    ', ' ')
const good = fc.constantFrom(...SCALARS.slice(0, SCALARS.indexOf('Use when: asked')))
const scalar = fc.oneof(
  { weight: 30, arbitrary: good },
  { weight: 1, arbitrary: fc.constantFrom(...SCALARS) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
)
const key = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(...KEYS.slice(0, 12)) },
  { weight: 40, arbitrary: fc.stringMatching(/^[a-z]{1,3}$/) },
  { weight: 1, arbitrary: fc.constantFrom(...KEYS) },
)
const text = fc.constantFrom(
  'one line',
  'two: with colon',
  '# no comment',
  '- no item',
  '',
  'trailing ',
  '---',
)

const entry: fc.Arbitrary<string> = fc.oneof(
  { weight: 10, arbitrary: fc.tuple(key, scalar).map(([k, v]) => `${k}: ${v}`) },
  { weight: 1, arbitrary: key.map((k) => `${k}:`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(key, indent, fc.uniqueArray(fc.tuple(key, scalar), { maxLength: 4, selector: ([k]) => k }))
      .map(([k, i, pairs]) => [`${k}:`, ...pairs.map(([a, b]) => `${i}${a}: ${b}`)].join('\n')),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(key, fc.constantFrom('', '  ', '    '), fc.array(scalar, { maxLength: 4 }))
      .map(([k, i, items]) => [`${k}:`, ...items.map((item) => `${i}- ${item}`)].join('\n')),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        key,
        fc.constantFrom('|', '>', '|-', '>-', '>+', '|2'),
        indent,
        fc.array(text, { minLength: 1, maxLength: 5 }),
      )
      .map(([k, style, i, lines]) =>
        [`${k}: ${style}`, ...lines.map((line) => (line === '' ? '' : i + line))].join('\n'),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(key, scalar, fc.array(fc.tuple(indent, fc.oneof(scalar, text)), { minLength: 1, maxLength: 3 }))
      .map(([k, v, more]) => [`${k}: ${v}`, ...more.map(([i, line]) => i + line)].join('\n')),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(key, key, fc.constantFrom('  ', '      '), entryBelow())
      .map(([a, b, i, below]) => `${a}:\n  ${b}:\n${i}  ${below}`),
  },
  { weight: 1, arbitrary: fc.constantFrom('', '# a comment', '  # indented', '  ', 'a\n  b', '...', '- x') },
)

function entryBelow(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.tuple(key, scalar).map(([k, v]) => `${k}: ${v}`),
    scalar.map((v) => `- ${v}`),
  )
}

/** Frontmatter of a few fields, most of it plain and with keys that differ. */
export const frontmatter: fc.Arbitrary<string> = fc
  .uniqueArray(entry, { minLength: 1, maxLength: 7, selector: (line) => /^[^:\n]*/.exec(line)?.[0] })
  .map((entries) => entries.join('\n'))

/** Fields of which at least one line holds a slip that a repair of lines can cure. */
export const slippedFrontmatter: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(
      'description: Use when: asked',
      'argument-hint: [a] [b]',
      'description: @x y',
      'description: , x',
      'description: `pdf` files',
      'metadata: {"a": {"b": 1}',
      'metadata:\n  short: a: b\n  n: 1',
      'description: Reads files.\n  Use when: asked',
    ),
    frontmatter,
    fc.boolean(),
  )
  .map(([slip, other, first]) => (first ? `${slip}\n${other}` : `${other}\n${slip}`))

/** Real-looking frontmatter with some characters changed: mostly what no reader can use. */
export function damaged(originals: readonly string[]): fc.Arbitrary<string> {
  const change = fc.tuple(
    fc.nat(400),
    fc.nat(6),
    fc.constantFrom(
      '',
      '"',
      "'",
      '[',
      '}',
      ': ',
      '\n',
      '\n  ',
      '#',
      ' #',
      '- ',
      '&a ',
      '*a',
      '!',
      '|',
      '\t',
      '<<<<<<< x\n',
    ),
  )
  return fc
    .tuple(fc.constantFrom(...originals), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([original, changes]) =>
      changes.reduce((now, [at, remove, insert]) => {
        const place = at % (now.length + 1)
        return now.slice(0, place) + insert + now.slice(place + remove)
      }, original),
    )
}

/** Frontmatter as published skills have it. */
export const REAL: readonly string[] = [
  'name: pdf\ndescription: "Fills: forms in PDF files"\nallowed-tools: Read, Bash(git add *)\nlicense: MIT',
  'name: deploy\ndescription: >-\n  Deploys the site\n  to staging.\nmetadata:\n  tags: [web, ops]\n  owner: {team: web, on-call: true}\nrequires:\n  - pdf',
  'name: todo\ndescription: Lists tasks.\nhomepage: https://example.org/todo\nmetadata: {"openclaw":{"emoji":"✅","requires":{"bins":["todo"],"env":["TODO_KEY"]}}}',
  "name: zitat\ndescription: |\n  Findet Zitate – „genau so“.\n\n  Zweite Zeile.\nargument-hint: '[author]'\ndisable-model-invocation: true\nversion: 1.0",
  'name: review\ndescription: Use this skill when the user asks for a review\n  of a change, or before a merge.\nallowed-tools:\n- Read\n- Grep\n# who\nmetadata:\n  author: example\n  version: "1.2"',
]
