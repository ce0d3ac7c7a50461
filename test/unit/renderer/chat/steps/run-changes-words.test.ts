import { expect, test } from 'vitest'
import type { ChangedFile } from '@shared/domain/run-changes'
import { isOpenToUndo, nowWords } from '../../../../../src/renderer/chat/steps/run-changes-words'

const FILE: ChangedFile = {
  n: 0,
  path: 'a',
  kind: 'added',
  type: 'file',
  now: 'left',
  nowId: '',
  lost: null,
}

test('a file whose name was not noted is not called taken back, and can not be chosen', () => {
  const hidden: ChangedFile = { ...FILE, now: 'hidden', lost: 'Its name held a secret.' }
  expect([nowWords(hidden), isOpenToUndo(hidden)]).toEqual(['Its name held a secret.', false])
  expect([nowWords({ ...FILE, now: 'before' }), isOpenToUndo(FILE)]).toEqual(['taken back', true])
})
