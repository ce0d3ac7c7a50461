import { expect, test } from 'vitest'
import { effectWords } from '@shared/arrange-words'
import type { ArrangeEffect } from '@shared/domain/arranging'

const copy = (scope: 'personal' | 'project' | 'bundled') => ({ scope, location: `${scope}/sql` })

const effect = (change: Partial<ArrangeEffect>): ArrangeEffect => ({
  project: null,
  name: 'sql',
  before: null,
  after: null,
  wasIt: false,
  isIt: false,
  ...change,
})

test('a move out of a project says what stays and what becomes available', () => {
  const here = { project: 'northwind-ops', before: copy('project'), after: copy('personal') }
  expect(
    effectWords([
      effect({ ...here, wasIt: true, isIt: true }),
      effect({ after: copy('personal'), isIt: true }),
    ]),
  ).toEqual(['In northwind-ops: nothing changes.', 'Everywhere else: the skill becomes available.'])
})

test.each([
  [effect({ before: copy('personal'), wasIt: true }), 'Everywhere: the skill is no longer available.'],
  [
    effect({ before: copy('personal'), after: copy('bundled'), wasIt: true }),
    'Everywhere: the Bundled copy is used then.',
  ],
  [
    effect({ before: copy('bundled'), after: copy('personal'), isIt: true }),
    'Everywhere: is used instead of the Bundled copy.',
  ],
  [
    effect({ before: copy('personal'), after: copy('personal') }),
    'Everywhere: nothing changes, the Personal copy is used.',
  ],
])('what a copy means for the others is said in one sentence: %#', (change, words) => {
  expect(effectWords([change])).toEqual([words])
})

test('a rename is told for both names', () => {
  const effects = [
    effect({ before: copy('personal'), wasIt: true }),
    effect({ name: 'sql-explain', after: copy('personal'), isIt: true }),
  ]
  expect(effectWords(effects)).toEqual([
    'Everywhere: sql is no longer available.',
    'Everywhere: sql-explain becomes available.',
  ])
})
