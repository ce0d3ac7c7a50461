import { afterEach, expect, test } from 'vitest'
import { createTestApp } from '../../../../helpers/app'
import type { TestApp } from '../../../../helpers/app'

let open: TestApp | null = null
afterEach(async () => {
  await open?.remove()
  open = null
})

const skill = (name: string, description: string, more = '') => ({
  'SKILL.md': `---\nname: ${name}\ndescription: ${description}\n${more}---\n# ${name}\nDo it.\n`,
})
const SAME = 'Extract text and tables from scanned PDF files. Use when someone asks what a PDF says.'

async function problemsOf(app: TestApp, name: string): Promise<string[]> {
  const key = `personal:${app.home}/.satchel/skills/${name}`
  const detail = await app.app.handlers['skills.get']({ projectDir: null, key })
  return detail.diagnostics.map(({ code }) => code)
}

test('the page of a skill names a description that is nearly that of another one', async () => {
  open = await createTestApp({
    skills: { 'pdf-reader': skill('pdf-reader', SAME), 'pdf-text': skill('pdf-text', SAME) },
  })
  expect(await problemsOf(open, 'pdf-reader')).toContain('description-alike')
  expect(await problemsOf(open, 'pdf-text')).toContain('description-alike')
})

test('the page of a skill names a required skill that is not there', async () => {
  open = await createTestApp({ skills: { report: skill('report', SAME, 'requires: [tables]\n') } })
  expect(await problemsOf(open, 'report')).toContain('requires-missing')
})

test('a skill that was turned off is no longer taken for a second of its kind', async () => {
  open = await createTestApp({
    skills: { 'pdf-reader': skill('pdf-reader', SAME), 'pdf-text': skill('pdf-text', SAME) },
  })
  await problemsOf(open, 'pdf-reader')
  await open.app.handlers['skills.switch']({ projectDir: null, name: 'pdf-text', on: false })
  expect(await problemsOf(open, 'pdf-reader')).not.toContain('description-alike')
})
