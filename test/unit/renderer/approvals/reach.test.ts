import { describe, expect, it } from 'vitest'
import { beforeWords, reachRows, writeFact } from '../../../../src/renderer/approvals/reach'
import { makePlan } from './requests'

const none = makePlan({
  sandbox: {
    backend: 'none',
    label: 'none',
    profile: 'none',
    network: 'off',
    writable: ['/x'],
    readable: [],
  },
})

function row(plan: ReturnType<typeof makePlan>, name: string) {
  return reachRows(plan).find((other) => other.name === name)
}

describe('reachRows', () => {
  it('names sandbox, network, folders, interpreter, time and input', () => {
    expect(reachRows(makePlan()).map(({ name, text }) => [name, text])).toEqual([
      ['Sandbox', 'On (bubblewrap 0.8.0)'],
      ['Profile', 'Writes in the project'],
      ['Network', 'Off'],
      ['Can read', 'the project, the skill'],
      ['Can write', '/home/ada/ops'],
      ['Can’t write', '.git (no commits), settings of editors, shells and agents'],
      ['Working folder', '/home/ada/ops'],
      ['Interpreter', '/usr/bin/python3 (3.12.4)'],
      ['Stops after', '2 minutes'],
      ['Standard input', 'Closed'],
    ])
  })

  it('hosts that a run can reach stand there in words, and as a risk', () => {
    const hosts = ['*.example.org:8443', 'api.example.com:443']
    const plan = makePlan({ sandbox: { ...makePlan().sandbox, network: 'hosts', hosts } })
    expect(row(plan, 'Network')).toEqual({
      name: 'Network',
      text: 'Can reach all names below example.org, port 8443; api.example.com, port 443',
      tone: 'risk',
    })
  })

  it('a chat without a project reads and writes its own folder, told in words and not as a path', () => {
    const rows = reachRows(makePlan(), () => 'this chat’s own folder')
    const named = (name: string) => rows.find((other) => other.name === name)
    expect(named('Can read')?.text).toBe('this chat’s own folder, the skill')
    for (const name of ['Can write', 'Working folder'])
      expect(named(name)).toMatchObject({
        text: 'this chat’s own folder',
        title: '/home/ada/ops',
        mono: false,
      })
  })

  it('a project is told as a path', () => {
    const rows = reachRows(makePlan(), () => '~/ops')
    expect(rows.filter(({ mono }) => mono).map(({ text }) => text)).toEqual([
      '~/ops',
      '~/ops',
      '/usr/bin/python3 (3.12.4)',
    ])
  })

  it.each(['Sandbox', 'Network', 'Can read', 'Can write'])('marks %s as a risk without a sandbox', (name) => {
    expect(row(none, name)?.tone).toBe('risk')
  })

  it('says "Not sandboxed" and that everything can be written, whatever the plan lists', () => {
    expect(row(none, 'Sandbox')?.text).toBe('Not sandboxed')
    expect(row(none, 'Can write')?.text).toBe('Everything you can')
  })

  it.each([
    [90_000, '90 seconds'],
    [60_000, '1 minute'],
    [1000, '1 second'],
  ])('writes %i ms as %s', (timeoutMs, words) => {
    expect(row(makePlan({ timeoutMs }), 'Stops after')?.text).toBe(words)
  })

  it.each([
    [{ stdin: 'ab' }, '2 characters given with the request'],
    [{ interactive: true }, 'Open: you can type into it while it runs'],
  ])('tells what %j means for the input', (part, words) => {
    expect(row(makePlan(part), 'Standard input')?.text).toBe(words)
  })
})

describe('writeFact', () => {
  it.each([
    [makePlan(), 'can write to this folder only'],
    [none, 'can write everything you can'],
    [makePlan({ sandbox: { ...makePlan().sandbox, writable: [] } }), 'can write nothing'],
    [makePlan({ sandbox: { ...makePlan().sandbox, writable: ['/a', '/b'] } }), 'can write to /a and /b only'],
  ])('puts the writable folders in words (%#)', (plan, words) => {
    expect(writeFact(plan)).toBe(words)
  })
})

describe('beforeWords', () => {
  const day = (): string => '12 Nov'

  it('tells runs, results and the last decision', () => {
    const before = { runs: 31, succeeded: 30, lastDecision: { choice: 'once', at: 1, sameContents: false } }
    expect(beforeWords(before, day)).toBe(
      'Ran 31 times, 30 with exit 0. Last allowed by you on 12 Nov, with different contents.',
    )
  })

  it('tells a denial, and that nothing ran', () => {
    const before = { runs: 0, succeeded: 0, lastDecision: { choice: 'deny_stop', at: 1, sameContents: true } }
    expect(beforeWords(before, day)).toBe(
      'It never ran before. Last denied by you on 12 Nov, with the same contents.',
    )
  })
})
