import type { ToolCall } from '@shared/domain/session'
import { describe, expect, test } from 'vitest'
import {
  describeStep,
  interruptedWords,
  isInterruptedHook,
  stepLabel,
} from '../../../../../src/renderer/chat/steps/steps'
import { call, failure, success } from '../../chat-fixtures'

const load = call(41, 'skills_load', {
  input: { names: ['invoices@project'] },
  envelope: success({
    active_skills: [
      { name: 'older', scope: 'personal', digest: 'a'.repeat(64), tokens: 10 },
      { name: 'invoices', scope: 'project', digest: `sha256:${'b'.repeat(64)}`, tokens: 3180 },
    ],
    unloaded: [],
  }),
})

function describeOne(step: ToolCall) {
  return describeStep(step, { [load.id]: load, [step.id]: step })
}

function run(over: Partial<ToolCall>): ToolCall {
  return call(44, 'skills_run_script', { input: { path: 'scripts/fill.py' }, ...over })
}

describe('a task of another agent', () => {
  const task = (over: Partial<ToolCall>) => call(42, 'agent', { input: { agent: 'reviewer' }, ...over })

  test('names the agent, as it works and when it has ended', () => {
    const words = [task({ state: 'running' }), task({}), task({ state: 'cancelled' })].map(describeOne)
    expect(words.map(({ verb, object }) => `${verb} ${object}`)).toEqual([
      'Handing work to reviewer',
      'Handed work to reviewer',
      'Stopped the work of reviewer',
    ])
  })
})

describe('loads and reads', () => {
  test('a load names the skill, its scope, its digest and its cost', () => {
    expect(describeOne(load)).toMatchObject({
      kind: 'skill-loaded',
      verb: 'Loaded',
      object: 'invoices',
      skill: 'invoices',
      scope: 'project',
      hash: 'b'.repeat(64),
      cost: '+3,180 tokens',
    })
  })

  test('what a person loaded or unloaded says so', () => {
    expect(describeOne({ ...load, byPerson: true }).verb).toBe('You loaded')
    const unload = call(45, 'skills_unload', { input: { names: ['invoices'] }, byPerson: true })
    expect(describeOne(unload).verb).toBe('You unloaded')
  })

  test('a proposal says that nothing is changed yet', () => {
    const step = call(45, 'skills_propose_update', { input: { name: 'invoices' } })
    expect(describeOne(step)).toMatchObject({
      kind: 'proposal',
      verb: 'Proposed a change to',
      object: 'invoices',
      detail: 'nothing is changed until you decide',
    })
  })

  test('a load that replaces says what went', () => {
    const replace = call(45, 'skills_load', {
      input: { names: ['invoices'] },
      envelope: success({ active_skills: [], unloaded: ['older'] }),
    })
    expect(describeOne(replace).detail).toBe('instead of older')
  })

  test('a failed load says why', () => {
    const failed = call(45, 'skills_load', {
      input: { names: ['nope'] },
      state: 'failed',
      envelope: failure('not_found', 'There is no skill "nope".'),
    })
    expect(describeOne(failed)).toMatchObject({
      kind: 'error',
      state: 'not_found',
      detail: 'There is no skill "nope".',
    })
  })

  test('a read belongs to the skill that was loaded last, and counts what it added', () => {
    const envelope = success({
      content: 'x'.repeat(4960),
      from_line: 1,
      to_line: 120,
      total_lines: 410,
    })
    const read = call(42, 'skills_read', { input: { path: 'references/forms.md' }, envelope })
    expect(describeOne(read)).toMatchObject({
      kind: 'file-read',
      object: 'references/forms.md',
      detail: 'lines 1–120 of 410',
      // As `meterOf` counts it: all that came back, not the text alone.
      cost: '+1,060 tokens',
      skill: 'invoices',
      scope: 'project',
    })
  })

  test('a read of a whole file leaves the total out', () => {
    const read = call(42, 'skills_read', {
      input: { path: 'a.md' },
      envelope: success({ content: 'a', from_line: 1, to_line: 3, total_lines: 3 }),
    })
    expect(describeOne(read).detail).toBe('lines 1–3')
  })

  test('an unload names the skill', () => {
    const unload = call(46, 'skills_unload', {
      input: { names: ['invoices'] },
      envelope: success({ active_skills: [] }),
    })
    expect(describeOne(unload)).toMatchObject({
      kind: 'skill-unloaded',
      object: 'invoices',
      skill: 'invoices',
    })
  })
})

describe('runs', () => {
  test.each<[string, Partial<ToolCall>, object]>([
    [
      'waits',
      { state: 'awaiting_approval' },
      { kind: 'run-requested', state: 'waiting', verb: 'Waiting for you' },
    ],
    ['runs', { state: 'running' }, { kind: 'run-started', state: 'running' }],
    [
      'succeeded',
      {
        envelope: success({ exit_code: 0, duration_ms: 1800, files_changed: [{ path: 'a' }, { path: 'b' }] }),
      },
      {
        kind: 'run-done',
        state: 'exit-0',
        status: { text: 'exit 0', tone: 'ok' },
        duration: '1.8 s',
        cost: 'wrote 2 files',
      },
    ],
    [
      'removed a file',
      { envelope: success({ exit_code: 0, files_changed: [{ path: 'a', kind: 'deleted' }] }) },
      { kind: 'run-done', cost: 'changed 1 file' },
    ],
    [
      'failed by itself',
      { envelope: success({ exit_code: 3, duration_ms: 1 }) },
      { kind: 'run-done', state: 'exit-3', status: { text: 'exit 3', tone: 'bad' } },
    ],
    [
      'was denied',
      { state: 'denied', envelope: { ...failure('denied', 'told'), partial: { note: 'wrong folder' } } },
      { kind: 'run-denied', detail: '“wrong folder”' },
    ],
    [
      'timed out',
      { state: 'failed', envelope: failure('timed_out', 'x') },
      { kind: 'run-done', state: 'timed_out' },
    ],
    [
      'was killed',
      {
        state: 'failed',
        runId: 'run_1',
        envelope: { ...failure('killed', 'x'), partial: { duration_ms: 3200 } },
      },
      { kind: 'run-done', state: 'killed', verb: 'Stopped', detail: 'after 3.2 s' },
    ],
    [
      'was stopped while it ran',
      {
        state: 'cancelled',
        runId: 'run_1',
        envelope: { ...failure('killed', 'x'), partial: { duration_ms: 3200 } },
      },
      { kind: 'run-done', state: 'killed', verb: 'Stopped', detail: 'after 3.2 s' },
    ],
    [
      'was stopped while it ran, with a result that tells no time',
      {
        state: 'cancelled',
        runId: 'run_1',
        startedAt: 1000,
        endedAt: 2500,
        envelope: failure('cancelled', 'x'),
      },
      { kind: 'run-done', state: 'killed', verb: 'Stopped', detail: 'after 1.5 s' },
    ],
    [
      'was interrupted',
      { state: 'interrupted', runId: 'run_1' },
      { kind: 'run-done', state: 'interrupted', status: { text: 'interrupted', tone: 'bad' } },
    ],
    ['changed while it waited', { state: 'stale' }, { kind: 'run-blocked', state: 'stale' }],
    [
      'was cancelled before it ran',
      { state: 'cancelled' },
      { kind: 'run-blocked', state: 'cancelled', verb: 'Did not run' },
    ],
    [
      'had no sandbox',
      { state: 'failed', envelope: failure('sandbox_failed', 'No sandbox.') },
      { kind: 'run-blocked', detail: 'No sandbox. Settings says why, under “Sandbox and runs”.' },
    ],
    [
      'had no interpreter',
      { state: 'failed', envelope: failure('no_interpreter', 'Install ruby.') },
      { kind: 'error', detail: 'Install ruby.' },
    ],
  ])('a script that %s', (_what, over, view) => {
    expect(describeOne(run(over))).toMatchObject({ object: 'scripts/fill.py', skill: 'invoices', ...view })
  })

  test('a run belongs to the skill it names, also when that one was not loaded', () => {
    expect(describeOne(run({ input: { path: 'a.sh', skill: 'other@personal' } })).skill).toBe('other')
  })

  test('a load after the run does not claim it', () => {
    const early = call(40, 'skills_run_script', { input: { path: 'a.sh' } })
    expect(describeOne(early).skill).toBeUndefined()
  })
})

test('a tool that an active skill does not allow is shown as blocked', () => {
  const blocked = call(47, 'Write', {
    state: 'failed',
    envelope: failure('tool_not_allowed', "Tool 'Write' not allowed"),
  })
  expect(describeOne(blocked)).toMatchObject({
    kind: 'tool-blocked',
    object: 'Write',
    detail: "Tool 'Write' not allowed",
  })
})

test.each([
  { envelope: success(null) },
  { envelope: success('text') },
  { envelope: success({ active_skills: 'x' }) },
  { envelope: null },
])('a result of an unexpected shape %o is still described', (over) => {
  for (const name of ['skills_load', 'skills_unload', 'skills_read', 'skills_run_script', 'unknown']) {
    expect(describeOne(call(50, name, over)).verb).not.toBe('')
  }
})

test.each<[string, ToolCall['state'], string]>([
  ['skills_load', 'interrupted', 'Did not load'],
  ['skills_load', 'cancelled', 'Did not load'],
  ['skills_read', 'interrupted', 'Did not read'],
  ['skills_read', 'ready', 'Reading'],
])('%s that is %s says "%s"', (name, state, verb) => {
  expect(describeOne(call(51, name, { state, input: { names: ['a'], path: 'a.md' } })).verb).toBe(verb)
})

test('a failed step says what went wrong and what a person can do, without words for the model', () => {
  const missing = run({
    state: 'failed',
    envelope: failure('not_found', '"pdf" has no script "scripts/fill.py". skills_read lists its files.'),
  })
  expect(describeOne(missing).detail).toBe(
    '"pdf" has no script "scripts/fill.py". Add the file to the skill, or correct its name in the SKILL.md.',
  )
})

test.each([
  [null, 'Interrupted: Satchel ended while it ran. It is not run again by itself.'],
  [
    failure('interrupted', 'Its result could not be saved. Look at what it did.'),
    'Interrupted: Its result could not be saved. Look at what it did.',
  ],
])('an interrupted run with the result %o says what that means', (envelope, words) => {
  expect(interruptedWords(run({ state: 'interrupted', runId: 'run_1', envelope }))).toBe(words)
})

test('only what had a run is told as an interrupted hook', () => {
  const load = (runId: string | null) => call(52, 'skills_load', { state: 'interrupted', runId })
  expect([isInterruptedHook(load('run_1')), isInterruptedHook(load(null))]).toEqual([true, false])
})

test('a screen reader hears step, what happened and how it ended', () => {
  const done = run({ envelope: success({ exit_code: 0, duration_ms: 1800 }) })
  expect(stepLabel(done, describeOne(done))).toBe('Step 44, Ran scripts/fill.py, exit 0, 1.8 s')
})

describe('a call of an MCP tool', () => {
  const mcp = (over: Partial<ToolCall>) => call(43, 'mcp__tickets__list', { input: {}, ...over })

  test('that waits says for whom, and one that was denied by whom', () => {
    const waiting = describeOne(mcp({ state: 'awaiting_approval', envelope: null }))
    expect(waiting).toMatchObject({ kind: 'run-requested', verb: 'Waiting for you', detail: 'to call' })
    expect(describeOne(mcp({ state: 'denied' })).verb).toBe('You denied')
  })

  test('that its server calls an error is marked', () => {
    const failed = mcp({ envelope: success({ content: 'no such ticket', is_error: true }) })
    expect(describeOne(failed)).toMatchObject({ verb: 'Used', status: { text: 'error', tone: 'bad' } })
  })
})
