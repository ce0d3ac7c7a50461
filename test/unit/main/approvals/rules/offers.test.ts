import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RequestPlan, RunPlan } from '@shared/domain/approval'
import type { ArgScope } from '@shared/domain/arg-scope'
import { decideByRules, type Facts } from '../../../../../src/main/approvals/rules/decide'
import { fingerprint } from '../../../../../src/main/approvals/rules/fingerprint'
import { hostileVariants } from '../../../../../src/main/approvals/rules/hostile'
import {
  allowingRule,
  asRule,
  denyingRule,
  offersFor,
  problemOf,
} from '../../../../../src/main/approvals/rules/offers'
import { edit, factsOf, mcp, rule, script, shell } from './plans'

const grounds = { rules: [], mode: 'ask' as const, now: 5 }
const withArgs = (...args: string[]): RunPlan => ({ ...script, argv: [...script.argv.slice(0, 2), ...args] })
const ruleFor = (facts: Facts, args: ArgScope) =>
  asRule(allowingRule(facts, args, { lifetime: 'always', expiresAt: null }), 1)
const allows = (made: Facts, args: ArgScope, plan: RequestPlan) =>
  decideByRules({ ...made, plan }, { ...grounds, rules: [ruleFor(made, args)] }).outcome === 'allow'

describe('offersFor', () => {
  test.each([
    ['a script with flags and values', script, ['exact', 'flags', 'anyArgs']],
    ['a script with flags alone', withArgs('--fast'), ['exact', 'anyArgs']],
    ['a script without arguments', withArgs(), ['exact', 'anyArgs']],
    ['an option that starts a program', withArgs('--upload-pack=evil'), ['exact']],
    ['an address', withArgs('--from', 'file:///etc/passwd'), ['exact']],
    ['a hidden character', withArgs('a\u202Eb'), ['exact']],
    ['a command', shell('ls -l docs'), ['exact']],
    ['a call of an MCP tool', mcp, ['exact']],
    ['a change of a file', edit, []],
    ['a command of a shell', shell('bash x.sh'), []],
  ] as const)('%s', (_, plan, args) => {
    expect(offersFor(factsOf(plan), grounds).args).toEqual(args)
  })

  test('says why nothing is offered', () => {
    expect(offersFor(factsOf(shell('sudo ls')), grounds).why).toBe('“sudo” can start other programs.')
    expect(offersFor(factsOf(script), { ...grounds, mode: 'every-time' }).why).toBe(
      'This chat asks every time.',
    )
  })

  test('offers nothing that an asking rule would keep from counting', () => {
    const asking = rule({ effect: 'ask', match: { shape: 'skill', skill: 'pdf' } })
    expect(offersFor(factsOf(script), { ...grounds, rules: [asking] })).toEqual({
      args: [],
      why: 'A rule of yours asks for this every time.',
    })
  })
})

describe('an offered rule', () => {
  test('with exact arguments takes no other', () => {
    expect(allows(factsOf(script), 'exact', script)).toBe(true)
    expect(allows(factsOf(script), 'exact', withArgs('--data', 'b.csv', '--fast'))).toBe(false)
  })

  test('with the same flags takes other values in their places, and nothing more', () => {
    const made = factsOf(script)
    expect(allows(made, 'flags', withArgs('--data', 'b.csv', '--fast'))).toBe(true)
    for (const args of [
      ['--data', '--fast', 'b.csv'],
      ['--other', 'b.csv', '--fast'],
      ['--data', 'b.csv', 'c.csv', '--fast'],
      ['--data', '--evil', '--fast'],
      ['--data', 'file:///etc/passwd', '--fast'],
      ['--data', 'b\u202E.csv', '--fast'],
      ['--data', 'b.csv', '--fast', ''],
    ])
      expect(allows(made, 'flags', withArgs(...args))).toBe(false)
  })

  test('with any arguments takes none that starts a program', () => {
    const made = factsOf(script)
    expect(allows(made, 'anyArgs', withArgs('x', '--y=1'))).toBe(true)
    for (const arg of [
      '--upload-pack=evil',
      '-oProxyCommand=x',
      '--checkpoint-act=exec=x',
      '\u001b[2K',
      '-c',
    ])
      expect(allows(made, 'anyArgs', withArgs('x', arg))).toBe(false)
  })

  test('goes on when another skill is active too, the time limit or the words for the sandbox change', () => {
    const other = {
      ...script,
      timeoutMs: 5,
      mounts: [...script.mounts, { name: 'tea', treeDigest: 'e'.repeat(64) }],
      sandbox: { ...script.sandbox, label: 'bubblewrap 9' },
    }
    expect(allows(factsOf(script), 'exact', other)).toBe(true)
  })

  test('of a chat without a project is for the own folder of every such chat', () => {
    const own = (dir: string) => ({
      ...script,
      cwd: dir,
      workspace: dir,
      sandbox: { ...script.sandbox, writable: [dir] },
    })
    const made = factsOf(own('/data/ses_1'), { projectDir: null })
    expect(allows(made, 'exact', own('/data/ses_2'))).toBe(true)
    expect(allows(made, 'exact', { ...own('/data/ses_2'), cwd: '/home' })).toBe(false)
  })

  const plans: readonly [string, RequestPlan][] = [
    ['script', script],
    ['hook', { ...script, kind: 'hook' }],
    ['command', shell('ls -l docs')],
    ['MCP call', mcp],
  ]
  const cases = plans.flatMap(([kind, plan]) =>
    (['exact', 'flags', 'anyArgs'] as const).flatMap((args) =>
      hostileVariants(plan, '/w')
        .filter(({ unless }) => !unless?.includes(args))
        .map(({ name, plan: other }) => ({ kind, args, name, plan, other })),
    ),
  )
  test.each(cases)('of a $kind with $args is no answer to: $name', ({ plan, args, other }) => {
    expect(allows(factsOf(plan), args, other)).toBe(false)
  })

  test('never allows a request of another fingerprint', () => {
    const arg = fc.oneof(
      fc.constantFrom('--data', '--fast', '-x', 'a.csv', 'b.csv', '--upload-pack=evil', '--', '', 'file:/x'),
      fc.string({ maxLength: 6 }),
    )
    const plan = fc
      .record({
        args: fc.array(arg, { maxLength: 4 }),
        env: fc.constantFrom('', 'A'),
        stdin: fc.constantFrom(null, 'yes'),
        cwd: fc.constantFrom('/w', '/w/sub'),
        digest: fc.constantFrom('a', 'b'),
        network: fc.constantFrom('off' as const, 'on' as const),
      })
      .map(({ args, env, stdin, cwd, digest, network }) => ({
        ...withArgs(...args),
        env: env === '' ? [] : [{ name: env, value: '1' }],
        stdin,
        cwd,
        skill: { ...script.skill!, treeDigest: digest.repeat(64) },
        sandbox: { ...script.sandbox, network },
      }))
    fc.assert(
      fc.property(plan, plan, (made, other) => {
        for (const args of offersFor(factsOf(made), grounds).args) {
          const same = fingerprint(made, args, '/w') === fingerprint(other, args, '/w')
          expect(allows(factsOf(made), args, other)).toBe(same && other.sandbox.network === 'off')
          expect(allows(factsOf(made), args, made)).toBe(true)
        }
      }),
    )
  })
})

describe('problemOf', () => {
  test('finds nothing wrong with an offered rule', () => {
    expect(problemOf(ruleFor(factsOf(script), 'anyArgs'), 5)).toBeNull()
  })

  test('finds a rule that no longer matches what it was made from', () => {
    const made = ruleFor(factsOf(script), 'exact')
    expect(problemOf({ ...made, example: withArgs('other') }, 5)).toBe(
      'It no longer matches what it was made from.',
    )
    expect(problemOf({ ...made, example: null }, 5)).toBe('It does not say what it was made from.')
  })
})

test('"Always deny" names the script, the file or the tool; a command has no name', () => {
  expect(denyingRule(factsOf(script))?.match).toMatchObject({ shape: 'script', path: 'scripts/fill.py' })
  expect(denyingRule(factsOf(edit))?.match).toEqual({ shape: 'tool', tool: 'Write', path: 'docs/notes.md' })
  expect(denyingRule(factsOf(mcp))?.match).toEqual({ shape: 'tool', tool: 'mcp__tickets__search' })
  expect(denyingRule(factsOf(shell('ls')))).toBeNull()
})
