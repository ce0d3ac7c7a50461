import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { runPlanOf, type RequestSummary } from '@shared/domain/approval'
import { allow, createTestApp, waitingRequest, watchChat, type TestApp } from '../../helpers/app'

/** It only ever asks for a host that is not allowed: nothing is resolved and nothing outside is contacted. */
const SCRIPT = `#!/bin/bash
if [ -z "$HTTPS_PROXY" ]; then echo no way out; exit; fi
exec 3<>/dev/tcp/127.0.0.1/3128
printf 'CONNECT other.example.com:443 HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n' >&3
IFS= read -r line <&3; echo "$line"
`
const SKILL = {
  'SKILL.md':
    '---\nname: jar-post\ndescription: Posts jars of quince to the pantry.\nexecution:\n  network: [api.example.com, localhost]\n---\nRun `scripts/post.sh`.\n',
  'scripts/post.sh': SCRIPT,
}

let open: TestApp | undefined

afterEach(async () => {
  await open?.remove()
  open = undefined
})

async function waiting(
  app: TestApp['app'],
): Promise<{ request: RequestSummary; chat: ReturnType<typeof watchChat> }> {
  const session = await app.handlers['sessions.create']({ projectDir: null })
  const chat = watchChat(app, session.id)
  await app.handlers['sessions.send']({ sessionId: session.id, text: 'Post the jars of quince' })
  await chat.state('awaiting_approval')
  return { request: await waitingRequest(app, session.id), chat }
}

test('a host is given in the review, seen in the next, reached in that run alone, and on record', async () => {
  open = await createTestApp({ skills: { 'jar-post': SKILL } })
  const { app } = open
  const { request: first, chat } = await waiting(app)
  const detail = await app.handlers['approvals.get']({ requestId: first.id })
  expect(detail.hosts).toEqual([
    { host: 'api.example.com:443', state: 'not-given' },
    { host: 'localhost', state: 'refused' },
  ])
  expect(runPlanOf(first.plan)?.sandbox).toMatchObject({ network: 'off' })
  await expect(
    app.handlers['hosts.grant']({ host: 'evil.example.com:443', requestId: first.id }),
  ).rejects.toMatchObject({ code: 'bad_input' })

  await app.handlers['hosts.grant']({ host: 'api.example.com:443', requestId: first.id })
  const second = await waitingRequest(app, first.sessionId)
  expect(second.id).not.toBe(first.id)
  expect(runPlanOf(second.plan)?.sandbox).toMatchObject({ network: 'hosts', hosts: ['api.example.com:443'] })
  expect(second).toMatchObject({ reviewRequired: true })
  expect(second.findings.map(({ id }) => id)).toContain('network-hosts')
  const { remember } = await app.handlers['approvals.get']({ requestId: second.id })
  expect(remember).toMatchObject({ args: [], why: 'A run with network is never remembered.' })
  await allow(app, second)
  await chat.state('idle')

  const call = chat.events.flatMap((event) => (event.t === 'call' ? [event.call] : [])).at(-1)
  expect(JSON.stringify(call?.envelope)).toContain('HTTP/1.1 403 Forbidden')
  expect(JSON.stringify(call?.envelope)).toContain('other.example.com:443 was refused: it is not allowed')
  const events = await app.handlers['audit.query']({ filter: {}, limit: 100 })
  expect(events.map(({ action }) => action)).toContain('host.granted')
  expect(events.find(({ action }) => action === 'security.blocked')).toMatchObject({
    target: 'other.example.com:443',
  })
  const run = events.find(({ action }) => action === 'run.finished')
  expect(run?.data['network']).toEqual({
    reached: [],
    refused: [{ host: 'other.example.com:443', why: 'it is not allowed', times: 1 }],
  })
})

test('what was given ends with the first changed file', async () => {
  open = await createTestApp({ skills: { 'jar-post': SKILL } })
  const { app, home } = open
  const { request } = await waiting(app)
  await app.handlers['hosts.grant']({ host: 'api.example.com:443', requestId: request.id })
  const second = await waitingRequest(app, request.sessionId)
  writeFileSync(join(home, '.satchel/skills/jar-post/scripts/post.sh'), `${SCRIPT}# more\n`)
  await allow(app, second).catch(() => undefined)
  const third = await waitingRequest(app, request.sessionId)
  expect(runPlanOf(third.plan)?.sandbox).toMatchObject({ network: 'off' })
})

// A policy counts only where an administrator alone can write it, so this needs one.
test.runIf(process.getuid?.() === 0)(
  'a host that the organisation does not list is not reached, also one that was given before',
  async () => {
    const policyDir = realpathSync(mkdtempSync(join(tmpdir(), 'host-policy-')))
    const put = (allow: string[]) =>
      writeFileSync(
        join(policyDir, 'policy.json'),
        JSON.stringify({ version: 1, organisation: 'Northwind IT', network: { allow } }),
      )
    try {
      put(['api.example.com'])
      open = await createTestApp({ skills: { 'jar-post': SKILL }, deps: { policyDir } })
      const { app } = open
      const { request, chat } = await waiting(app)
      await app.handlers['hosts.grant']({ host: 'api.example.com:443', requestId: request.id })
      const second = await waitingRequest(app, request.sessionId)
      expect(runPlanOf(second.plan)?.sandbox.hosts).toEqual(['api.example.com:443'])
      put(['other.example.com'])
      await app.handlers['projects.open']({ dir: open.project('kitchen') })
      await allow(app, second).catch(() => undefined)
      const third = await waitingRequest(app, request.sessionId)
      expect(runPlanOf(third.plan)?.sandbox).toMatchObject({ network: 'off' })
      const { hosts } = await app.handlers['approvals.get']({ requestId: third.id })
      expect(hosts[0]).toEqual({ host: 'api.example.com:443', state: 'policy' })
      chat.close()
    } finally {
      rmSync(policyDir, { recursive: true, force: true })
    }
  },
)
