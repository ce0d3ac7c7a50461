// `npm run faults`: lets one thing after the other fail at every named point, kills, throws, fills the disk or waits,
// looks at what is left, and writes the table of docs/reliability.md anew.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultTable } from './lib/fault-table.mjs'
import { projectEnvironment, root } from './lib/project.mjs'

const help = `Usage: npm run faults [-- <point>[:<kind>] ...]

  Kinds: kill, throw, full (the disk), delay. Without arguments every point is tried with each kind, which takes
  about ten minutes, and the table in docs/reliability.md is written anew. Ends with 1 when a promise was broken.
`
/** Milliseconds, against hanging. */
const limit = 90 * 60_000
const docs = join(root, 'docs', 'reliability.md')

const wanted = process.argv.slice(2)
process.exitCode = wanted.includes('--help') ? showHelp() : main()

function showHelp() {
  console.log(help)
  return 0
}

function main() {
  const temp = mkdtempSync(join(tmpdir(), 'satchel-faults-'))
  const report = join(temp, 'report.json')
  try {
    const { status } = spawnSync('vitest', ['run', 'test/long/faults.test.ts'], {
      cwd: root,
      env: {
        ...projectEnvironment(),
        SATCHEL_TEST_LONG: '1',
        SATCHEL_FAULTS: wanted.join(','),
        SATCHEL_FAULTS_REPORT: report,
      },
      stdio: 'inherit',
      timeout: limit,
    })
    if (wanted.length === 0 && existsSync(report)) {
      const { cells } = JSON.parse(readFileSync(report, 'utf8'))
      writeFileSync(docs, faultTable(readFileSync(docs, 'utf8'), cells))
    }
    return status === 0 ? 0 : 1
  } finally {
    rmSync(temp, { recursive: true, force: true })
  }
}
