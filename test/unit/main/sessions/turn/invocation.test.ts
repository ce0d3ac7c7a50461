import { describe, expect, test } from 'vitest'
import { readInvocations } from '../../../../../src/main/sessions/turn/invocation'
import type { Resolved } from '../../../../../src/main/skills/registry/resolve'
import type { SkillRecord } from '../../../../../src/main/skills/record'

const CALLABLE = ['jam', 'deploy', 'jam@project']
const resolve = (name: string): Resolved => {
  const record = { name, userInvocable: name !== 'internal' } as SkillRecord
  if (CALLABLE.includes(name) || name === 'internal') return { ok: true, record }
  const code = name === 'theirs' ? 'not_trusted' : 'not_found'
  return { ok: false, code, message: 'Not trusted.', nearest: [] }
}
const found = (text: string) => readInvocations(text, resolve).found
const note = (text: string) => readInvocations(text, resolve).note

describe('readInvocations', () => {
  test.each([
    ['/jam', [{ name: 'jam' }]],
    ['/jam 3 kg "red plums"', [{ name: 'jam', args: '3 kg "red plums"' }]],
    ['/jam\nfrom the cellar', [{ name: 'jam', args: 'from the cellar' }]],
    ['  /jam  ', [{ name: 'jam' }]],
    ['/jam@project x', [{ name: 'jam@project', args: 'x' }]],
    ['cook with @jam, please', [{ name: 'jam' }]],
    ['@jam and (@deploy) and @jam.', [{ name: 'jam' }]],
    ['/deploy with @jam', [{ name: 'deploy', args: 'with @jam' }, { name: 'jam' }]],
  ])('%s names %j', (text, expected) => {
    expect(found(text)).toEqual(expected)
  })

  test.each([
    'write to me@jam',
    'cook /jam',
    '/home/jam is a folder',
    '/',
    '@',
    'see @nobody',
    '@internal',
    'a /jam at the end',
  ])('%s names nothing and is not remarked on', (text) => {
    expect(readInvocations(text, resolve)).toEqual({ found: [], note: null })
  })

  test.each([
    ['/nothing here', 'There is no skill "nothing" here. Your message was sent as text.'],
    ['/theirs', 'Not trusted. Your message was sent as text.'],
    ['/internal', 'Only agents can load "internal". Your message was sent as text.'],
  ])('%s is text, and the person is told: %s', (text, expected) => {
    expect(found(text)).toEqual([])
    expect(note(text)).toBe(expected)
  })

  test('a message full of names asks for a few of them at most', () => {
    expect(found('@jam '.repeat(5000))).toEqual([{ name: 'jam' }])
  })
})
