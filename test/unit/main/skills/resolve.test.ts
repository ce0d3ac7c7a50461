import { describe, expect, it } from 'vitest'
import { resolvePrecedence } from '../../../../src/main/skills/precedence'
import type { SkillRecord } from '../../../../src/main/skills/record'
import { resolveName } from '../../../../src/main/skills/resolve'
import { recordFor } from './support'

const personal = recordFor('/p/pdf', { name: 'pdf', folder: 'pdf-tools' })
const bundled = recordFor('/b/pdf', { name: 'pdf', scope: 'bundled', folder: 'pdf' })
const csv = recordFor('/b/csv', { name: 'csv-report', scope: 'bundled', folder: 'csv-report' })
const broken = recordFor('/p/bad', {
  name: 'bad',
  folder: 'bad',
  broken: true,
  diagnostics: [{ code: 'empty', severity: 'error', message: 'SKILL.md is empty.' }],
})
const inert = recordFor('/w/deploy', { name: 'deploy', folder: 'deploy', scope: 'project', projectDir: '/w' })
const twins = [
  recordFor('/p/one', { name: 'one', folder: 'twin' }),
  recordFor('/p/two', { name: 'two', folder: 'twin', location: '~/two' }),
]
const entries = resolvePrecedence([personal, bundled, csv, broken, inert, ...twins], {
  projectOverPersonal: false,
  trusted: (record) => record.projectDir === null,
})

describe('a name', () => {
  it.each<[string, SkillRecord]>([
    ['pdf', personal],
    ['PDF', personal],
    [' pdf ', personal],
    ['pdf@personal', personal],
    ['pdf@bundled', bundled],
    ['pdf@Bundled', bundled],
    ['pdf-tools', personal],
    ['Pdf Tools', personal],
    ['csv-report', csv],
  ])('%j means the copy that is used, or that of the named scope', (name, record) => {
    const found = resolveName(entries, name === 'Pdf Tools' ? 'pdf-tools' : name)
    expect(found).toEqual({ ok: true, record })
  })

  it.each([
    ['pfd', ['pdf']],
    ['csv', ['csv-report']],
    ['zzzzzz', []],
    ['pdf@project', []],
    ['@personal', []],
    ['', []],
  ])('%j is not found, with the nearest names', (name, nearest) => {
    const found = resolveName(entries, name)
    expect(found).toMatchObject({ ok: false, code: 'not_found' })
    if (!found.ok && nearest.length > 0) expect(found.nearest).toEqual(nearest)
    if (!found.ok && name !== '') expect(found.message).toContain(`There is no skill "${name}".`)
  })

  it.each([
    [
      'bad',
      'broken',
      'The skill "bad" can\'t be used: SKILL.md is empty. Open it in Skills to see what to do.',
    ],
    [
      'deploy',
      'not_trusted',
      'The skill "deploy" belongs to a project that is not trusted. Trust the folder to use it.',
    ],
    [
      'deploy@project',
      'not_trusted',
      'The skill "deploy" belongs to a project that is not trusted. Trust the folder to use it.',
    ],
    ['twin', 'ambiguous', '"twin" could mean one or two. Name one of them.'],
  ])('%s gives %s with a sentence that says what to do', (name, code, message) => {
    expect(resolveName(entries, name)).toMatchObject({ ok: false, code, message })
  })
})
