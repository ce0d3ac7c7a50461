import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Decision } from '@shared/domain/approval'
import { AuditAction } from '@shared/domain/audit'
import { extendRequest } from '../../../../src/main/app/follow-time'
import { BOIL, createKit, type Kit } from '../sessions/kit'

const root = join(import.meta.dirname, '../../../..')

test('the page of the audit names every kind of event, and none that there is not', () => {
  const page = readFileSync(join(root, 'docs/audit.md'), 'utf8')
  const named = [...page.matchAll(/^\| `([a-z]+\.[a-z_]+)`/gm)].map(([, kind]) => kind!)
  expect(named.toSorted()).toEqual([...AuditAction.options].toSorted())
})

/** What a person or the app does in a chat in which a script waits to be run. */
type Deed = (kit: Kit, chat: string) => unknown

function answer(choice: Decision['choice'], over: Partial<Decision> = {}): Deed {
  return (kit, chat) => {
    const { id: requestId, revision, planHash } = kit.waiting(chat)
    const remember: Partial<Decision> =
      choice === 'always' || choice === 'chat' ? { remember: { args: 'exact', days: 30 } } : {}
    return kit.sessions.decide({
      requestId,
      revision,
      planHash,
      choice,
      acknowledged: [],
      ...remember,
      ...over,
    })
  }
}

/** The same call in the same chat after the first was answered. */
const again: Deed = async (kit, chat) => {
  await kit.until(chat, 'idle')
  kit.answers.push({ calls: [BOIL] })
  await kit.say(chat, 'again')
}

const ruleId = (kit: Kit) => kit.deps.rules.list([]).rules[0]!.id

const DEEDS: [AuditAction, Deed[]][] = [
  ['request.created', []],
  ['request.allowed', [answer('once')]],
  ['request.denied', [answer('deny')]],
  ['request.auto_allowed', [answer('always'), again]],
  ['request.auto_denied', [answer('deny_always'), again]],
  [
    'request.refused',
    [
      (kit, chat) =>
        expect(answer('once', { planHash: 'e'.repeat(64) })(kit, chat)).rejects.toThrow('changed'),
    ],
  ],
  ['request.edited', [answer('edit', { edited: { args: ['--hot'] } })]],
  ['request.stale', [(kit, chat) => kit.sessions.unloadSkill(chat, 'jam'), answer('once')]],
  ['request.cancelled', [(kit, chat) => kit.sessions.stop(chat, false)]],
  ['request.expired', [(kit, chat) => kit.sessions.expire(kit.waiting(chat).id, 'nobody is there')]],
  [
    'request.extended',
    [
      (kit, chat) => {
        const policy = { now: () => ({ policy: { request_timeout_minutes: 5 } }) as never }
        extendRequest({ ...kit.deps, policy }, kit.waiting(chat).id)
      },
    ],
  ],
  [
    'request.superseded',
    [
      async (kit, chat) => {
        const other = kit.chat()
        kit.askToBoil()
        await kit.say(other, 'boil', 'awaiting_approval')
        await answer('always')(kit, chat)
        await kit.sessions.settleByRules(true)
      },
    ],
  ],
  ['rule.created', [answer('always')]],
  ['rule.changed', [answer('always'), (kit) => kit.deps.rules.change({ id: ruleId(kit), state: 'off' })]],
  ['rule.revoked', [answer('always'), (kit) => kit.deps.rules.change({ id: ruleId(kit), state: 'revoked' })]],
  [
    'rule.disabled',
    [
      answer('always'),
      (kit) => {
        const broken = `UPDATE rules SET body = json_set(body, '$.match.fingerprint', ?)`
        kit.deps.db.sql.prepare(broken).run('e'.repeat(64))
        kit.deps.rules.test()
      },
    ],
  ],
  ['mode.changed', [(kit, chat) => kit.sessions.setMode(chat, 'every-time')]],
]

describe('what is decided about a request', () => {
  let kit: Kit
  beforeEach(async () => {
    kit = await createKit()
  })
  afterEach(() => kit.remove())

  test.each(DEEDS)('%s is written by what a person or the app does', async (kind, deeds) => {
    const chat = kit.chat()
    kit.askToBoil()
    await kit.say(chat, 'boil', 'awaiting_approval')
    const before = kit.actions().filter((action) => action === kind).length
    if (deeds.length > 0) expect(before).toBe(0)
    for (const deed of deeds) await deed(kit, chat)
    expect(kit.actions()).toContain(kind)
  })

  test('every kind of a request, a rule and a mode is in this table', () => {
    const kinds = AuditAction.options.filter((kind) => /^(?:request|rule|mode)\./.test(kind))
    expect(DEEDS.map(([kind]) => kind).toSorted()).toEqual(kinds.toSorted())
  })
})
