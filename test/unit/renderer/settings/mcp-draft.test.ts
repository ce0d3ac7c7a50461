import { describe, expect, test } from 'vitest'
import { checkServer, draftOf, NEW_SERVER, variablesOf } from '../../../../src/renderer/settings/mcp-draft'

describe('the form of an MCP server', () => {
  test.each([
    { command: 'npx', args: ['-y', 'tickets mcp'], env: { TOKEN: '${TOKEN}', MODE: 'a=b' } },
    { url: 'https://docs.example/mcp', headers: { Authorization: 'Bearer ${DOCS}', 'X-Note': 'a: b' } },
  ])('saves %j as it was', (entry) => {
    const checked = checkServer(draftOf({ name: 'tickets', entry }))
    expect(checked).toEqual({ ok: true, input: { was: 'tickets', name: 'tickets', entry, keys: {} } })
  })

  test('says what is missing, by field', () => {
    expect(checkServer(NEW_SERVER)).toEqual({
      ok: false,
      errors: { name: 'Enter a name.', command: 'Enter the program.' },
    })
    const draft = { ...NEW_SERVER, name: 'x', kind: 'address' as const, url: 'https://x', headers: 'no sign' }
    expect(checkServer(draft)).toMatchObject({
      ok: false,
      errors: { headers: expect.stringContaining('one a line') },
    })
  })

  test('asks for the variables of the kind that is chosen, and sends no other key', () => {
    const draft = { ...NEW_SERVER, name: 'x', command: 'c', env: 'A=${A}\nB=${B}', headers: 'H: ${C}' }
    expect(variablesOf(draft)).toEqual(['A', 'B'])
    const checked = checkServer({ ...draft, keys: { A: 'a', B: '', C: 'c' } })
    expect(checked).toMatchObject({ ok: true, input: { keys: { A: 'a' } } })
  })
})
