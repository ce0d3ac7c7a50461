import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, listSkills, type TestApp } from '../../../helpers/app'

const skill = (name: string, description: string, body = 'Do it.') => ({
  'SKILL.md': `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`,
})

let world: TestApp
let key: string

beforeAll(async () => {
  world = await createTestApp({
    skills: {
      forms: skill('forms', 'Fills forms. Use when a form must be filled.', 'See [a](references/a.md).'),
      tables: skill('tables', 'Reads tables of documents. Use for tables.'),
      hidden: {
        'SKILL.md': '---\nname: hidden\ndescription: tables tables\ndisable-model-invocation: true\n---\nx\n',
      },
    },
  })
  key = (await listSkills(world.app, null)).skills.find(({ name }) => name === 'forms')!.key
})
afterAll(() => world.remove())

const rank = async (message: string, description: string) =>
  world.app.handlers['editor.rank']({
    projectDir: null,
    message,
    skill: { key, name: 'forms', description, tags: [] },
  })

describe('a text that is not saved', () => {
  test('is checked as if it were, beside the files that there are', async () => {
    const check = async (text: string) => {
      const found = await world.app.handlers['editor.check']({ key, path: 'SKILL.md', text })
      return found.map(({ code }) => code)
    }
    const text = '---\nname: forms\ndescription: Fills forms. Use when one must be filled.\n---\n\nDo it.\n'
    expect(await check(text)).toEqual([])
    expect(await check(text.replace('Do it.', 'See [b](references/b.md).'))).toContain('link-target-missing')
    expect(await check(text.replace('description', 'summary'))).toContain('description-missing')
  })

  test('is in the catalogue in the words that a model gets, escaped', async () => {
    const seen = await world.app.handlers['editor.seen']({ name: 'forms', description: 'a < b' })
    expect(seen.text).toBe('<skill><name>forms</name><description>a &lt; b</description></skill>')
    expect(seen.tokens).toBeGreaterThan(5)
  })

  test('is found by a message among the skills that agents are offered, with the words that count', async () => {
    const before = await rank('read the tables', 'Fills forms.')
    expect([before.place, before.skills.map(({ name }) => name)]).toEqual([null, ['tables', 'forms']])
    expect(before.skills[0]!.words).toEqual(['tables', 'read'])
    const after = await rank('fill the tables into forms', 'Fills forms.')
    expect([after.place, after.skills[0]]).toMatchObject([1, { key, isOwn: true }])
    expect(after.of).toBe(2)
  })
})
