import { describe, expect, it } from 'vitest'
import { nearestNames } from '../../../../../src/main/skills/registry/nearest'
import { resolvePrecedence } from '../../../../../src/main/skills/registry/precedence'
import type { SkillRecord } from '../../../../../src/main/skills/record'
import { resolveName } from '../../../../../src/main/skills/registry/resolve'
import { copyFor, PLAIN_RULES } from '../copies'

const plugin = (name: string, installedAt: number) => ({ plugin: { name, installedAt } })

const personal = copyFor('personal', '/p/pdf-tools', { name: 'pdf' })
const bundled = copyFor('bundled', '/b/pdf', { name: 'pdf' })
const claude = copyFor('shared personal', '/c/pdf', {
  name: 'pdf',
  root: { tool: { id: 'claude-code', name: 'Claude Code' } },
})
const csv = copyFor('bundled', '/b/csv-report', { name: 'csv-report' })
const labelled = copyFor('personal', '/p/dev', { name: 'agent-development', label: 'Agent Development' })
const slashed = copyFor('personal', '/p/web', { name: 'ui-toolkit-web', label: 'ui-toolkit/web' })
const broken = copyFor('personal', '/p/bad', {
  name: 'bad',
  broken: true,
  brokenReason: 'SKILL.md is empty.',
})
const inert = copyFor('project', '/w/deploy', { name: 'deploy' })
const twins = [
  copyFor('personal', '/p/twin', { name: 'one' }),
  copyFor('personal', '/q/twin', { name: 'two' }),
]
const oldPlugin = copyFor('plugin', '/x/lint', { name: 'lint', root: plugin('Acme', 1) })
const newPlugin = copyFor('plugin', '/y/lint', { name: 'lint', root: plugin('tools', 2) })
const onePlugin = copyFor('plugin', '/y/fix', { name: 'fix', root: plugin('tools', 2) })
const zoom = copyFor('personal', '/p/zoom', { name: 'zoom' })
const ios = copyFor('personal', '/p/zoom/meeting/ios', { name: 'zoom-ios', parent: zoom.key })
const lostIos = copyFor('personal', '/p/zoom/lost', {
  name: 'lost',
  parent: zoom.key,
  broken: true,
  brokenReason: 'SKILL.md is empty.',
})
const lowZoom = copyFor('bundled', '/b/zoom', { name: 'zoom' })
const android = copyFor('bundled', '/b/zoom/android', { name: 'android', parent: lowZoom.key })
const off = copyFor('personal', '/p/quiet', { name: 'quiet' })
const elsewhere = copyFor('personal', '/p/far', {
  name: 'far',
  availableTo: { tenants: ['acme'], environments: null, agents: null },
})

const skills = [personal, bundled, claude, csv, labelled, slashed, broken, inert, ...twins]
const more = [oldPlugin, newPlugin, onePlugin, zoom, ios, lostIos, lowZoom, android, off, elsewhere]
const entries = resolvePrecedence([...skills, ...more], {
  ...PLAIN_RULES,
  trusted: (record) => record.projectDir === null,
  off: (name) => (name === 'quiet' ? 'You turned it off everywhere.' : null),
})

describe('a name', () => {
  it.each<[string, SkillRecord]>([
    ['pdf', personal],
    ['PDF', personal],
    [' pdf ', personal],
    ['\uff50df', personal],
    ['pdf@personal', personal],
    ['pdf@bundled', bundled],
    ['pdf@Bundled', bundled],
    ['pdf@shared', claude],
    ['pdf@claude-code', claude],
    ['pdf@Claude Code', claude],
    ['pdf-tools', personal],
    ['csv-report', csv],
    ['Agent Development', labelled],
    ['ui-toolkit/web', slashed],
    ['lint@acme', oldPlugin],
    ['lint@tools', newPlugin],
    ['lint@plugin', newPlugin],
    ['fix', onePlugin],
    ['zoom/zoom-ios', ios],
    ['zoom/IOS', ios],
    ['Zoom@personal/ios', ios],
    ['zoom@bundled/android', android],
    ['zoom/android@bundled', android],
  ])('%j means the copy that is used, or that of the named scope or package', (name, record) => {
    expect(resolveName(entries, name)).toMatchObject({ ok: true, record })
  })

  it.each([
    ['pfd', ['pdf']],
    ['csv', ['csv-report']],
    ['zzzzzz', []],
    ['pdf@project', ['pdf@personal', 'pdf@claude-code', 'pdf@bundled']],
    ['lint@other', ['lint@tools', 'lint@Acme']],
    ['zoom-ios', ['zoom']],
    ['ios', []],
    ['zoom/android', ['zoom']],
    ['zoom/nothing', ['zoom']],
    ['zoom/', ['zoom']],
    ['/zoom', ['zoom']],
    ['@personal', []],
    ['', []],
  ])('%j is not found, with the nearest names', (name, nearest) => {
    const found = resolveName(entries, name)
    expect(found).toMatchObject({ ok: false, code: 'not_found', nearest })
    expect(found.ok ? '' : found.message).toContain(`There is no skill "${name}".`)
  })

  it.each([
    [
      'bad',
      'broken',
      'The skill "bad" can\'t be used: SKILL.md is empty. Open it in Skills to see what to do.',
    ],
    [
      'zoom/lost',
      'broken',
      'The skill "lost" can\'t be used: SKILL.md is empty. Open it in Skills to see what to do.',
    ],
    [
      'deploy',
      'not_trusted',
      'The skill "deploy" belongs to a project that is not trusted. Trust the folder to use it.',
    ],
    [
      'deploy@project',
      'not_trusted',
      'The skill "deploy" belongs to a project that is not trusted. Trust the folder to use it.',
    ],
    ['twin', 'ambiguous', '"twin" could mean one or two. Name one of them.'],
    ['quiet', 'not_found', 'The skill "quiet" is off: You turned it off everywhere.'],
    ['quiet@personal', 'not_found', 'The skill "quiet" is off: You turned it off everywhere.'],
    ['far', 'not_found', 'The skill "far" is not available here: Only for the tenant acme; none is set.'],
    [
      'pdf@project',
      'not_found',
      'There is no skill "pdf@project". There is pdf@personal, pdf@claude-code, pdf@bundled.',
    ],
    ['pfd', 'not_found', 'There is no skill "pfd". Did you mean pdf?'],
  ])('%s gives %s with a sentence that says what to do', (name, code, message) => {
    expect(resolveName(entries, name)).toMatchObject({ ok: false, code, message })
  })
})

describe('two plugins with one skill name', () => {
  it('give the one installed last, with a warning that says how to call each', () => {
    expect(resolveName(entries, 'lint')).toEqual({
      ok: true,
      record: newPlugin,
      warning:
        'Several plugins have a skill "lint". That of tools is used. To name one: lint@tools, lint@Acme.',
    })
  })

  it('need no warning when the package was named', () => {
    expect(resolveName(entries, 'lint@tools')).toEqual({ ok: true, record: newPlugin })
  })
})

describe('the nearest of 10,000 names', () => {
  const words = ['parse', 'report', 'deploy', 'review', 'notes', 'table', 'chart', 'audit', 'merge', 'clean']
  const names = Array.from({ length: 10_000 }, (_, at) =>
    Array.from(String(at).padStart(4, '0'))
      .map((digit) => words[Number(digit)]!)
      .join('-'),
  )

  it('are found soon, with everything else that a name could mean', () => {
    const all = names.map((name) => copyFor('bundled', `/b/${name}`, { name }))
    const view = resolvePrecedence(all, PLAIN_RULES)
    const times = Array.from({ length: 20 }, () => {
      const start = process.cpuUsage()
      expect(resolveName(view, 'parse-report-deploy-revue').ok).toBe(false)
      const { user, system } = process.cpuUsage(start)
      return (user + system) / 1000
    })
    // A guard against hanging: the goal is 20 ms.
    expect(Math.min(...times)).toBeLessThan(200)
  })

  it('are the closest ones', () => {
    expect(nearestNames('parse-report-deploy-revue', names)[0]).toBe('parse-report-deploy-review')
  })

  it('of an endless name are none, at once', () => {
    expect(nearestNames('x'.repeat(1_000_000), names)).toEqual([])
  })
})

describe('a skill that is broken for agents only', () => {
  const bare = copyFor('personal', '/p/bare', {
    name: 'bare',
    broken: true,
    byHand: true,
    brokenReason: 'No frontmatter.',
  })
  const also = copyFor('bundled', '/b/bare', { name: 'bare', broken: true, byHand: true })
  const good = copyFor('bundled', '/b/bare', { name: 'bare' })
  const seen = (records: SkillRecord[], rules = {}) =>
    resolveName(resolvePrecedence(records, { ...PLAIN_RULES, ...rules }), 'bare')

  it('is refused, and says which copy a person means', () => {
    const message = 'Only a person can load "bare": No frontmatter.'
    const expected = { ok: false, code: 'broken', message, nearest: [], byHand: bare }
    expect(seen([also, bare])).toEqual(expected)
  })

  it('gives way to a copy that is whole', () => {
    expect(seen([bare, good])).toEqual({ ok: true, record: good })
  })

  it.each([
    ['is off', { off: () => 'You turned it off.' }],
    ['is blocked', { blocked: () => 'Not allowed.' }],
    ['is not trusted', { trusted: () => false }],
  ])('means nothing to a person where it %s', (_what, rules) => {
    expect(seen([bare], rules)).not.toHaveProperty('byHand')
  })
})
