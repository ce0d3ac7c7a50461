import { WINDOW_CASES } from '../corpus/window-cases'
import { test } from '../helpers/electron'
import { runWindowCorpus } from '../helpers/window-corpus'

test('hostile text of a model stays text: the whole attack corpus', async ({ launch }) => {
  test.setTimeout(1_200_000)
  await runWindowCorpus(await launch(), WINDOW_CASES)
})
