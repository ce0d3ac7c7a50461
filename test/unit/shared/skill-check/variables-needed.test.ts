import { expect, test } from 'vitest'
import { variablesNeeded } from '@shared/skill-check/variables-needed'

test.each([
  ['Requires the FOO_TOKEN environment variable', [['FOO_TOKEN']]],
  ['Requires the `DEBUG` environment variable.', [['DEBUG']]],
  ['Requires env var FOO_TOKEN', [['FOO_TOKEN']]],
  ['Needs $FOO_TOKEN to be set', [['FOO_TOKEN']]],
  ['Needs ${FOO_TOKEN} to be set', [['FOO_TOKEN']]],
  ['Requires git, jq and the FOO_TOKEN env var, no network', [['FOO_TOKEN']]],
  [
    'Requires git and network access.\nNeeds environment variables: A_KEY, B_KEY and CC',
    [['A_KEY'], ['B_KEY'], ['CC']],
  ],
  ['Requires Python 3.11 (FOO_TOKEN environment variable must be set)', [['FOO_TOKEN']]],
  ['The env vars A_KEY or B_KEY must be set', [['A_KEY', 'B_KEY']]],
  ['Requires FOO_TOKEN as an environment variable', [['FOO_TOKEN']]],
] as [string, string[][]][])('%s names %j', (text, names) => {
  expect(variablesNeeded(text)).toEqual(names)
})

test.each([
  'Requires PDF and HTML support',
  'Requires AWS environment variables and an API key',
  'Requires network access. The FOO_TOKEN environment variable is optional',
  'Requires git, optionally the FOO_TOKEN environment variable',
  'Requires no environment variable FOO_TOKEN',
  'Works with FOO_TOKEN env var',
  'Needs about US$5 and a README_FILE',
  'Requires an environment variable',
])('nothing is guessed at in: %s', (text) => {
  expect(variablesNeeded(text)).toEqual([])
})
