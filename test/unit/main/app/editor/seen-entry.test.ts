import { expect, it } from 'vitest'
import { seenEntry } from '../../../../../src/main/app/editor/rank'
import { catalogueTokens } from '../../../../../src/main/skills/scan/facts'

it('the editor tells the same cost of an entry of the catalogue as the row of the list', () => {
  for (const description of [
    '',
    'Reads plans.',
    'Extract tables from <PDF> & forms. Use when asked for “scans”.',
  ]) {
    const entry = { name: 'pdf-processing', description }
    expect(seenEntry(entry).tokens).toBe(catalogueTokens(entry))
  }
})
