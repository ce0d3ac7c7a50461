import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseSkillMd } from '@shared/skill-md'
import { expect, onTestFinished, test } from 'vitest'
import { createTemplates } from '../../../../src/main/arranging/templates'

const templates = createTemplates(resolve(import.meta.dirname, '../../../../resources'))

function made(id: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'satchel-template-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  for (const { path, bytes, executable } of templates.files(id, { name: 'mine', description: '' }) ?? []) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), bytes, { mode: executable ? 0o755 : 0o644 })
  }
  return dir
}

function ran(dir: string, script: string, args: string[], cwd: string) {
  const { status, stdout } = spawnSync(join(dir, script), args, { cwd, encoding: 'utf8' })
  return [status, stdout]
}

test('there are at least five, each with a look inside and a description to begin with', () => {
  const list = templates.list()
  expect(list.length).toBeGreaterThanOrEqual(5)
  for (const { description, files } of list) {
    expect(description.length).toBeGreaterThan(40)
    expect(files[0]?.path).toBe('SKILL.md')
  }
  expect(list.filter(({ files }) => files.length > 1).length).toBeGreaterThanOrEqual(5)
})

test('a new skill has its own name and description, and every other byte of the template', () => {
  const own = 'Does: "odd" #things.'
  const [skillMd] = templates.files('script', { name: 'odd-things', description: own }) ?? []
  const text = Buffer.from(skillMd!.bytes).toString('utf8')
  expect(parseSkillMd(text, { folderName: 'odd-things' })).toMatchObject({
    name: 'odd-things',
    description: own,
    diagnostics: [],
  })
  const [template] = templates.list().find(({ id }) => id === 'script')!.files
  expect(text.split('---\n').slice(2)).toEqual(template!.text.split('---\n').slice(2))
})

test('there is no template of a name that leads out of their folder', () => {
  expect(templates.files('../skills/json-tidy', { name: 'x', description: '' })).toBeNull()
})

test('the script of a table says what is wrong in it', () => {
  const dir = made('script')
  writeFileSync(join(dir, 't.csv'), 'a,b\n1,2\n1,2\n3\n4,\n')
  expect(ran(dir, 'scripts/check_table.py', ['t.csv'], dir)).toEqual([
    1,
    '3: the same as line 2\n4: 1 cells, the first line has 2\n5: "b" is empty\n3 problems\n',
  ])
  writeFileSync(join(dir, 'good.csv'), 'a,b\n1,2\n')
  expect(ran(dir, 'scripts/check_table.py', ['good.csv'], dir)).toEqual([0, '0 problems\n'])
  expect(ran(dir, 'scripts/check_table.py', ['none.csv'], dir)[0]).toBe(2)
})

test('the script of a report fills its form', () => {
  const dir = made('report')
  const report = { week: '2026-W10', done: ['One', 'Two'], planned: [], blocked: ['Rain'] }
  writeFileSync(join(dir, 'report.json'), JSON.stringify(report))
  const [status, text] = ran(dir, 'scripts/fill_report.py', ['report.json'], dir)
  expect(status).toBe(0)
  expect(text).toContain('# Week 2026-W10\n\n## Done\n\n- One\n- Two\n\n## Planned\n\nNothing.\n')
  writeFileSync(join(dir, 'report.json'), '{}')
  expect(ran(dir, 'scripts/fill_report.py', ['report.json'], dir)[0]).toBe(1)
})

test('the scripts of reviews and releases tell a clean checkout from a changed one, and change nothing', () => {
  const [review, runbook] = [made('review'), made('runbook')]
  const work = mkdtempSync(join(tmpdir(), 'satchel-checkout-'))
  onTestFinished(() => rmSync(work, { recursive: true, force: true }))
  expect(ran(review, 'scripts/changed-files.sh', [], work)[0]).toBe(2)
  expect(ran(runbook, 'scripts/ready.sh', [], work)[0]).toBe(1)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: work })
  git('init', '-q')
  writeFileSync(join(work, 'a.txt'), 'one\n')
  git('add', '.')
  git('commit', '-qm', 'one')
  expect(ran(runbook, 'scripts/ready.sh', [], work)).toEqual([0, expect.stringMatching(/^ready: /)])
  writeFileSync(join(work, 'a.txt'), 'one\ntwo\n')
  writeFileSync(join(work, 'b.txt'), 'new\n')
  expect(ran(review, 'scripts/changed-files.sh', [], work)).toEqual([0, '1\t0\ta.txt\nnew\t-\tb.txt\n'])
  expect(ran(runbook, 'scripts/ready.sh', [], work)[0]).toBe(1)
  expect(readFileSync(join(work, 'b.txt'), 'utf8')).toBe('new\n')
})
