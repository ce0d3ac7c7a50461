import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { offeredTools, type ListedTool } from '../../../../src/main/mcp/tools'

const SERVER = { name: 'tickets', digest: 'd' }
const schema = { type: 'object', properties: {} }
const tool = (name: string, more: Partial<ListedTool> = {}): ListedTool => ({
  name,
  inputSchema: schema,
  ...more,
})
const offer = (...tools: ListedTool[]) => offeredTools(SERVER, tools)
const nested = (depth: number): Record<string, unknown> =>
  depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(depth - 1) } }

describe('offeredTools', () => {
  test('gives each tool a name that every provider takes', () => {
    expect(offer(tool('list.open tickets')).tools[0]).toMatchObject({
      name: 'mcp__tickets__list_open_tickets',
      tool: 'list.open tickets',
    })
  })

  test('offers none of those that would have one name', () => {
    const { tools, notes } = offer(tool('a.b'), tool('A_b'), tool('c'))
    expect(tools.map(({ tool: name }) => name)).toEqual(['c'])
    expect(notes).toHaveLength(2)
  })

  test.each([
    ['a name that is too long', tool('x'.repeat(60))],
    [
      'a schema that is too large',
      tool('a', { inputSchema: { ...schema, title: 1, enum: Array(9000).fill(1) } }),
    ],
    ['a schema without an end', tool('a', { inputSchema: nested(2000) })],
    ['parameters that are no object', tool('a', { inputSchema: { type: 'string' } })],
  ])('leaves out %s, and says so', (_, bad) => {
    const { tools, notes } = offer(bad, tool('fine'))
    expect(tools.map(({ tool: name }) => name)).toEqual(['fine'])
    expect(notes).toHaveLength(1)
  })

  test('takes so many tools and so much text of one server, and no more', () => {
    const many = Array.from({ length: 100 }, (_, at) => tool(`t${at}`))
    expect(offer(...many).tools).toHaveLength(64)
    const large = { ...schema, required: Array(2000).fill('abcd') }
    const heavy = Array.from({ length: 20 }, (_, at) => tool(`t${at}`, { inputSchema: large }))
    expect(JSON.stringify(offer(...heavy).tools.map((each) => each.schema)).length).toBeLessThan(101_000)
  })

  test('cuts the texts of a schema and drops what nobody sees', () => {
    const inputSchema = { ...schema, description: `a\u202eb\u0007${'x'.repeat(1000)}` }
    const text = offer(tool('a', { inputSchema })).tools[0]!.schema['description'] as string
    expect(text.startsWith('abxx')).toBe(true)
    expect(text).toHaveLength(500)
  })

  test('a tool whose description, schema or claims differ has another digest', () => {
    const variants = [
      tool('a'),
      tool('a', { description: 'b' }),
      tool('a', { inputSchema: { ...schema, required: [] } }),
      tool('a', { annotations: { readOnlyHint: true } }),
    ]
    expect(new Set(variants.map((each) => offer(each).tools[0]!.digest)).size).toBe(4)
  })

  test('whatever a server lists, names are legal and differ', () => {
    const listed = fc.record({ name: fc.string(), inputSchema: fc.constant(schema) })
    fc.assert(
      fc.property(fc.array(listed, { maxLength: 20 }), (tools) => {
        const names = offer(...tools).tools.map(({ name }) => name.toLowerCase())
        expect(new Set(names).size).toBe(names.length)
        for (const name of names) expect(name).toMatch(/^mcp__tickets__[a-z0-9_-]{0,50}$/)
      }),
    )
  })
})
