import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scriptPaths, trustReview } from '../../../../../src/main/skills/registry/trust-review'
import { copyFor, PLAIN_RULES } from '../copies'
import { makeFifo, makeSkill, tempDir, write } from '../support'

const dir = '/prj'
const rules = {
  ...PLAIN_RULES,
  trusted: ({ projectDir }: { projectDir: string | null }) => projectDir === null,
}
const review = (records: Parameters<typeof trustReview>[0]['records'], change: Partial<typeof rules> = {}) =>
  trustReview({ dir, records, rules: { ...rules, ...change }, scriptsOf: ({ folder }) => [`${folder}.py`] })

describe('what trusting a folder would change', () => {
  it('is each of its skills with its scripts, in catalogue order', () => {
    const records = [
      copyFor('project', '/prj/b', { name: 'b', problems: 2 }),
      copyFor('shared project', '/prj/a', { name: 'a' }),
      copyFor('personal', '/p/c', { name: 'c' }),
    ]
    expect(review(records)).toEqual({
      dir,
      skills: [
        {
          key: 'shared:/prj/a',
          name: 'a',
          description: 'A sample.',
          location: '/prj/a',
          scripts: ['a.py'],
          problems: 0,
          becomes: 'effective',
        },
        {
          key: 'project:/prj/b',
          name: 'b',
          description: 'A sample.',
          location: '/prj/b',
          scripts: ['b.py'],
          problems: 2,
          becomes: 'effective',
        },
      ],
    })
  })

  it('names the copy that would not be used any more', () => {
    const records = [copyFor('bundled', '/b/pdf'), copyFor('project', '/prj/pdf')]
    expect(review(records).skills).toMatchObject([
      { becomes: 'effective', replaces: { scope: 'bundled', location: '/b/pdf' } },
    ])
  })

  it('says that the own copy stays in use, and what the flip would do', () => {
    const records = [copyFor('personal', '/p/pdf'), copyFor('project', '/prj/pdf')]
    const [normal] = review(records).skills
    expect(normal).toMatchObject({ becomes: 'shadowed' })
    expect(normal).not.toHaveProperty('replaces')
    expect(review(records, { projectOverPersonal: true }).skills).toMatchObject([
      { becomes: 'effective', replaces: { scope: 'personal' } },
    ])
  })

  it.each([
    ['broken', { broken: true }, {}],
    ['unavailable', { parent: 'project:/prj/outer' }, {}],
    ['off', {}, { off: () => 'You turned it off everywhere.' }],
  ])('says that a skill would be %s', (becomes, change, given) => {
    expect(review([copyFor('project', '/prj/pdf', change)], given).skills).toMatchObject([{ becomes }])
  })

  it('leaves out other projects, and is the same once the folder is trusted', () => {
    const records = [
      copyFor('bundled', '/b/pdf'),
      copyFor('project', '/prj/pdf'),
      copyFor('project', '/other/pdf', { projectDir: '/other', priority: 9 }),
    ]
    expect(review(records).skills.map(({ key }) => key)).toEqual(['project:/prj/pdf'])
    expect(review(records, { trusted: () => true })).toEqual(review(records))
  })
})

describe('the scripts of a skill', () => {
  it('are the files with an interpreter, wherever they lie, in path order', () => {
    const rootDir = makeSkill(join(tempDir(), 'pdf'), 'pdf', {
      'scripts/run.py': 'print(1)\n',
      tool: '#!/bin/sh\n',
      'notes.md': '#!/bin/sh',
      'data.py': 'a\0b',
      'readme.txt': 'x',
    })
    write(join(rootDir, 'a/deep/x.sh'), 'true\n')
    makeFifo(join(rootDir, 'pipe.py'))
    expect(scriptPaths(copyFor('project', rootDir))).toEqual([
      'a/deep/x.sh',
      'notes.md',
      'scripts/run.py',
      'tool',
    ])
  })

  it('of a skill that may not be read are none', () => {
    const rootDir = makeSkill(join(tempDir(), 'pdf'), 'pdf', { 'run.py': '' })
    expect(scriptPaths(copyFor('project', rootDir, { unread: true }))).toEqual([])
  })
})
