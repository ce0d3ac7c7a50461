import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeSkillMd, parseSkillMd } from '@shared/skill-md'
import { QUICK_TEXT, quickFront } from '@shared/skill-md/quick-front'
import { tries } from '../../../helpers/sample'
import { damaged, frontmatter, REAL } from './frontmatters'

const bytes = (text: string) => new TextEncoder().encode(text)

/** The same fields as the full parser reads them; null for what it takes for no text. */
function whole(text: string) {
  const decoded = decodeSkillMd(bytes(text))
  if (decoded.problem) return null
  const skill = parseSkillMd(decoded.text, { folderName: 'pdf' })
  const { name, label, description, disableModelInvocation, userInvocable, priority, broken } = skill
  return { name, label, description, disableModelInvocation, userInvocable, priority, broken }
}

const file = (yaml: string) => `---\n${yaml}\n---\nBody\n`

describe('the quick look at frontmatter', () => {
  it.each([
    ['plain texts', 'name: pdf\ndescription: Reads a:b and C#, it is - fine.'],
    ['texts in quotes', `name: 'pdf'\ndescription: "Says \\"hi\\"\\nand goes"`],
    ['single quotes written twice', "name: pdf\ndescription: 'Don''t guess'"],
    ['a text over several lines', 'name: pdf\ndescription: Reads\n  forms and\n   tables\nlicense: MIT'],
    ['a folded block', 'name: pdf\ndescription: >-\n  Reads\n  forms'],
    ['a literal block', 'name: pdf\ndescription: |\n  Reads\n  forms\nversion: 1.0'],
    ['a list and a map below', 'name: pdf\ndescription: d\ntags:\n- a\n- "b c"\nmetadata:\n  a: b\n  c: [d]'],
    ['JSON', 'name: pdf\ndescription: d\nmetadata: { "a": { "b": ["c", 1] } }'],
    ['flags', 'name: pdf\ndescription: d\nuser-invocable: false\ndisable-model-invocation: true'],
    ['a name that is no handle', 'name: PDF Forms\ndescription: d'],
    ['other scripts', 'name: pdf\ndescription: Füllt „Formulare“ 表 📦 aus'],
  ])('reads %s as the full parser does', (_what, yaml) => {
    expect(quickFront(file(yaml), 'pdf')).toEqual(whole(file(yaml)))
  })

  it('reads lines that end with CRLF', () => {
    const text = file(PLAIN[0]!).replaceAll('\n', '\r\n')
    expect(quickFront(text, 'pdf')).toEqual(whole(text))
  })

  it.each([
    ['a key that is there twice', 'name: pdf\ndescription: d\nlicense: a\nlicense: b'],
    ['a key that is there twice below', 'name: pdf\ndescription: d\nmetadata:\n  a: b\n  a: c'],
    ['a key that is there twice in braces', 'name: pdf\ndescription: d\nmetadata: {"a": 1, "a": 2}'],
    ['braces that are no JSON', 'name: pdf\ndescription: d\nmetadata: {"a": 1'],
    ['a colon in a plain text', 'name: pdf\ndescription: Use: always'],
    ['a comment', 'name: pdf\ndescription: d # why'],
    ['a name in another spelling', 'Name: pdf\ndescription: d'],
    ['limits on where it may be used', 'name: pdf\ndescription: d\nscope:\n  agents: [a]'],
    ['a priority', 'name: pdf\ndescription: d\npriority: 2'],
    ['a flag in another spelling', 'name: pdf\ndescription: d\nuser-invocable: no'],
    ['a text that is null', 'name: pdf\ndescription: null'],
    ['no description', 'name: pdf'],
    ['no name', 'description: d'],
    ['an anchor', 'name: pdf\ndescription: &a d'],
    ['a tab', 'name: pdf\ndescription: a\tb'],
    ['what is not UTF-8', 'name: pdf\ndescription: a\ufffdb'],
    ['a fence in a text', 'name: pdf\ndescription: |\n  ---\n  d'],
    ['frontmatter that does not end', 'name: pdf\ndescription: d'.padEnd(QUICK_TEXT, 'x')],
  ])('leaves %s to others', (_what, yaml) => {
    expect(quickFront(file(yaml).slice(0, QUICK_TEXT), 'pdf')).toBeNull()
  })

  it('never differs from the full parser, whatever the file is', () => {
    let read = 0
    const yaml = fc.oneof(frontmatter, damaged(REAL), damaged(PLAIN), fc.constantFrom(...REAL, ...PLAIN))
    fc.assert(
      fc.property(yaml, (fields) => {
        const text = file(fields)
        const front = quickFront(text, 'pdf')
        if (!front) return
        read += 1
        expect(front).toEqual(whole(text))
      }),
      { numRuns: tries(4000) },
    )
    expect(read).toBeGreaterThan(tries(4000) / 10)
  })

  it('ends soon for text that nearly fits', () => {
    const hostile = [
      `tags: [${'a  , '.repeat(150)}x:]`,
      `metadata: {${'"a": { '.repeat(140)}`,
      `description: '${"''".repeat(300)}'x`,
      `description: a${'\n  b c'.repeat(150)}: `,
    ]
    for (const line of hostile) {
      expect(quickFront(file(`name: pdf\n${line}`).slice(0, QUICK_TEXT), 'pdf')).toBeNull()
    }
  })
})

/** What the quick look is for. */
const PLAIN: readonly string[] = [
  'name: pdf\ndescription: Fills forms in PDF files, when asked.\nlicense: MIT\nversion: "1.0"\nauthor: Some One',
  'name: pdf\ndescription: "Says \\"no\\" at once"\ntags: [web, "ops x"]\nmetadata:\n  author: me\n  version: "1.8"',
  "name: pdf\ndescription: 'Don''t guess'\ntriggers:\n  - one thing\n  - 'two'\nrequires:\n  mcp: [rube]",
  'name: PDF Forms\ndescription: >-\n  Reads files\n  and tables\nmetadata: { "a": { "b": ["c"], "d": 1 } }\nuser-invocable: false',
  'name: pdf\ndescription: Reads files\n  and tables\nhomepage: https://example.org/x\ndisable-model-invocation: true',
]
