import { writeFileSync } from 'node:fs'
import { WINDOW_CASES } from '../corpus/window-cases'
import { expect, test } from '../helpers/electron'
import { harmedBy } from '../helpers/window-corpus'

/** Set by `scripts/lib/corpus-off.mjs`, which built the app without the defences of these ids. */
const off = process.env['SATCHEL_DEFENCES_OFF']?.split(',') ?? []

test('without the defence that it names every attack on the window succeeds', async ({ launch }) => {
  test.skip(off.length === 0, 'started by npm run corpus')
  test.setTimeout(600_000)
  const session = await launch()
  session.allow(/./)
  const attacks = WINDOW_CASES.filter(({ id }) => off.includes(id))
  const harmed = await harmedBy(session, attacks)
  const file = process.env['SATCHEL_CORPUS_REPORT']
  if (file) writeFileSync(file, JSON.stringify({ ids: [...new Set(harmed.map(({ id }) => id))] }))
  expect(harmed.length).toBeGreaterThan(0)
})
