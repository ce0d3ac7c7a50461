import { assert, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_AGENT_FILE, parseAgent } from '../../../../src/main/agents/parse'
import type { ParsedAgent } from '../../../../src/main/agents/parse'

const read = (text: string, name = 'clerk'): ParsedAgent => parseAgent(Buffer.from(text), name)
const front = (yaml: string, name?: string): ParsedAgent =>
  read(`---\nname: clerk\ndescription: D\n${yaml}\n---\nYou are it.\n`, name)
const codes = ({ diagnostics }: ParsedAgent): string[] => diagnostics.map(({ code }) => code)

/** The example of `runtime.md` 5. */
const EXAMPLE = `---
name: document-clerk          # a-z 0-9 -, equals the file name
label: Document clerk
description: Fills and files forms
model: anthropic/claude-sonnet-4
fallback: ollama/qwen3:30b
thinking: low                 # off, low, medium, high
style: runtime                # section 4
uses_skills: [pdf-processing] # always loaded
skills: all                   # or a list of names
tools: {Write: ask, Bash: never, mcp__tickets: ask}
mode: ask                     # ask, every-time, never
limits: {steps: 40, minutes: 20, tokens: 400000, active_skills: 5}
subagents: [reviewer]
instructions: |               # overrides, sent last
  Answer in German.
---
You are the document clerk. …
`

describe("an agent's file", () => {
  it('is read as the format page shows it, without a problem', () => {
    const { frontmatter, ...agent } = read(EXAMPLE, 'document-clerk')
    expect(agent).toEqual({
      name: 'document-clerk',
      label: 'Document clerk',
      description: 'Fills and files forms',
      model: 'anthropic/claude-sonnet-4',
      fallback: 'ollama/qwen3:30b',
      thinking: 'low',
      style: 'runtime',
      usesSkills: ['pdf-processing'],
      skills: { only: null, tags: null, except: [] },
      tools: { Write: 'ask', Bash: 'never', mcp__tickets: 'ask' },
      mode: 'ask',
      limits: { steps: 40, minutes: 20, tokens: 400_000, activeSkills: 5 },
      subagents: ['reviewer'],
      role: 'You are the document clerk. …',
      overrides: 'Answer in German.',
      diagnostics: [],
      broken: false,
    })
    expect(frontmatter).toMatchObject({ name: 'document-clerk', thinking: 'low' })
  })

  it('keeps keys that it does not know', () => {
    expect(front('colour: red\nnested: {a: [1]}').frontmatter).toMatchObject({
      colour: 'red',
      nested: { a: [1] },
    })
  })

  it('needs no more than a name and a role', () => {
    const agent = read('---\nname: clerk\n---\nYou are it.')
    expect(agent).toMatchObject({ label: 'Clerk', model: null, tools: {}, mode: 'ask', broken: false })
    expect(codes(agent)).toEqual(['description-missing'])
  })

  it('has the name of its file, whatever it says itself', () => {
    const agent = front('', 'typist')
    expect(agent.name).toBe('typist')
    expect(agent.diagnostics[0]).toMatchObject({
      code: 'name-differs-from-file',
      severity: 'warning',
      line: 2,
    })
  })

  it.each<[string, string]>([
    ['all', 'skills: all'],
    ['all when left out', ''],
  ])('sees %s', (_what, yaml) => {
    expect(front(yaml).skills).toEqual({ only: null, tags: null, except: [] })
  })

  it.each<[string, ParsedAgent['skills']]>([
    ['skills: [a, b]', { only: ['a', 'b'], tags: null, except: [] }],
    ['skills: {except: [a]}', { only: null, tags: null, except: ['a'] }],
    ['skills: {tags: [pdf], except: a}', { only: null, tags: ['pdf'], except: ['a'] }],
    ['skills: {nothing: known}', { only: [], tags: null, except: [] }],
    ['skills: 7', { only: [], tags: null, except: [] }],
  ])('reads "%s"', (yaml, skills) => {
    expect(front(yaml).skills).toEqual(skills)
  })
})

describe('what an agent may do', () => {
  it.each(['Bash', 'bash', 'shell', 'sandbox_execute', 'scripts', 'skills_run_script'])(
    'is never allowed beforehand for %s',
    (tool) => {
      const agent = front(`tools: {${tool}: allow}`)
      expect(agent.tools).toEqual({ [tool]: 'ask' })
      expect(codes(agent)).toEqual(['tool-always-asks'])
    },
  )

  it('is as little as possible where a setting can not be understood', () => {
    expect(front('tools: {Write: nevr}').tools).toEqual({ Write: 'never' })
    expect(front('tools: 3').tools).toEqual({ '*': 'never' })
    expect(front('mode: nevr').mode).toBe('never')
  })

  it('is only what a list names, as other programs write it', () => {
    expect(front('tools: Read, Grep').tools).toEqual({ Read: 'ask', Grep: 'ask', '*': 'never' })
  })

  it('is limited as written, as much as could be meant where that is no number, and by the most where it is more', () => {
    const agent = front('limits: {steps: 3, minutes: 0.5, tokens: -1, active-skills: 11}')
    expect(agent.limits).toEqual({ steps: 3, minutes: 0.5, tokens: 1, activeSkills: 10 })
    expect(agent.diagnostics).toMatchObject([
      { code: 'wrong-type', message: expect.stringContaining('1 holds') },
      { code: 'wrong-type', message: expect.stringContaining('10 holds') },
    ])
    expect(front('limits: {steps: lots}').limits.steps).toBe(1)
  })

  it('makes one step a turn where its limits are no fields', () => {
    expect(front('limits: forty').limits).toMatchObject({ steps: 1, minutes: null })
  })

  it('takes a name like those that every object has for a tool', () => {
    expect(front('tools: {constructor: ask}').tools['toString']).toBeUndefined()
  })
})

describe('a file that can not be used', () => {
  it.each<[string, Buffer, string]>([
    ['has no frontmatter', Buffer.from('You are it.'), 'frontmatter-missing'],
    ['does not close it', Buffer.from('---\nname: clerk\nYou are it.'), 'frontmatter-not-closed'],
    ['holds broken YAML', Buffer.from('---\ntools: {Write: [\n---\nrole'), 'yaml-invalid'],
    ['is not UTF-8', Buffer.from([0x2d, 0xff, 0xfe]), 'not-utf8'],
    ['is binary', Buffer.from('---\0---'), 'not-utf8'],
    ['is too large', Buffer.alloc(MAX_AGENT_FILE + 1, 0x2d), 'too-large'],
  ])('%s', (_what, bytes, code) => {
    const agent = parseAgent(bytes, 'clerk')
    expect(agent.broken).toBe(true)
    expect(codes(agent)).toContain(code)
    expect(agent.diagnostics.every(({ fix }) => fix !== '')).toBe(true)
  })

  it.each(['Clerk', 'my clerk', '-clerk', 'a--b', 'clérk', 'a'.repeat(65)])('is called "%s"', (name) => {
    expect(front('', name)).toMatchObject({ broken: true })
  })

  it('never makes the reader throw', () => {
    assert(
      property(string({ unit: 'binary' }), string(), (yaml, name) => {
        const agent = read(`---\n${yaml}\n---\nrole`, name)
        return (
          Array.isArray(agent.diagnostics) && Object.values(agent.tools).every((set) => set !== undefined)
        )
      }),
    )
  })
})
