import { expect, test } from 'vitest'
import { stillHeld } from '../../../scripts/lib/corpus-off.mjs'

const proofs = [{ file: 'a.test.ts', test: '$id $text is asked', ids: ['A1', 'A2'] }]
const told = (title: string, ok: boolean) => ({ file: 'a.test.ts', titles: ['group', title], ok })

test('an attack succeeds without its defence where a test of its own turned red', () => {
  expect(stillHeld(proofs, [told('A1 x is asked', false), told('A2 y is asked', false)])).toEqual([])
})

test('an attack of which every test stayed green, or none was played, is named', () => {
  expect(stillHeld(proofs, [told('A1 x is asked', true)])).toEqual([
    'A1 $id $text is asked',
    'A2 $id $text is asked',
  ])
})

test('a test of another id, file or name turns red for nobody else', () => {
  const others = [
    told('A10 x is asked', false),
    told('A1 x is asked twice', false),
    { ...told('A1 x is asked', false), file: 'b.test.ts' },
  ]
  expect(stillHeld([{ ...proofs[0]!, ids: ['A1'] }], others)).toEqual(['A1 $id $text is asked'])
})
