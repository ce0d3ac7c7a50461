import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { commandEntry } from '../../../scripts/lib/cli.mjs'
import { openDb } from '../../../src/main/db/open'
import { registerProgram } from '../../../src/main/db/programs'
import { createOwner } from '../../../src/main/sessions/turn/owner'
import { startFakeProvider } from '../../helpers/fake-provider'
import type { FakeProvider, FakeTurn } from '../../helpers/fake-provider'
import { chatWorld } from './chat-world'
import { root, testWorld } from './cli-world'

const SCRIPT_TASK = 'Count the words in sample.txt'

// Built once, so that no test measures or prints it.
beforeAll(() => commandEntry(root))

async function fakeServer(...turns: FakeTurn[]): Promise<FakeProvider> {
  const fake = await startFakeProvider()
  onTestFinished(() => fake.close())
  fake.queue(...turns)
  return fake
}

test('-p prints the answer alone on stdout, ends with 0, and the chat goes on by its id', async () => {
  const fake = await fakeServer({ text: ['It is four.'] }, { text: ['It was two and two.'] })
  const { chat } = chatWorld()
  const server = ['--base-url', fake.url, '--model', 'model-a']
  const first = await chat('-p', 'What is two and two?', ...server)
  expect(first).toMatchObject({ exit: 0, out: 'It is four.\n' })
  const id = /Chat (ses_\w+) with General, openai-compatible\/model-a/.exec(first.err)?.[1]
  const second = await chat('-p', 'What did I ask?', '--session', id!, ...server)
  expect(second).toMatchObject({ exit: 0, out: 'It was two and two.\n' })
  expect(JSON.stringify(fake.requests[1]?.body)).toContain('It is four.')
})

test('a one-off server speaks as any provider, with the key of SATCHEL_API_KEY alone', async () => {
  const usual = { ANTHROPIC_API_KEY: 'wrong', OPENAI_API_KEY: 'wrong', GEMINI_API_KEY: 'wrong' }
  const { chat } = chatWorld({ ...usual, SATCHEL_API_KEY: 'right-key' })
  const speak = async (provider: string) => {
    const fake = await fakeServer({ text: [`Hello from ${provider}.`] })
    const server = ['--provider', provider, '--base-url', fake.url, '--model', 'model-a']
    expect(await chat('-p', 'Hi', ...server)).toMatchObject({ exit: 0, out: `Hello from ${provider}.\n` })
    const headers = JSON.stringify(fake.requests[0]?.headers)
    expect(headers).toContain('right-key')
    expect(headers).not.toContain('wrong')
  }
  // At once: several of them work on the same data.
  await Promise.all(['anthropic', 'openai', 'google', 'openai-compatible'].map(speak))
})

test('--json is one event a line, the envelope last, and stderr stays empty', async () => {
  const { json } = chatWorld()
  const { exit, events, envelope, err } = await json('-p', SCRIPT_TASK)
  expect(err).toBe('')
  expect(new Set(events.map(({ t }) => t))).toEqual(new Set(['chat', 'text', 'step', 'request', 'message']))
  expect(events.find(({ t }) => t === 'request')).toMatchObject({ kind: 'script', answer: 'expired' })
  expect(envelope).toMatchObject({
    success: true,
    result: { session: events[0]?.['session'], requests: { allowed: 0, denied: 0, expired: 1 } },
  })
  expect(exit).toBe(3)
})

test("a turn that the agent's limit ended is a failure with what it used", async () => {
  const LIST = { toolCalls: [{ name: 'skills_list', input: {} }], usage: { input: 30, output: 4 } }
  const fake = await fakeServer(LIST)
  const { json, write } = chatWorld()
  write(
    '.satchel/agents/brief.md',
    '---\nname: brief\ndescription: Brief.\nlimits: {steps: 1}\n---\nBe brief.\n',
  )
  const { exit, envelope } = await json(
    '-p',
    'Hi',
    '--agent',
    'brief',
    '--base-url',
    fake.url,
    '--model',
    'a',
  )
  expect(envelope).toMatchObject({ success: false, error_code: 'limit', tokens_used: 34 })
  expect(envelope['error']).toMatch(/^The agent made 1 steps in one turn and was stopped\. .*--session ses_/)
  expect(exit).toBe(1)
})

test('without a terminal a request is expired: nothing runs, and the agent hears of no refusal', async () => {
  const { json, dataDir } = chatWorld()
  const { events } = await json('-p', SCRIPT_TASK, '--allow', 'ask')
  const run = events.findLast(({ t, name }) => t === 'step' && name === 'skills_run_script')
  expect(run).toMatchObject({ state: 'failed', envelope: { success: false, error_code: 'expired' } })
  const { sql, close } = openDb(join(dataDir, 'satchel.db'))
  expect(sql.prepare('SELECT count(*) AS n FROM runs').get()).toEqual({ n: 0 })
  expect(sql.prepare('SELECT status FROM requests').all()).toEqual([{ status: 'expired' }])
  close()
})

test.each([
  ['never', 'denied'],
  ['rules', 'expired'],
])('--allow %s asks nobody, also in a terminal: the request is %s', async (allow, answer) => {
  const { terminal } = chatWorld()
  const { exit, all } = await terminal('-p', SCRIPT_TASK, '--allow', allow).ended
  expect(exit).toBe(3)
  expect(all).toContain(
    answer === 'denied' ? 'Denied: Run scripts/count.sh' : 'Not allowed: Run scripts/count.sh',
  )
  expect(all).not.toContain('allow, deny')
})

test('in a terminal the person is asked, sees the script on request, and what they allow runs', async () => {
  const { terminal } = chatWorld()
  const { shows, type, ended } = terminal('-p', SCRIPT_TASK)
  await shows('Run scripts/count.sh from skill hello-files (Bundled)?')
  await shows('Network: ')
  await shows('(the script): ')
  type('show\r')
  await shows('  1  #!/usr/bin/env bash')
  await shows('(the script): ')
  type('yes please\r')
  await shows('is none of them')
  await shows('(the script): ')
  type('allow\r')
  await shows('ended with exit code 0')
  expect((await ended).exit).toBe(0)
})

test('a denial in the terminal takes its words to the agent and ends with 3', async () => {
  const { terminal } = chatWorld()
  const { shows, type, ended } = terminal('-p', SCRIPT_TASK)
  await shows('(the script): ')
  type('deny the wrong file\r')
  await shows('They wrote: the wrong file')
  expect((await ended).exit).toBe(3)
})

test('what was typed before the question is no answer to it', async () => {
  const { terminal } = chatWorld()
  const { shows, type, ended } = terminal('-p', SCRIPT_TASK)
  type('allow\r')
  await shows('(the script): ')
  type('deny\r')
  const { exit, all } = await ended
  expect(exit).toBe(3)
  expect(all).not.toContain('ended with exit code')
})

test('Ctrl-C stops the answer and ends with 1', async () => {
  const { terminal } = chatWorld({ SATCHEL_PRACTICE_DIR: join(root, 'test/fixtures/practice') })
  const { shows, type, ended } = terminal('-p', 'hang: now')
  await shows('This answer never ends.')
  type('\u0003')
  const { exit, all } = await ended
  expect(exit).toBe(1)
  expect(all).toContain('The turn was stopped.')
})

test('Ctrl-C twice ends a chat that is read line by line', async () => {
  const { terminal } = chatWorld({ SATCHEL_PRACTICE_DIR: join(root, 'test/fixtures/practice') })
  const { shows, type, ended } = terminal()
  await shows('› ')
  type('hang: now\r')
  await shows('This answer never ends.')
  type('\u0003\u0003')
  const { exit, all } = await ended
  expect(exit).toBe(0)
  expect(all).toContain('Go on with: satchel chat --session')
})

test('without -p messages are read line by line until Ctrl-D', async () => {
  const fake = await fakeServer({ text: ['First answer.'] }, { text: ['Second answer.'] })
  const { terminal } = chatWorld()
  const { shows, type, ended } = terminal('--base-url', fake.url, '--model', 'model-a')
  await shows('› ')
  type('One\r')
  await shows('First answer.')
  await shows('› ')
  type('Two\r')
  await shows('Second answer.')
  await shows('› ')
  type('\u0004')
  const { exit, all } = await ended
  expect(exit).toBe(0)
  expect(all).toMatch(/Go on with: satchel chat --session ses_/)
  expect(fake.requests).toHaveLength(2)
})

test('nothing in an answer acts on the terminal', async () => {
  const fake = await fakeServer({ text: ['a\u001b]0;title\u0007b\u202ec\r\nd'], pieceBytes: 3 })
  const { chat } = chatWorld()
  const { out } = await chat('-p', 'Hi', '--base-url', fake.url, '--model', 'm')
  expect(out).toBe('a␛]0;title␇b⟦U+202E⟧c\nd\n')
})

test('an untrusted project is told, and none of its skills reach the model', async () => {
  const fake = await fakeServer({ text: ['Hello.'] })
  const { chat, write, home } = chatWorld()
  write(
    'shop/.satchel/skills/sell/SKILL.md',
    '---\nname: sell\ndescription: Sells. Use to sell.\n---\nSell.\n',
  )
  const project = ['--project', join(home, 'shop')]
  const { exit, err } = await chat('-p', 'Hi', '--base-url', fake.url, '--model', 'm', ...project)
  expect(exit).toBe(0)
  expect(err).toContain('You did not trust this project, so its 1 skill')
  expect(JSON.stringify(fake.requests[0]?.body)).not.toContain('Use to sell')
})

test('what is not in use is told: a project without skills, and an MCP server that does not start', async () => {
  const fake = await fakeServer({ text: ['Hello.'] })
  const { chat, write, home } = chatWorld()
  write('shop/.satchel/agents/clerk.md', '---\nname: clerk\ndescription: Sells.\n---\nSell.\n')
  write('.satchel/mcp.json', JSON.stringify({ mcpServers: { tickets: { command: 'no-such-program' } } }))
  const project = ['--project', join(home, 'shop')]
  const { exit, err } = await chat('-p', 'Hi', '--base-url', fake.url, '--model', 'm', ...project)
  expect(exit).toBe(0)
  expect(err).toContain('You did not trust this project, so its agents and')
  expect(err).toContain(
    'The MCP server "tickets" can\'t be used, so its tools are not there: The program was',
  )
})

test('a project that brings only instructions is told of too, by the name of the file', async () => {
  const fake = await fakeServer({ text: ['Hello.'] })
  const { chat, write, home } = chatWorld()
  write('shop/AGENTS.md', 'Always whistle.')
  const project = ['--project', join(home, 'shop')]
  const { err } = await chat('-p', 'Hi', '--base-url', fake.url, '--model', 'm', ...project)
  expect(err).toContain('its agents and its AGENTS.md are not in use')
  expect(JSON.stringify(fake.requests[0]?.body)).not.toContain('whistle')
})

test('steps of an agent that works for the chat are told with its name, and what they cost is counted', async () => {
  const fake = await fakeServer(
    { toolCalls: [{ name: 'agent', input: { agent: 'reviewer', task: 'Look.' } }] },
    { toolCalls: [{ name: 'skills_list', input: {} }], usage: { input: 1_000_000, output: 0 } },
    { text: ['Fine.'] },
    { text: ['It is fine.'] },
  )
  const { json, write } = chatWorld()
  const agent = (name: string, more: string) =>
    write(`.satchel/agents/${name}.md`, `---\nname: ${name}\ndescription: D.\n${more}---\nYou.\n`)
  agent('clerk', 'subagents: [reviewer]\n')
  agent('reviewer', '')
  const server = ['--base-url', fake.url, '--model', 'gpt-5-mini']
  const { events, envelope } = await json('-p', 'Hi', '--agent', 'clerk', ...server)
  const steps = events.filter(({ t, state }) => t === 'step' && state === 'done')
  expect(steps).toMatchObject([
    { name: 'skills_list', of: { name: 'reviewer', session: expect.stringMatching(/^ses_/) } },
    { name: 'agent' },
  ])
  expect(envelope['cost_usd']).toBeGreaterThanOrEqual(0.25)
  expect(envelope['tokens_used']).toBeGreaterThanOrEqual(1_000_000)
})

describe('a script that wants to be typed to', () => {
  const RUN = {
    name: 'skills_run_script',
    input: { path: 'scripts/ask.sh', interactive: true },
  }
  const start = async () => {
    const load = { name: 'skills_load', input: { names: ['ask'] } }
    const fake = await fakeServer({ toolCalls: [load] }, { toolCalls: [RUN] }, { text: ['Done.'] })
    const world = chatWorld()
    world.write('.satchel/skills/ask/SKILL.md', '---\nname: ask\ndescription: Asks.\n---\nAsk.\n')
    world.write('.satchel/skills/ask/scripts/ask.sh', 'read -rp "Name? " name; echo "Hello $name."\n')
    return { ...world, server: ['--base-url', fake.url, '--model', 'm'] }
  }

  test('gets what the person types in the terminal, and gives it back', async () => {
    const { terminal, server } = await start()
    const { shows, type, ended } = terminal('-p', 'Ask me', ...server)
    await shows('here, while it runs')
    await shows('(the script): ')
    type('show\r')
    await shows('(the script): ')
    type('allow\r')
    await shows('What you type goes to the script')
    await shows('Name? ')
    type('Ada\r')
    await shows('Hello Ada.')
    await shows('Done.')
    expect((await ended).exit).toBe(0)
  })
})

test('a request that already waits in the chat is answered first', async () => {
  const { terminal, json } = chatWorld()
  const asking = terminal('-p', SCRIPT_TASK)
  await asking.shows('(the script): ')
  const session = /Chat (ses_\w+)/.exec(await asking.kill())?.[1]
  const { exit, events } = await json('-p', 'Thank you', '--session', session!)
  expect(exit).toBe(3)
  const told = events.map(({ t }) => t)
  expect(events.find(({ t }) => t === 'request')).toMatchObject({ answer: 'expired' })
  expect(told.indexOf('request')).toBeLessThan(told.indexOf('text'))
})

test('a chat that waits for an answer is left alone while another Satchel is open', async () => {
  const { terminal, chat, dataDir } = chatWorld()
  const asking = terminal('-p', SCRIPT_TASK)
  await asking.shows('(the script): ')
  const session = /Chat (ses_\w+)/.exec(await asking.kill())?.[1]
  const program = registerProgram(join(dataDir, 'programs'), 'window')
  const { exit, err } = await chat('-p', 'Thank you', '--session', session!)
  program.release()
  expect(exit).toBe(1)
  expect(err).toContain('Answer there, or close it')
  const db = openDb(join(dataDir, 'satchel.db'))
  expect(db.sql.prepare('SELECT status FROM requests').all()).toEqual([{ status: 'pending' }])
  db.close()
})

test('a chat that another program has is left alone, and it says which one', async () => {
  const fake = await fakeServer({ text: ['Hello.'] })
  const { chat, json, dataDir } = chatWorld()
  const server = ['--base-url', fake.url, '--model', 'm']
  const { envelope } = await json('-p', 'Hi', ...server)
  const session = String(envelope.result['session'])
  const db = openDb(join(dataDir, 'satchel.db'))
  const program = registerProgram(join(dataDir, 'programs'), 'window')
  const log = { info() {}, warn() {}, error() {} }
  const release = createOwner({ db, program, now: () => 0, log }).hold(session)
  const { exit, err } = await chat('-p', 'Again', '--session', session, ...server)
  release()
  program.release()
  db.close()
  expect(exit).toBe(1)
  expect(err).toContain(`being used by the Satchel window (process ${process.pid})`)
  expect(fake.requests).toHaveLength(1)
})

test('a refusal of the provider ends with 1 and its own words; --style reaches the model', async () => {
  const fake = await fakeServer({ status: 401, errorMessage: 'bad key' })
  const { chat } = chatWorld()
  const { exit, err } = await chat(
    '-p',
    'Hi',
    '--base-url',
    fake.url,
    '--model',
    'm',
    '--style',
    'read-skill',
  )
  expect(exit).toBe(1)
  expect(err).toMatch(/satchel: .*key/)
  expect(JSON.stringify(fake.requests[0]?.body)).toContain('[Available Skills]')
})

test('a missing key names its variable and says that the store of keys is closed to it', async () => {
  const { chat } = chatWorld()
  const { exit, err } = await chat('-p', 'Hi', '--model', 'anthropic/claude-sonnet-4')
  expect(exit).toBe(1)
  expect(err).toContain('ANTHROPIC_API_KEY')
  expect(err).toContain("can't open the app's store of keys")
})

test.each([
  [[], 'There is no terminal'],
  [['--json'], '--json needs a message'],
  [['-p'], '--prompt needs a value'],
  [['-p', 'x', '--base-url', 'http://example.com/v1', '--model', 'm'], 'unencrypted'],
  [['-p', 'x', '--base-url', 'http://127.0.0.1:1', '--provider', 'nobody'], 'It is one of: anthropic'],
  [['-p', 'x', '--allow', 'all'], "--allow can't be"],
])('wrong use ends with 2: %j', async (args, words) => {
  const { exit, out, err } = await testWorld().run('chat', ...args)
  expect(exit).toBe(2)
  expect(out + err).toContain(words)
})
