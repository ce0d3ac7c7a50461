import { describe, expect, it } from 'vitest'
import { FOLDER_CODES, RULES } from '@shared/skill-check/rules'
import { CONTENT_ROWS } from './content-rows'
import { FRONTMATTER_ROWS } from './frontmatter-rows'
import { check, codesOf } from './skill-folder'

const ROWS = [...FRONTMATTER_ROWS, ...CONTENT_ROWS]

describe('the rules of a folder', () => {
  it.each(ROWS.map(([code, row], index) => ({ code, ...row, index })))(
    '$index $code: fires on the bad example and is silent on its good twin',
    ({ code, bad, good, line, file }) => {
      const found = check(bad).filter((item) => item.code === code)
      expect(found).toHaveLength(1)
      expect(found[0]?.file).toBe(file)
      if (line !== undefined) expect(found[0]?.line).toBe(line)
      expect(codesOf(good)).not.toContain(code)
    },
  )

  it('have nothing to say of a plain skill', () => {
    expect(check({})).toEqual([])
  })

  it('are all tested here', () => {
    expect(new Set(ROWS.map(([code]) => code))).toEqual(new Set(FOLDER_CODES))
  })

  it('only warn or inform, say what to do in one imperative sentence, and are in the catalogue', () => {
    for (const [code, { bad }] of ROWS) {
      for (const item of check(bad).filter((found) => found.code === code)) {
        expect(['warning', 'info']).toContain(item.severity)
        expect(item.message).toMatch(/^["A-Z].*[.]$/s)
        expect(item.fix).toMatch(/^[A-Z].*\.$/s)
        expect(RULES[code]?.title).toMatch(/^[A-Z$0-9]/)
      }
    }
  })
})
