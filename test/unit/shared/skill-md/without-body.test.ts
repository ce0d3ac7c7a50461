import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSkillMd, parseWithoutBody } from '@shared/skill-md'
import { tries } from '../../../helpers/sample'
import { damaged, frontmatter, REAL } from './frontmatters'

const folder = { folderName: 'pdf' }
const long = 'x\n'.repeat(1234)

describe('problems of bodies', () => {
  it('are told of with their thousands set apart', () => {
    const { diagnostics } = parseSkillMd(`---\nname: pdf\ndescription: d\n---\n${long}`, folder)
    expect(diagnostics.map(({ message }) => message)).toEqual(['The body has 1,234 lines; 500 are advised.'])
  })

  it('are all that a first look leaves out', () => {
    const yaml = fc.oneof(frontmatter, damaged(REAL), fc.constantFrom(...REAL))
    const rest = fc.constantFrom('---\n', '---\nDo it.\n', `---\n${long}`, 'not closed\n')
    fc.assert(
      fc.property(yaml, rest, (fields, below) => {
        const text = `---\n${fields}\n${below}`
        const whole = parseSkillMd(text, folder)
        const diagnostics = whole.diagnostics.filter(({ code }) => !code.startsWith('body-'))
        expect(parseWithoutBody(text, folder)).toEqual({ ...whole, diagnostics })
      }),
      { numRuns: tries(300) },
    )
  })
})
