import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Envelope } from '@shared/domain/session'
import { splitDiff } from '../../../../../src/main/sessions/tools/proposed-files'
import { createKit, type Kit } from '../kit'

const SKILL_MD = '---\nname: jam\ndescription: Boils jam.\n---\nBoil it.\nStir it.\n'
const FILES = {
  'SKILL.md': SKILL_MD,
  'references/rules.md': 'one\ntwo\n',
  'scripts/boil.sh': 'echo boiled\n',
}
const DIFF =
  '--- a/SKILL.md\n+++ b/SKILL.md\n@@ -5,2 +5,3 @@\n Boil it.\n-Stir it.\n+Stir it slowly.\n+Taste it.\n'

let kit: Kit
let id: string

beforeEach(async () => {
  kit = await createKit({ skills: { jam: FILES } })
  id = kit.chat()
  await kit.sessions.loadSkill(id, 'jam')
})
afterEach(() => kit.remove())

const change = (over: Record<string, unknown> = {}) => ({
  name: 'jam',
  justification: 'It burnt.',
  files: [{ path: 'SKILL.md', diff: DIFF }],
  ...over,
})

async function propose(input: Record<string, unknown>, name = 'skills_propose_update'): Promise<Envelope> {
  kit.answers.push({ calls: [{ name, input }] })
  await kit.say(id, 'go')
  return kit.calls(id).at(-1)!.envelope!
}

const rows = () => kit.deps.db.sql.prepare('SELECT * FROM proposals').all() as Record<string, unknown>[]

describe('skills_propose_update', () => {
  test('keeps the change with what it was made for, writes nothing, and the turn goes on', async () => {
    const envelope = await propose(change({ evidence: [{ kind: 'run', ref: 'run_1', note: 'burnt' }] }))
    const [row] = rows()
    expect(envelope.result).toEqual({ proposal_id: row?.['id'], state: 'open' })
    expect(row).toMatchObject({
      session_id: id,
      skill_name: 'jam',
      base_digest: kit.row(id).activeSkills[0]!.digest,
      justification: 'It burnt.',
      status: 'open',
      marked: 0,
    })
    expect(JSON.parse(String(row?.['files']))).toEqual([
      {
        path: 'SKILL.md',
        before: SKILL_MD,
        after: SKILL_MD.replace('Stir it.', 'Stir it slowly.\nTaste it.'),
      },
    ])
    expect(Number(row?.['token_change'])).toBeGreaterThan(0)
    expect(kit.actions()).toContain('proposal.created')
    expect(kit.said(id).at(-1)).toBe('assistant: Nothing more.')
  })

  test.each([
    ['a path out of the skill', { files: [{ path: '../x.md', content: 'x' }] }, 'path_escape', 'relative'],
    [
      'a diff that does not fit',
      { files: [{ path: 'references/rules.md', diff: DIFF }] },
      'bad_input',
      'fit',
    ],
    ['a diff that is none', { files: [{ path: 'SKILL.md', diff: '@@ what @@' }] }, 'bad_input', 'diff'],
    ['a file that is not there', { files: [{ path: 'no.md', delete: true }] }, 'bad_input', 'no file'],
    ['SKILL.md that goes', { files: [{ path: 'SKILL.md', delete: true }] }, 'bad_input', 'deleted'],
    ['SKILL.md of another name', rename('tea'), 'bad_input', '"jam" any more'],
    [
      'SKILL.md that no longer parses',
      { files: [{ path: 'SKILL.md', content: '' }] },
      'bad_input',
      'any more',
    ],
    ['nothing new', { files: [{ path: 'SKILL.md', content: SKILL_MD }] }, 'bad_input', 'changes nothing'],
    [
      'two ways for one file',
      { files: [{ path: 'a.md', content: 'a', delete: true }] },
      'bad_input',
      'one of',
    ],
    ['a file named twice', { files: [text('a.md'), text('./a.md')] }, 'bad_input', 'twice'],
    ['a file that is too large', { files: [text('a.md', 'x'.repeat(1_000_001))] }, 'too_large', '1 MB'],
    ['a skill that is not active', { name: 'tea' }, 'no_active_skill', 'skills_load'],
    ['a new skill of a name that is taken', { new: true, files: [text('SKILL.md')] }, 'bad_input', 'already'],
    [
      'a new skill without SKILL.md',
      { new: true, name: 'tea', files: [text('a.md')] },
      'bad_input',
      'SKILL.md',
    ],
  ])('refuses %s, and keeps nothing', async (_what, over, code, words) => {
    const envelope = await propose(change(over))
    expect(envelope.error_code).toBe(code)
    expect(envelope.error).toContain(words)
    expect(rows()).toEqual([])
  })

  test('keeps a new skill without a base', async () => {
    const content = '---\nname: tea\ndescription: Brews tea.\n---\nBrew.\n'
    await propose(
      change({ new: true, name: 'tea', scope: 'personal', files: [{ path: 'SKILL.md', content }] }),
    )
    expect(rows()).toMatchObject([
      { skill_name: 'tea', skill_key: null, base_digest: null, scope: 'personal' },
    ])
  })

  test.each([
    ['a script', { path: 'scripts/boil.sh', content: 'echo hot\n' }, 1],
    ['a script in another folder', { path: 'lib/x.py', content: 'print(1)\n' }, 1],
    ['a file that would run by its first line', { path: 'tool', content: '#!/bin/sh\n' }, 1],
    ['the tools that are allowed', withFields('allowed-tools: Bash'), 1],
    ['hooks', withFields('hooks: {pre: scripts/boil.sh}'), 1],
    ['another text', { path: 'references/rules.md', content: 'three\n' }, 0],
  ])('a change of %s is marked or not', async (_what, file, marked) => {
    await propose(change({ files: [file] }))
    expect(rows()).toMatchObject([{ marked }])
  })

  test('the same change is one proposal; once declined, it is refused with the reason', async () => {
    const first = await propose(change())
    expect((await propose(change({ justification: 'Really.' }))).result).toEqual(first.result)
    expect(rows()).toHaveLength(1)
    kit.deps.db.sql.exec(`UPDATE proposals SET status = 'declined', reason = 'Too slow'`)
    const again = await propose(change())
    expect(again).toMatchObject({ success: false, error_code: 'denied' })
    expect(again.error).toContain('"Too slow"')
  })

  test('in the words of the style read-skill a diff alone says which files it is about', async () => {
    const envelope = await propose(
      { skill_id: 'jam', diff: DIFF, justification: 'It burnt.' },
      'propose_skill_update',
    )
    expect(envelope.result).toMatchObject({ state: 'open' })
    expect(JSON.parse(String(rows()[0]?.['files']))).toMatchObject([{ path: 'SKILL.md' }])
  })
})

test('a diff of several files is one for each; without their names it is about SKILL.md', () => {
  const other = '--- a/references/rules.md\n+++ b/references/rules.md\n@@ -1 +1 @@\n-one\n+uno\n'
  expect(splitDiff(DIFF + other).map(({ path }) => path)).toEqual(['SKILL.md', 'references/rules.md'])
  expect(splitDiff('@@ -1 +1 @@\n-a\n+b\n').map(({ path }) => path)).toEqual(['SKILL.md'])
})

function text(path: string, content = 'x\n') {
  return { path, content }
}

function rename(name: string) {
  return { files: [text('SKILL.md', SKILL_MD.replace('name: jam', `name: ${name}`))] }
}

function withFields(fields: string) {
  return text('SKILL.md', SKILL_MD.replace('description', `${fields}\ndescription`))
}
