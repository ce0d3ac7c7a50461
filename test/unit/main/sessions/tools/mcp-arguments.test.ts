import { assert, jsonValue, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wrongArgument } from '../../../../../src/main/sessions/tools/mcp-arguments'

const SCHEMA = {
  type: 'object',
  required: ['path'],
  properties: {
    path: { type: 'string' },
    size: { type: 'number' },
    count: { type: 'integer' },
    note: { type: ['string', 'null'] },
    any: true,
    other: { $ref: '#/x' },
    owner: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
    tags: { type: 'array', items: { type: 'string' } },
  },
}

describe('wrongArgument (S4, "Error Handling")', () => {
  test.each([
    [{}, 'Missing required parameter: path'],
    [{ path: 5 }, 'Invalid parameter type: expected string, got integer for "path"'],
    [{ path: 'a', count: 1.5 }, 'Invalid parameter type: expected integer, got number for "count"'],
    [{ path: 'a', note: 1 }, 'Invalid parameter type: expected string or null, got integer for "note"'],
    [{ path: 'a', owner: {} }, 'Missing required parameter: owner.id'],
    [{ path: 'a', tags: ['x', {}] }, 'Invalid parameter type: expected string, got object for "tags.1"'],
    [[], 'Invalid parameter type: expected object, got array'],
  ])('%j: %s', (input, said) => {
    expect(wrongArgument(SCHEMA, input)).toBe(said)
  })

  test.each([
    { path: 'a' },
    { path: 'a', size: 2, count: 2, note: null, any: 1, other: [], owner: { id: 1 }, tags: [], more: 1 },
  ])('has nothing against %j', (input) => {
    expect(wrongArgument(SCHEMA, input)).toBeNull()
  })

  test('does not take what every object has for a parameter that was given', () => {
    expect(wrongArgument({ required: ['constructor'] }, {})).toContain('constructor')
  })

  test('never throws, whatever a server lists and a model gives', () => {
    assert(
      property(jsonValue(), jsonValue(), (properties, given) => {
        wrongArgument({ type: 'object', required: properties, properties, items: properties }, given)
        wrongArgument(properties, given)
      }),
    )
  })
})
