import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { runPlanOf } from '@shared/domain/approval'
import { allow, createTestApp, waitingRequest, watchChat, type TestApp } from '../../helpers/app'

const VALUE = 'h7kq-zz19-quince-jar'
const BASE64 = Buffer.from(VALUE).toString('base64')
const SKILL = {
  'SKILL.md':
    '---\nname: jar-upload\ndescription: Uploads jars of quince to the pantry.\nexecution:\n  secrets: [JAR_TOKEN]\n---\nRun `scripts/up.sh`.\n',
  'scripts/up.sh':
    '#!/bin/sh\nif [ -z "$JAR_TOKEN" ]; then echo none; exit; fi\nprintf "h7kq-zz"; sleep 0.2; echo "19-quince-jar"\nprintf %s "$JAR_TOKEN" | base64\nprintf "some-user-name:%s" "$JAR_TOKEN" | base64 -w 10\nprintf "h7kq\\033[1m-zz19-quinceX\\b-jar\\n"\nprintf -- "-zz19-quince-jar\\rh7kq\\n"\nln -s "$JAR_TOKEN" link\nmkdir "dir-$JAR_TOKEN"\necho "$JAR_TOKEN" >&2\necho "length ${#JAR_TOKEN}"\n',
}

let open: TestApp | undefined

afterEach(async () => {
  await open?.remove()
  open = undefined
})

/** Every file below a folder, with its bytes. */
function filesIn(dir: string): [string, string][] {
  return readdirSync(dir).flatMap((name): [string, string][] => {
    const path = join(dir, name)
    const stat = lstatSync(path)
    if (stat.isDirectory()) return filesIn(path)
    if (!stat.isFile()) return []
    return [[path, readFileSync(path, 'latin1')]]
  })
}

test('a secret reaches the one run that was allowed with it, and nothing that it prints reaches anybody', async () => {
  open = await createTestApp({
    skills: { 'jar-upload': SKILL },
    deps: { env: { PATH: process.env['PATH'], MINE: VALUE } },
  })
  const { app, dataDir } = open
  const session = await app.handlers['sessions.create']({ projectDir: null })
  const chat = watchChat(app, session.id)
  await app.handlers['secrets.save']({
    name: 'JAR_TOKEN',
    note: '',
    value: { store: 'env', variable: 'MINE' },
  })
  await app.handlers['sessions.send']({ sessionId: session.id, text: 'Upload the jars of quince' })
  await chat.state('awaiting_approval')
  const first = await waitingRequest(app, session.id)
  const { secrets } = await app.handlers['approvals.get']({ requestId: first.id })
  expect(secrets).toEqual([{ name: 'JAR_TOKEN', state: 'not-given' }])
  expect(runPlanOf(first.plan)?.secrets).toBeUndefined()

  await app.handlers['secrets.grant']({ name: 'JAR_TOKEN', requestId: first.id })
  const second = await waitingRequest(app, session.id)
  expect(second.id).not.toBe(first.id)
  expect(runPlanOf(second.plan)?.secrets).toEqual(['JAR_TOKEN'])
  expect(second.findings.map(({ id }) => id)).toContain('environment-secrets')
  await allow(app, second)
  await chat.state('idle')

  const call = chat.events.flatMap((event) => (event.t === 'call' ? [event.call] : [])).at(-1)
  expect(call?.envelope?.result).toMatchObject({ printed_secrets: ['JAR_TOKEN'] })
  const { stdout, stderr } = (call?.envelope?.result ?? {}) as { stdout: string; stderr: string }
  expect(stdout).toContain(`length ${VALUE.length}`)
  expect(stdout).toContain('[redacted:JAR_TOKEN]\n[redacted:JAR_TOKEN]')
  expect(stderr.trim()).toBe('[redacted:JAR_TOKEN]')
  expect(JSON.stringify(chat.events)).not.toContain('zz19-quince')
  const holding = filesIn(dataDir).filter(([, bytes]) => bytes.includes(VALUE) || bytes.includes(BASE64))
  expect(holding.map(([path]) => path)).toEqual([])
  chat.close()
})

test('what a script left of a secret in files and names reaches nobody by the tools either', async () => {
  const call = (name: string, input: unknown) => ({ call: { name, input } })
  open = await createTestApp({
    scenarios: [
      {
        name: 'look',
        match: 'look',
        steps: [
          call('Read', { file_path: 'leak.txt' }),
          call('Grep', { pattern: 'quince' }),
          call('Glob', { pattern: '**/*' }),
          { text: 'Done.' },
        ],
      },
    ],
    deps: { env: { PATH: process.env['PATH'], MINE: VALUE } },
  })
  const { app, dataDir } = open
  const projectDir = open.project('pantry', {
    'leak.txt': `first\n${VALUE}\n${BASE64}\nlast\n`,
    [`name-${VALUE}.txt`]: 'x\n',
  })
  await app.handlers['projects.open']({ dir: projectDir })
  const session = await app.handlers['sessions.create']({ projectDir })
  const chat = watchChat(app, session.id)
  await app.handlers['secrets.save']({
    name: 'JAR_TOKEN',
    note: '',
    value: { store: 'env', variable: 'MINE' },
  })
  await app.handlers['sessions.send']({ sessionId: session.id, text: 'look' })
  await chat.state('idle')
  const results = () => chat.events.flatMap((event) => (event.t === 'call' ? [event.call.envelope] : []))
  expect(JSON.stringify(results())).toContain('name-[redacted:JAR_TOKEN].txt')
  expect(JSON.stringify(results())).toContain('[redacted:JAR_TOKEN]')
  expect(JSON.stringify(results())).not.toContain('zz19-quince')
  const holding = filesIn(dataDir).filter(([, bytes]) => bytes.includes(VALUE) || bytes.includes(BASE64))
  expect(holding.map(([path]) => path)).toEqual([])
  chat.close()
})
