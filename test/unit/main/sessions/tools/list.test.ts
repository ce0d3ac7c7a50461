import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ToolContext } from '../../../../../src/main/sessions/tools/tool'
import { listTool } from '../../../../../src/main/sessions/tools/list'
import { createKit, type Kit } from '../kit'

let kit: Kit
let id: string

const skill = (name: string, description: string, more = '') => ({
  'SKILL.md': `---\nname: ${name}\ndescription: ${description}\n${more}---\n# ${name}\n`,
})
const SKILLS = {
  'pdf-forms': skill('pdf-forms', 'Fills in forms.', 'tags: [acrobat]\n'),
  tables: skill('tables', 'Reads tables of a PDF.'),
  'Cook Book': skill('cooking', `Cooks. ${'Very long. '.repeat(60)}`),
  hidden: skill('hidden', 'Only for people.', 'disable-model-invocation: true\n'),
  broken: { 'SKILL.md': '---\nname: [\n' },
}

beforeEach(async () => {
  kit = await createKit({ skills: SKILLS })
  id = kit.chat()
})
afterEach(() => kit.remove())

interface Listed {
  skills: { name: string; description: string; active: boolean; id?: string }[]
  total: number
  hint?: string
}

async function list(input: Record<string, unknown>) {
  const context = { deps: kit.deps, session: kit.row(id) } as ToolContext
  const outcome = await listTool.run(context, input)
  if (outcome.kind !== 'result') throw new Error('it waits')
  return outcome.envelope
}
const listed = async (input: Record<string, unknown>) => (await list(input)).result as Listed

describe('skills_list', () => {
  test('without a query it gives every skill that may be loaded, by name', async () => {
    const { skills, total, hint } = await listed({})
    expect(skills.map(({ name }) => name)).toEqual(['cooking', 'pdf-forms', 'tables'])
    expect([total, hint]).toEqual([3, undefined])
    expect(skills[1]).toEqual({
      name: 'pdf-forms',
      scope: 'personal',
      description: 'Fills in forms.',
      tokens: expect.any(Number),
      active: false,
    })
  })

  test.each([
    ['pdf', ['pdf-forms', 'tables']],
    ['acro', ['pdf-forms']],
    ['read a table', ['tables', 'cooking', 'pdf-forms']],
  ])('finds by name, tag and description for "%s"', async (query, names) => {
    const found = (await listed({ query })).skills.map(({ name }) => name)
    expect(found.slice(0, 1)).toEqual(names.slice(0, 1))
    if (query !== 'read a table') expect(found).toEqual(names)
  })

  test('a folder that is called otherwise is the id of its skill', async () => {
    expect((await listed({ query: 'cooking' })).skills[0]).toMatchObject({ name: 'cooking', id: 'Cook Book' })
  })

  test('long descriptions are cut', async () => {
    expect((await listed({ query: 'cooking' })).skills[0]!.description.length).toBeLessThanOrEqual(301)
  })

  test('says how many more there are, and what to do about it', async () => {
    const { skills, total, hint } = await listed({ limit: 1 })
    expect([skills.length, total]).toEqual([1, 3])
    expect(hint).toBe('2 more: use other words or a larger limit.')
  })

  test('says what to do when nothing fits', async () => {
    expect(await listed({ query: 'zebra' })).toEqual({
      skills: [],
      total: 0,
      hint: 'Nothing fits these words. Try others, or leave query out to see all 3 by name.',
    })
  })

  test('shows which skills are active', async () => {
    await kit.sessions.loadSkill(id, 'tables')
    const { skills } = await listed({ query: 'tables' })
    expect(skills[0]).toMatchObject({ name: 'tables', active: true })
  })

  test.each([{ limit: 0 }, { limit: 101 }, { query: 5 }, { limit: 'many' }])(
    'refuses the input %j',
    async (input) => {
      await expect(list(input)).rejects.toThrow()
    },
  )

  test('without any skill it says that, and what to do', async () => {
    const empty = await createKit({ skills: {} })
    try {
      const context = { deps: empty.deps, session: empty.row(empty.chat()) } as ToolContext
      const outcome = await listTool.run(context, {})
      expect(outcome).toMatchObject({
        envelope: {
          success: false,
          error_code: 'not_found',
          error: expect.stringContaining('Go on without'),
        },
      })
    } finally {
      await empty.remove()
    }
  })
})
