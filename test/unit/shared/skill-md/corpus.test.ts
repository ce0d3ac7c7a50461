import { describe, expect, it } from 'vitest'
import { parseSkillMd } from '@shared/skill-md'
import type { ParsedSkill } from '@shared/skill-md'
import { editSkillMd } from '@shared/skill-md/edit'
import { readFront } from '@shared/skill-md/front'
import { repairedText } from '@shared/skill-md/repaired-text'
import { folderCases, textCases } from './corpus'
import type { Verdict } from './corpus'

const REPAIRS = new Set(['yaml-repaired', 'field-left-out', 'control-characters', 'blank-before-frontmatter'])

function verdictOf({ broken, diagnostics }: ParsedSkill): Verdict {
  if (broken) return 'broken'
  if (diagnostics.some(({ code }) => REPAIRS.has(code))) return 'repaired'
  return diagnostics.some(({ severity }) => severity === 'warning') ? 'warned' : 'fine'
}

const texts = textCases()

describe('the corpus of odd files', () => {
  it('has at least two cases for each of the 30 quirks, each with a name of its own', () => {
    const all = [...texts, ...folderCases()]
    for (let quirk = 1; quirk <= 30; quirk += 1) {
      expect(all.filter((one) => one.quirk === quirk).length, `quirk ${quirk}`).toBeGreaterThanOrEqual(2)
    }
    expect(new Set(all.map(({ quirk, id }) => `${quirk} ${id}`)).size).toBe(all.length)
  })

  it.each(texts)('quirk $quirk: $id', ({ text, folder, expect: want }) => {
    const skill = parseSkillMd(text, { folderName: folder })
    const [first] = skill.diagnostics
    expect(first ? { code: first.code, line: first.line } : null).toEqual(
      want.first ? { code: want.first.code, line: want.first.line } : null,
    )
    expect(verdictOf(skill)).toBe(want.verdict)
    const { name, label, description, body, fields } = want
    expect(skill).toMatchObject({
      ...(name === undefined ? {} : { name }),
      ...(label === undefined ? {} : { label }),
      ...(description === undefined ? {} : { description }),
      ...(body === undefined ? {} : { body }),
      ...fields,
    })
  })

  it.each(texts)('the first look agrees with the full parser: quirk $quirk, $id', ({ text, folder }) => {
    const front = readFront(new TextEncoder().encode(text), { folderName: folder, complete: true })
    if (typeof front !== 'string') expect(parseSkillMd(text, { folderName: folder })).toMatchObject(front)
    else expect(front).toBe('not-plain')
  })

  const editable = texts.filter(({ expect: want }) => want.verdict !== 'broken')
  it.each(editable)('an edit there and back gives the same bytes: quirk $quirk, $id', ({ text, folder }) => {
    const skill = parseSkillMd(text, { folderName: folder })
    expect(editSkillMd(text, { set: skill.frontmatter, body: skill.body })).toBe(text)
    const more = editSkillMd(text, { set: { 'x-new': 'a: b' } })
    expect(parseSkillMd(more, { folderName: folder }).frontmatter).toEqual({
      ...skill.frontmatter,
      'x-new': 'a: b',
    })
    expect(editSkillMd(more, { remove: ['x-new'] })).toBe(text)
    const other = editSkillMd(text, { set: { description: 'Something: else' } })
    expect(parseSkillMd(other, { folderName: folder })).toMatchObject({
      description: 'Something: else',
      body: skill.body,
    })
  })

  const repaired = texts.filter(({ expect: want }) => want.verdict === 'repaired')
  it.each(repaired)('the repair can be written out: quirk $quirk, $id', ({ text, folder }) => {
    const result = repairedText(text)
    expect(result?.changes).not.toEqual([])
    const skill = parseSkillMd(result?.text ?? '', { folderName: folder })
    expect(skill).toMatchObject({ broken: false, diagnostics: [] })
    expect(skill.frontmatter).toEqual(parseSkillMd(text, { folderName: folder }).frontmatter)
  })
})
