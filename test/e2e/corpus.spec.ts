import { WINDOW_CASES } from '../corpus/window-cases'
import { test } from '../helpers/electron'
import { sampleOf } from '../helpers/sample'
import { runWindowCorpus } from '../helpers/window-corpus'

test('hostile text of a model stays text: a sample of the attack corpus', async ({ launch }) => {
  await runWindowCorpus(await launch(), sampleOf(WINDOW_CASES, 8, 20_261_121))
})
