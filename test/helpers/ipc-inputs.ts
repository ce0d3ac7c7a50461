import type { z } from 'zod'
import { runPlanOf, type RequestSummary } from '@shared/domain/approval'
import { contract, type AppContract } from '@shared/ipc/contract'
import type { Random } from './random'

/** What a compromised page would know of the app. */
export interface Known {
  sessions: string[]
  requests: RequestSummary[]
  keys: string[]
  dirs: string[]
}

/** An input for one call: a fitting one, one with wrong fields, or something else altogether. */
export function hostileInput(random: Random, name: keyof AppContract, known: Known): unknown {
  if (random.chance(0.1)) return random.pick(HOSTILE)
  const input: Record<string, unknown> = {}
  for (const key of fieldsOf(contract[name].input)) {
    if (random.chance(0.9))
      setOwn(input, key, random.chance(0.75) ? fitting(random, key, known) : odd(random, 2))
  }
  if (random.chance(0.15)) setOwn(input, random.pick(ODD_KEYS), odd(random, 2))
  return name === 'approvals.decide' ? neverValid(random, input, known) : input
}

function fieldsOf(schema: z.ZodType): string[] {
  const { shape } = schema as { shape?: Record<string, unknown> }
  return shape ? Object.keys(shape) : []
}

/** Also for `__proto__`, as JSON.parse would. */
function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}

/** A decision that no person could have sent: the right request with another's hash, or another revision. */
function neverValid(random: Random, input: Record<string, unknown>, known: Known): Record<string, unknown> {
  const request = known.requests.find(({ id }) => id === input['requestId'])
  if (!request || input['choice'] !== 'once' || input['planHash'] !== request.planHash) return input
  const other = known.requests.find(({ planHash }) => planHash !== request.planHash)
  if (other && random.chance(0.5)) return { ...input, planHash: other.planHash }
  return { ...input, revision: request.revision + 1 + random.int(3) }
}

const LONG = 'x'.repeat(5000)

function fitting(random: Random, key: string, known: Known): unknown {
  const request = random.pick(known.requests)
  const values: Record<string, readonly unknown[]> = {
    sessionId: known.sessions,
    requestId: known.requests.map(({ id }) => id),
    planHash: [request.planHash, 'f'.repeat(64), runPlanOf(request.plan)?.script?.sha256],
    revision: [1, 2],
    choice: ['once', 'once', 'deny', 'deny_stop', 'always'],
    acknowledged: [[], request.findings.map(({ id }) => id)],
    runId: ['run_1', request.id, '../../satchel.db'],
    key: known.keys,
    path: ['SKILL.md', 'scripts/boil.sh', '../../../data/satchel.db', '/etc/passwd', '%2e%2e/x', '.'],
    dir: [...known.dirs, '/proc/self', `${known.dirs[0]}/../kitchen`, 'relative', '/nonexistent'],
    projectDir: [null, null, ...known.dirs, '/nonexistent'],
    trusted: [true, false],
    on: [true, false],
    agent: ['reviewer', '', LONG],
    text: ['Hello', 'Please boil some quince marmalade', LONG, '<b>x</b>', '\u0000\u202E'],
    name: ['marmalade', 'Marmalade', 'marmalade@personal', 'nobody', '../x'],
    title: ['A title', '\u202Eevil', ' '],
    model: ['practice/scripted', 'none/such', 'fuzz/model', 'x'],
    defaultModel: ['practice/scripted', 'fuzz/model'],
    query: ['marmalade', '"', 'a OR b NEAR(', '*', "'; DROP TABLE skills; --", '\u0000'],
    id: ['fuzz', 'practice', 'missing'],
    kind: ['anthropic', 'openai-compatible', 'practice'],
    label: ['Fuzz'],
    baseUrl: ['http://127.0.0.1:9/v1', 'file:///etc/passwd', 'javascript:1', 'https://user:pw@x.test/'],
    models: [['model'], []],
    url: ['https://x.test/', 'file:///etc/passwd', 'javascript:alert(1)', 'satchel://x'],
    from: [0, 10, -1, 1e9],
    limit: [1, 500, 501],
    before: [1, 1e9],
    cols: [80, 1],
    rows: [24, 1000],
    data: ['y\n', '\u0003'],
    force: [true, false],
    theme: ['dark', 'light', 'pink'],
    note: ['no', LONG],
  }
  return Object.hasOwn(values, key) ? random.pick(values[key]!) : odd(random, 1)
}

const ODD_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'then',
  'toJSON',
  '',
  '0',
  'choice ',
  'a.b',
]

/** What can be cloned over a port and is JSON. */
const HOSTILE: readonly unknown[] = [
  null,
  undefined,
  true,
  0,
  -1,
  -0,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.MAX_SAFE_INTEGER + 1,
  '',
  ' ',
  '\u0000',
  '\uD800',
  '../../../etc/passwd',
  '/a'.repeat(3000),
  LONG,
  'x'.repeat(1_100_000),
  [],
  [[], [[]]],
  Array.from({ length: 1000 }, () => 0),
  {},
  new Date(0),
  new Map([['sessionId', 'x']]),
  new Set([1]),
  /x/,
  new Uint8Array(8),
  new Error('x'),
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
  Object.assign(Object.create(null) as object, { polluted: true }),
  nested(500),
]

function odd(random: Random, depth: number): unknown {
  if (depth > 0 && random.chance(0.2)) {
    const inner: Record<string, unknown> = {}
    setOwn(inner, random.pick(ODD_KEYS), odd(random, depth - 1))
    return random.chance(0.5) ? inner : [inner]
  }
  return random.pick(HOSTILE)
}

function nested(depth: number): unknown {
  let value: unknown = 0
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}
