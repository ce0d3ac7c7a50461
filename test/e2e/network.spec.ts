import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { allowInReview, composer, dock, sendMessage, step, transcript, writeSkill } from '../helpers/chat'
import { expect, networkOf, tempDir, test } from '../helpers/electron'
import { startFakeProvider } from '../helpers/fake-provider'
import { openServerSockets, processTree } from '../helpers/process-tree'
import { addProvider } from '../helpers/provider-form'

/** Set where the test runs in a network namespace of its own: the kernel then counts for the app alone. */
const ALONE = 'SATCHEL_TEST_ALONE'
const SKILL = {
  'SKILL.md': '---\nname: tally\ndescription: Counts things.\n---\nRun `scripts/tally.sh`.\n',
  'scripts/tally.sh': '#!/usr/bin/env bash\necho "seven things"\n',
}

if (!process.env[ALONE]) {
  test('in a chat with a provider and a run, nothing is looked up and nobody but the provider is spoken to', () => {
    test.skip(process.platform !== 'linux', 'network namespaces are of Linux')
    const command = ['playwright', 'test', 'network.spec.ts', '--reporter=line', `--output=${tempDir()}`]
    // The display of this worker: on another one the window would take the focus of that one's.
    const env = { ...process.env, [ALONE]: '1', SATCHEL_TEST_DISPLAYS: process.env['DISPLAY'] }
    const { status, stdout, stderr } = spawnSync(
      'bwrap',
      ['--unshare-net', '--dev-bind', '/', '/', '--die-with-parent', '--', ...command],
      { env, encoding: 'utf8', timeout: 100_000 },
    )
    expect(status, `${stdout}${stderr}`).toBe(0)
  })
} else {
  test('a chat and a run, counted by the kernel', async ({ launch }) => {
    const fake = await startFakeProvider()
    const before = counters()
    const session = await launch()
    const { page } = session
    writeSkill(session.home, 'tally', SKILL)
    await addProvider(session, fake, 'openai')
    fake.queue(
      { toolCalls: [{ name: 'skills_load', input: { names: ['tally'] } }] },
      { toolCalls: [{ name: 'skills_run_script', input: { path: 'scripts/tally.sh' } }] },
      { text: ['There are seven things.'] },
    )
    await sendMessage(page, 'How many things are there?')
    await expect(dock(page)).toBeVisible()
    await allowInReview(page)
    await expect(step(page, 'run-done')).toHaveAttribute('data-state', 'exit-0')
    await expect(transcript(page)).toContainText('There are seven things.')
    await expect(composer(page)).toBeEnabled()
    expect(fake.requests).toHaveLength(3)
    // The two debuggers by which this test works the window.
    expect(openServerSockets(processTree(session.pid))).toHaveLength(2)
    expect(difference(before)).toEqual({ lookups: 0, unreachable: 0, refused: 0 })

    // The counters do see what main does: a name, and an address for documentation.
    const attempts = ['http://canary.example/', 'http://203.0.113.1/']
    await session.app.evaluate(
      (_electron, urls) => Promise.allSettled(urls.map((url) => fetch(url))),
      attempts,
    )
    const seen = difference(before)
    expect(seen.unreachable + seen.lookups).toBeGreaterThanOrEqual(2)
    await session.close()
    await fake.close()
    expect(networkOf(session)).toMatchObject({ connections: [], dnsQueries: 0, names: [], requests: [] })
  })
}

interface Counters {
  /** Datagrams sent: whoever asks for a name sends one. */
  lookups: number
  /** Attempts to reach any address that is not of this computer. Here there is no way to one. */
  unreachable: number
  /** Connections to a port of this computer where nobody listens. */
  refused: number
}

function counters(): Counters {
  const udp = counter('Udp', 'OutDatagrams') + counter6('Udp6OutDatagrams')
  return { lookups: udp, unreachable: counter('Ip', 'OutNoRoutes'), refused: counter('Tcp', 'AttemptFails') }
}

function difference(before: Counters): Counters {
  const now = counters()
  return {
    lookups: now.lookups - before.lookups,
    unreachable: now.unreachable - before.unreachable,
    refused: now.refused - before.refused,
  }
}

/** Two lines for each protocol: the names of its columns and their values. */
function counter(protocol: string, name: string): number {
  const lines = readFileSync('/proc/self/net/snmp', 'utf8').split('\n')
  const [names, values] = lines
    .filter((line) => line.startsWith(`${protocol}: `))
    .map((line) => line.split(' '))
  return Number(values![names!.indexOf(name)])
}

function counter6(name: string): number {
  const found = new RegExp(`^${name}\\s+(\\d+)$`, 'm').exec(readFileSync('/proc/self/net/snmp6', 'utf8'))
  return Number(found?.[1] ?? 0)
}
