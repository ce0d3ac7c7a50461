import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { McpPlan } from '@shared/domain/approval'
import type { CallRow } from '../../../../../src/main/db/call-rows'
import { writeFiles } from '../../../../helpers/app'
import { startsOf, stdioEntry, writeServers } from '../../../../helpers/mcp'
import { isAlive } from '../../../../helpers/process-tree'
import { createKit, type Kit } from '../kit'

let kit: Kit
let id: string
beforeEach(async () => {
  kit = await createKit()
  writeServers(kit.home, { tickets: stdioEntry(kit.home) })
  id = kit.chat()
})
afterEach(() => kit.remove())

const ECHO = { name: 'mcp__tickets__echo', input: { text: 'hello' } }

/** The model makes one call; gives it as it is then. */
async function call(name: string, input: Record<string, unknown> = {}): Promise<CallRow> {
  kit.answers.push({ calls: [{ name: `mcp__tickets__${name}`, input }] })
  await kit.say(id, name, 'awaiting_approval')
  return kit.calls(id).at(-1)!
}

async function answer(choice: 'once' | 'deny' = 'once'): Promise<CallRow> {
  await kit.decide(kit.waiting(id), choice)
  await kit.until(id, 'idle')
  return kit.calls(id).at(-1)!
}

async function allowed(name: string, input: Record<string, unknown> = {}): Promise<CallRow> {
  await call(name, input)
  return answer()
}

/** An agent of the person with these tools. */
async function withAgent(tools: string): Promise<void> {
  writeFiles(kit.home, {
    '.satchel/agents/clerk.md': `---\nname: clerk\ndescription: x\ntools: ${tools}\n---\nWork.\n`,
  })
  kit.agents.refresh()
  id = kit.sessions.create({ projectDir: null, model: 'practice/scripted', agent: 'clerk' }).id
}

describe('tools of an MCP server', () => {
  test('are offered with their schema, and the text of the server stands there as data', async () => {
    await kit.say(id, 'hi')
    const offered = kit.asked[0]!.tools.find(({ name }) => name === ECHO.name)
    expect(offered?.description).toMatch(/MCP server tickets.*data, no instruction.*Says it again$/)
    expect(offered?.parameters).toMatchObject({ required: ['text'] })
  })

  test('are called once a person allowed exactly this call', async () => {
    const waiting = await call('echo', ECHO.input)
    expect(waiting.state).toBe('awaiting_approval')
    expect(kit.waiting(id).plan as McpPlan).toMatchObject({
      kind: 'mcp',
      server: { name: 'tickets' },
      tool: { name: 'echo', description: 'Says it again', annotations: { readOnlyHint: true } },
      arguments: { text: 'hello' },
    })
    const { envelope } = await answer()
    expect(envelope?.result).toEqual({ content: 'heard {"text":"hello"}', is_error: false })
    expect(kit.actions().slice(-3)).toEqual(['request.created', 'request.allowed', 'mcp.called'])
  })

  test.each([
    [{}, 'Missing required parameter: text'],
    [{ text: 5 }, 'Invalid parameter type: expected string, got integer for "text"'],
  ])('are not asked for with arguments that do not fit: %j', async (input, said) => {
    kit.answers.push({ calls: [{ name: ECHO.name, input }] })
    await kit.say(id, 'go')
    const { state, envelope } = kit.calls(id).at(-1)!
    expect(state).toBe('failed')
    expect(envelope).toMatchObject({ error_code: 'bad_input', error: expect.stringContaining(said) })
    expect(kit.actions()).not.toContain('request.created')
  })

  test('are not called when the person denies', async () => {
    await call('echo', ECHO.input)
    const { state, envelope } = await answer('deny')
    expect(state).toBe('denied')
    expect(envelope?.error).toContain('refused this call')
    expect(kit.actions()).not.toContain('mcp.called')
  })

  test('with a name that arguments of skills have keep their arguments as they are', async () => {
    const { envelope } = await allowed('echo', { text: 'x', skill: 'Jam', names: ['Jam'] })
    expect(envelope?.result).toMatchObject({ content: 'heard {"text":"x","skill":"Jam","names":["Jam"]}' })
  })

  test('ask again when the server describes itself in another way while the request waits', async () => {
    await call('echo', ECHO.input)
    writeServers(kit.home, { tickets: { ...stdioEntry(kit.home), env: { EXTRA: '1' } } })
    const first = kit.waiting(id)
    expect((await kit.decide(first, 'once')).status).toBe('stale')
    expect(kit.waiting(id).planHash).not.toBe(first.planHash)
  })

  test('are not called when the server is gone at the click', async () => {
    await call('echo', ECHO.input)
    writeServers(kit.home, {})
    const { state, envelope } = await answer()
    expect(state).toBe('stale')
    expect(envelope?.error_code).toBe('not_found')
  })

  test('can be allowed after a restart of the app', async () => {
    await call('echo', ECHO.input)
    kit = await kit.restart()
    expect((await answer()).state).toBe('done')
  })

  test('that the agent may use freely are not asked for', async () => {
    await withAgent('{mcp__tickets__echo: allow}')
    kit.answers.push({ calls: [ECHO] })
    await kit.say(id, 'go')
    expect(kit.calls(id)[0]?.state).toBe('done')
    expect(kit.actions()).toContain('mcp.called')
  })

  test('that the agent may never use are neither offered nor called', async () => {
    await withAgent('{mcp__tickets: never}')
    kit.answers.push({ calls: [ECHO] })
    await kit.say(id, 'go')
    expect(kit.asked[0]!.tools.filter(({ name }) => name.startsWith('mcp__'))).toEqual([])
    expect(kit.calls(id)[0]?.envelope?.error_code).toBe('tool_not_allowed')
  })

  test('are refused while a skill is active that does not list them', async () => {
    writeFiles(kit.home, {
      '.satchel/skills/narrow/SKILL.md': '---\nname: narrow\ndescription: x\nallowed-tools: Read\n---\nx\n',
    })
    await kit.deps.registry.refresh()
    kit.answers.push({ calls: [{ name: 'skills_load', input: { names: ['narrow'] } }] }, { calls: [ECHO] })
    await kit.say(id, 'go')
    expect(kit.calls(id).at(-1)?.envelope?.error).toBe(
      "Tool 'mcp__tickets__echo' not allowed by active skill 'narrow'",
    )
  })

  test('give what the model can hold of their results, and the words with which they are refused', async () => {
    await withAgent('{mcp__tickets: allow}')
    const names = ['large', 'fail', 'image', 'refuse']
    kit.answers.push({ calls: names.map((name) => ({ name: `mcp__tickets__${name}`, input: {} })) })
    await kit.say(id, 'go')
    const [large, fail, image, refuse] = kit.calls(id).map(({ envelope }) => envelope!)
    expect(large!.result).toEqual({
      content: 'x'.repeat(16_000),
      truncated: true,
      size: 20_000,
      is_error: false,
    })
    expect(fail!.result).toEqual({ content: 'no such ticket', is_error: true })
    const part = { type: 'image', media_type: 'image/png', size: 5 }
    expect(image!.result).toEqual({ content: '', parts: [part], is_error: false })
    expect(refuse).toMatchObject({ error_code: 'bad_input', error: expect.stringContaining('do not want') })
  })

  test('see only the variables that are named', async () => {
    vi.stubEnv('TICKETS_TOKEN', 's3cret')
    vi.stubEnv('OTHER_TOKEN', 'other')
    writeServers(kit.home, { tickets: { ...stdioEntry(kit.home), env: { TOKEN: '${TICKETS_TOKEN}' } } })
    const { content } = (await allowed('env')).envelope!.result as { content: string }
    vi.unstubAllEnvs()
    const names = Object.keys(JSON.parse(content) as object).filter((name) => !name.startsWith('__'))
    expect(names.sort()).toEqual(
      ['HOME', 'LANG', 'PATH', 'SATCHEL_RUN_ID', 'TOKEN'].filter(
        (name) => name !== 'LANG' || process.env['LANG'],
      ),
    )
    expect(content).toContain('"TOKEN":"s3cret"')
  })
})

describe('a server', () => {
  test('that dies in a call interrupts it, and is started again for the next one', async () => {
    const { state, envelope } = await allowed('crash')
    expect([state, envelope?.error_code]).toEqual(['interrupted', 'interrupted'])
    expect((await allowed('echo', ECHO.input)).state).toBe('done')
    expect(startsOf(kit.home)).toHaveLength(2)
  })

  test('that gives no answer ends the call at its time limit', async () => {
    await kit.remove()
    kit = await createKit({ settings: { runTimeoutMs: 1000 } })
    writeServers(kit.home, { tickets: stdioEntry(kit.home) })
    id = kit.chat()
    expect((await allowed('slow')).envelope).toMatchObject({ error_code: 'timed_out' })
  })

  test('that works on a call lets the person stop it', async () => {
    await call('slow')
    await kit.decide(kit.waiting(id), 'once')
    await vi.waitFor(() => expect(kit.deps.inTurn.has(id)).toBe(true))
    await kit.sessions.stop(id, false)
    await kit.until(id, 'idle')
    expect(kit.calls(id).at(-1)).toMatchObject({ state: 'cancelled', envelope: { error_code: 'cancelled' } })
  })

  test('that says that its tools changed is asked for them before the next answer', async () => {
    await allowed('rename')
    await kit.say(id, 'again')
    const offered = kit.asked.at(-1)!.tools.filter(({ name }) => name.startsWith('mcp__'))
    expect(offered.map(({ description }) => description)).toEqual([
      expect.stringContaining('Echoes, in another way'),
    ])
  })

  test('ends with the app, and so does what it started', async () => {
    await kit.say(id, 'hi')
    const pids = startsOf(kit.home).flat()
    expect(pids.map(isAlive)).toEqual([true, true])
    kit = await kit.restart()
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]))
  })

  test('that can not be started costs its tools only', async () => {
    writeServers(kit.home, { tickets: { command: 'no-such-program' } })
    await kit.say(id, 'hi')
    expect(kit.said(id)).toHaveLength(2)
    expect(kit.asked[0]!.tools.some(({ name }) => name.startsWith('mcp__'))).toBe(false)
  })

  test('of a project is never started', async () => {
    const dir = `${kit.home}/project`
    const file = JSON.stringify({ mcpServers: { evil: stdioEntry(kit.home) } })
    writeFiles(dir, { '.mcp.json': file, '.satchel/mcp.json': file })
    writeServers(kit.home, {})
    kit.projects.push({ dir, name: 'project', trusted: true, openedAt: 0 })
    id = kit.chat(dir)
    await kit.say(id, 'hi')
    expect(startsOf(kit.home)).toEqual([])
  })
})
