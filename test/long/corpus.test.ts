import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CORE_CASES, runCorpus } from '../helpers/corpus'

test(
  'the whole attack corpus of the core: denied, asked or contained as it says',
  { timeout: 1_200_000 },
  async () => {
    const report = await runCorpus(CORE_CASES)
    console.log(JSON.stringify(report))
    const file = process.env['SATCHEL_CORPUS_REPORT']
    if (file) writeFileSync(file, JSON.stringify(report))
    expect(report.faults).toEqual([])
    expect(report.cases).toBe(CORE_CASES.length)
  },
)
