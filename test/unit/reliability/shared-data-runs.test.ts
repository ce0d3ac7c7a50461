import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { allow, createTestApp, waitingRequest, watchChat, type TestApp } from '../../helpers/app'

const SKILL = {
  'SKILL.md': '---\nname: jam\ndescription: Boils jam.\n---\nRun `scripts/boil.sh`.\n',
  'scripts/boil.sh':
    '#!/usr/bin/env bash\necho begun\nuntil [ -e done.txt ]; do sleep 0.05; done\necho boiled\n',
}
const BOIL = {
  name: 'boil',
  match: '^boil',
  steps: [
    { text: 'Loading.', call: { name: 'skills_load', input: { names: ['jam'] } } },
    { text: 'Boiling.', call: { name: 'skills_run_script', input: { path: 'scripts/boil.sh' } } },
    { text: 'It is boiled.' },
  ],
}

let window: TestApp

beforeEach(async () => {
  window = await createTestApp({ skills: { jam: SKILL }, scenarios: [BOIL], deps: { ownsData: true } })
})
afterEach(async () => {
  expect(window.errors).toEqual([])
  await window.remove()
})

test('a command that starts and ends beside a running script leaves it alone, and its chat too', async () => {
  const dir = window.project('kitchen')
  const { handlers } = window.app
  const { id } = await handlers['sessions.create']({ projectDir: dir })
  const chat = watchChat(window.app, id)
  await handlers['sessions.send']({ sessionId: id, text: 'boil some' })
  await chat.state('awaiting_approval')
  await allow(window.app, await waitingRequest(window.app, id))
  const runId = await chat.until('the run', (events) =>
    events
      .map((event) => (event.t === 'call' && event.call.state === 'running' ? event.call.runId : null))
      .find(Boolean),
  )

  const command = await createTestApp({ home: window.home })
  expect((await command.app.handlers['sessions.list']({}))[0]?.state).toBe('running')
  await expect(async () =>
    command.app.handlers['sessions.send']({ sessionId: id, text: 'me too' }),
  ).rejects.toThrow(
    `This chat is being used by the Satchel window (process ${process.pid}). Wait for it or stop it.`,
  )
  await command.stop()
  expect(command.errors).toEqual([])

  expect(await handlers['runs.get']({ runId })).toMatchObject({ status: 'running' })
  window.project('kitchen', { 'done.txt': '' })
  await chat.until('the answer', (events) =>
    events.some(
      (event) => event.t === 'message' && JSON.stringify(event.message.parts).includes('It is boiled.'),
    ),
  )
  expect(await handlers['runs.get']({ runId })).toMatchObject({ status: 'succeeded' })
  await vi.waitFor(async () => expect((await handlers['sessions.list']({}))[0]?.state).toBe('idle'))
  chat.close()
})
