import { expect, test } from 'vitest'
import { defenceOf } from '../corpus/defence-of'
import { CORE_CASES, runCorpus } from '../helpers/corpus'

/** Set by `scripts/corpus.mjs` together with the changes that take these defences away. */
const off = process.env['SATCHEL_DEFENCES_OFF']?.split(',') ?? []

const attacks = CORE_CASES.filter((one) => {
  const defended = defenceOf(one)
  return !('notTried' in defended) && defended.join(',') === off.join(',')
})

test.runIf(off.length > 0)(
  'without the defence that it names every attack succeeds',
  { timeout: 600_000 },
  async () => {
    const { succeeded } = await runCorpus(attacks)
    const failed = attacks
      .map(({ id, title }) => `${id} ${title}`)
      .filter((name) => !succeeded.includes(name))
    expect(failed).toEqual([])
    expect(attacks.length).toBeGreaterThan(0)
  },
)
