import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openForLook } from '../../../src/main/db/look'
import {
  allow,
  createTestApp,
  waitingRequest,
  watchChat,
  type TestApp,
  type WatchedChat,
} from '../../helpers/app'
import { startFakeProvider, type FakeProvider, type FakeTurn } from '../../helpers/fake-provider'

let open: TestApp | undefined
let chat: WatchedChat | undefined
let fake: FakeProvider | undefined

afterEach(async () => {
  chat?.close()
  await open?.remove()
  await fake?.close()
  open = chat = fake = undefined
})

const KEY = 'sk-never-to-be-kept-0123456789'
const MARKER = 'ZEBRA-IN-THE-SCRIPT'
const SKILL = {
  'SKILL.md': '---\nname: marmalade\ndescription: Boils quince marmalade.\n---\nRun `scripts/boil.sh`.\n',
  'scripts/boil.sh': `#!/usr/bin/env bash\n# ${MARKER}\necho boiled\n`,
}
const LONG = 'Stir the quinces slowly and count the jars. '.repeat(100)

async function say(text: string, state: 'idle' | 'awaiting_approval' = 'idle'): Promise<void> {
  await open!.app.handlers['sessions.send']({ sessionId: chat!.id, text })
  await chat!.state(state)
}

async function withFake(): Promise<FakeProvider> {
  fake = await startFakeProvider()
  open = await createTestApp({ skills: { marmalade: SKILL } })
  const { id } = await open.app.handlers['providers.save']({
    id: 'fake',
    kind: 'openai-compatible',
    label: 'Fake',
    baseUrl: fake.url,
    models: ['m'],
    key: { store: 'memory', value: KEY },
  })
  const session = await open.app.handlers['sessions.create']({ projectDir: null, model: `${id}/m` })
  chat = watchChat(open.app, session.id)
  return fake
}

const call = (name: string, input: unknown): FakeTurn => ({ toolCalls: [{ name, input }] })
const bodies = () => fake!.requests.map(({ body }) => JSON.stringify(body))

test('at a server: no byte of a script and no key is in a request or kept, until the model reads the script', async () => {
  const server = await withFake()
  server.queue(
    call('skills_list', {}),
    call('skills_load', { names: ['marmalade'] }),
    call('skills_read', {}),
    call('skills_run_script', { path: 'scripts/boil.sh' }),
    { text: ['Boiled.'] },
    call('skills_read', { path: 'scripts/boil.sh' }),
    { text: ['Read.'] },
  )
  await say('boil', 'awaiting_approval')
  await allow(open!.app, await waitingRequest(open!.app, chat!.id))
  await chat!.state('idle')
  expect(bodies()).toHaveLength(5)
  for (const body of bodies()) expect(body).not.toContain(MARKER)
  await say('read the script')
  expect(bodies().at(-1)).toContain(MARKER)
  for (const body of bodies()) expect(body).not.toContain(KEY)
  const sql = openForLook(join(open!.dataDir, 'satchel.db'))!
  const kept = JSON.stringify([
    sql.prepare('SELECT * FROM model_calls').all(),
    sql.prepare('SELECT * FROM call_texts').all(),
  ])
  sql.close()
  expect(kept).toContain('Boils quince marmalade.')
  expect(kept).not.toContain(KEY)
})

test('at a server: older messages are summarised, and the next request has the summary in their place', async () => {
  const server = await withFake()
  server.queue(
    { text: [LONG] },
    { text: [LONG] },
    { text: ['three'] },
    { text: ['They boil marmalade.'] },
    { text: ['four'] },
  )
  for (const text of ['one', 'two', 'three']) await say(text)
  await open!.app.handlers['sessions.compact']({ sessionId: chat!.id })
  await chat!.state('idle')
  await say('four')
  expect(bodies().at(-1)).toContain('They boil marmalade.')
  expect(bodies().at(-1)).toContain('Stir the quinces')
  expect(bodies().at(-1)!.length).toBeLessThan(bodies().at(2)!.length)
  const calls = await open!.app.handlers['context.list']({ sessionId: chat!.id })
  expect(calls.map(({ kind }) => kind)).toEqual(['answer', 'answer', 'answer', 'summary', 'answer'])
})

test('the practice agent summarises by listing what was said', async () => {
  open = await createTestApp({ skills: { marmalade: SKILL } })
  const session = await open.app.handlers['sessions.create']({ projectDir: null })
  chat = watchChat(open.app, session.id)
  for (const n of ['one', 'two', 'three', 'four']) await say(`Message ${n}. ${'Lorem ipsum. '.repeat(200)}`)
  await open.app.handlers['sessions.compact']({ sessionId: session.id })
  const part = await chat.until('summary', (events) => {
    const messages = events.flatMap((event) => (event.t === 'message' ? event.message.parts : []))
    return messages.find(({ type }) => type === 'compaction')
  })
  expect(part).toMatchObject({ text: expect.stringContaining('- Person: Message one.') })
})
