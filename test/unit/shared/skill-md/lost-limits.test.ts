import { describe, expect, it } from 'vitest'
import { parseSkillMd } from '@shared/skill-md'

const parse = (text: string) => parseSkillMd(text, { folderName: 'pdf' })
const front = (yaml: string) => `---\n${yaml}\n---\n\nDo it.\n`

describe('an alias without an anchor', () => {
  const told = (field: string) => {
    const { diagnostics, broken } = parse(front(`name: pdf\ndescription: d\n${field}`))
    return [broken, ...diagnostics.map(({ code, severity, line }) => `${severity} ${code} ${line}`)]
  }

  it.each(['<<: *foo', 'license: *foo', 'metadata:\n  a: *foo', 'tags: [a, *foo, *foo]'])(
    'leaves a field empty, which is said: %s',
    (field) => {
      expect(told(field)).toEqual([false, 'warning field-left-out 4'])
    },
  )

  it.each(['allowed-tools: *foo', 'allowed_tools: [Read, *foo]', 'scope: {agents: *foo}'])(
    'in a field that limits breaks the skill: %s',
    (field) => {
      expect(told(field)).toContain('error yaml-invalid 4')
      expect(told(field)[0]).toBe(true)
    },
  )

  it('is not said of one that has its anchor', () => {
    expect(told('metadata:\n  a: &foo x\n  b: *foo')).toEqual([false])
  })
})

describe('a scope that limits nothing', () => {
  it.each([
    ['scope: foo', 'info'],
    ['scope: [foo]', 'warning'],
    ['scope: 7', 'warning'],
  ])('is said: %s', (field, severity) => {
    const { diagnostics, broken, scope } = parse(front(`name: pdf\ndescription: d\n${field}`))
    expect(diagnostics).toMatchObject([{ code: 'wrong-type', severity, line: 4 }])
    expect(broken).toBe(false)
    expect(scope).toEqual({ agents: null, tenants: null, environments: null })
  })
})
