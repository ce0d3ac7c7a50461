// `npm run corpus`: takes one defence after the other out of the sources as they are loaded, and shows that the attacks
// of test/corpus which it stops succeed without it. That they fail with it is shown by the other tests.
import { spawnSync } from 'node:child_process'
import { readDefences } from './lib/defences.mjs'
import { projectEnvironment, root } from './lib/project.mjs'

const help = `Usage: npm run corpus [-- <defence>[+<defence>] ...]

  Without names all are tried, one at a time. Ends with 1 when an attack fails without its defence: then something else
  stops it, and the case proves nothing about that defence.
`
/** Milliseconds for one defence, against hanging. */
const limit = 10 * 60_000

const wanted = process.argv.slice(2)
process.chdir(root)
process.exitCode = wanted.includes('--help') ? showHelp() : main()

function showHelp() {
  console.log(help)
  return 0
}

function main() {
  const { defences, groups } = readDefences()
  const chosen = groups.filter((group) => wanted.length === 0 || wanted.includes(group.join('+')))
  let failed = 0
  for (const group of chosen) {
    const changes = group.flatMap((id) => defences.find((one) => one.id === id)?.changes ?? [])
    const { status } = spawnSync(
      'vitest',
      ['run', '--config', 'test/mutants/vitest.config.ts', 'test/long/corpus-off.test.ts'],
      {
        env: {
          ...projectEnvironment(),
          // The configuration builds on that of the other tests.
          VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true',
          SATCHEL_TEST_LONG: '1',
          SATCHEL_DEFENCES_OFF: group.join(','),
          SATCHEL_MUTANT: JSON.stringify(changes),
        },
        stdio: wanted.length > 0 ? 'inherit' : 'ignore',
        timeout: limit,
      },
    )
    console.log(`${group.join(' and ')} off: ${status === 0 ? 'its attacks succeed' : 'FAILED'}`)
    if (status !== 0) failed += 1
  }
  console.log(`${chosen.length} tried, ${chosen.length - failed} as they must be, ${failed} failed`)
  return failed === 0 && chosen.length > 0 ? 0 : 1
}
