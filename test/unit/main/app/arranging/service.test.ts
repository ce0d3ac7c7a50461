import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ArrangeRequest } from '@shared/domain/arranging'
import { expect, onTestFinished, test } from 'vitest'
import { createTestApp } from '../../../../helpers/app'
import type { TestApp, TestAppOptions } from '../../../../helpers/app'

const skillMd = (name: string) =>
  `---\nname: ${name}\ndescription: Does ${name}. Use when asked.\n---\nDo it.\n`

async function start(options: TestAppOptions = {}): Promise<TestApp> {
  const test = await createTestApp(options)
  onTestFinished(() => test.remove())
  return test
}

async function arrange({ app }: TestApp, request: ArrangeRequest, projectDir: string | null = null) {
  const { hash } = await app.handlers['arrange.plan']({ projectDir, request })
  return app.handlers['arrange.do']({ projectDir, request, planHash: hash })
}

test('a personal skill is moved into a trusted project, is on record, and comes back by undo', async () => {
  const one = await start({ skills: { sql: { 'SKILL.md': skillMd('sql') } } })
  const { app, home } = one
  const dir = one.project('northwind-ops')
  await app.handlers['projects.open']({ dir })
  const key = `personal:${join(home, '.satchel/skills/sql')}`
  const request = { do: 'move', key, place: 'project', name: 'sql' } as const
  const untrusted = await app.handlers['arrange.plan']({ projectDir: dir, request })
  expect(untrusted.refusal).toContain('not trusted')
  await app.handlers['projects.trust']({ dir, trusted: true })
  const plan = await app.handlers['arrange.plan']({ projectDir: dir, request })
  expect(plan).toMatchObject({
    refusal: null,
    makes: { path: 'northwind-ops/.satchel/skills/sql', files: 1 },
    effects: [
      { project: 'northwind-ops', wasIt: true, isIt: true },
      { project: null, after: null, wasIt: true },
    ],
  })
  const done = await arrange(one, request, dir)
  expect(readFileSync(join(dir, '.satchel/skills/sql/SKILL.md'), 'utf8')).toBe(skillMd('sql'))
  const entries = await app.handlers['audit.query']({ filter: { view: 'skills' }, limit: 10 } as never)
  expect(entries[0]).toMatchObject({ action: 'skill.moved', actor: 'person', target: 'sql' })
  expect(entries[0]?.data).toMatchObject({ before: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(entries[0]?.data['after']).toBe(entries[0]?.data['before'])
  await app.handlers['arrange.undo']({ id: done.id })
  expect(existsSync(join(home, '.satchel/skills/sql/SKILL.md'))).toBe(true)
})

test('a bundled skill stays as it is, says why, and offers a personal copy', async () => {
  const home = (await start()).home
  const bundled = join(home, 'resources/skills/tidy')
  mkdirSync(bundled, { recursive: true })
  writeFileSync(join(bundled, 'SKILL.md'), skillMd('tidy'))
  const again = await start({ home })
  const key = `bundled:${bundled}`
  for (const request of [
    { do: 'delete', key },
    { do: 'rename', key, name: 'other' },
    { do: 'move', key, place: 'personal', name: 'tidy' },
  ] as const) {
    const plan = await again.app.handlers['arrange.plan']({ projectDir: null, request })
    expect(plan).toMatchObject({ refusal: expect.stringContaining('comes with Satchel'), offersCopy: true })
    await expect(arrange(again, request)).rejects.toMatchObject({ code: 'bad_input' })
  }
  await arrange(again, { do: 'copy', key, place: 'personal', name: 'tidy' })
  expect(existsSync(join(home, '.satchel/skills/tidy/SKILL.md'))).toBe(true)
  expect(existsSync(join(bundled, 'SKILL.md'))).toBe(true)
})

test('what an operation has under way is no skill', async () => {
  const one = await start({ skills: { '.satchel-op_1-new': { 'SKILL.md': skillMd('half') } } })
  const { refusal } = await one.app.handlers['arrange.plan']({
    projectDir: null,
    request: { do: 'delete', key: `personal:${join(one.home, '.satchel/skills/.satchel-op_1-new')}` },
  })
  expect(refusal).toContain('not there any more')
})

test('a skill is turned off for one agent and stays on for the others', async () => {
  const { home } = await start({ skills: { sql: { 'SKILL.md': skillMd('sql') } } })
  for (const name of ['reviewer', 'writer']) {
    mkdirSync(join(home, '.satchel/agents'), { recursive: true })
    writeFileSync(
      join(home, `.satchel/agents/${name}.md`),
      `---\nname: ${name}\ndescription: Does it.\n---\nDo it.\n`,
    )
  }
  const { app } = await start({ home })
  const look = () => app.handlers['skills.agentSwitches']({ projectDir: null, name: 'sql' })
  const reviewer = { agent: 'reviewer', on: true }
  expect(await look()).toContainEqual(reviewer)
  await app.handlers['skills.switch']({ projectDir: null, name: 'sql', agent: 'reviewer', on: false })
  expect(await look()).toContainEqual({ ...reviewer, on: false })
  expect((await look()).filter(({ on }) => !on)).toHaveLength(1)
})
