import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createBench, type Bench } from './harness'

const VALUE = 'quince-7711-marmalade'
const SECRETS = { secretValues: () => ({ JAR: VALUE }), heldSecrets: () => [{ name: 'JAR', value: VALUE }] }
let bench: Bench
afterEach(() => bench.close())

/** Names and bytes of all that is below a folder. */
function all(dir: string): string {
  return readdirSync(dir)
    .map((name) => {
      const path = join(dir, name)
      const stat = lstatSync(path)
      return `${name}\n${stat.isDirectory() ? all(path) : stat.isFile() ? readFileSync(path, 'latin1') : ''}`
    })
    .join('\n')
}

const kept = () => ['runs', 'quarantine'].map((name) => all(join(bench.dataDir, name))).join('\n')

test('a name of a secret that is moved away is in no record, log or folder', async () => {
  bench = createBench(SECRETS)
  const input = bench.script('make.sh', 'mkdir -p "d-$JAR/.vscode"; echo x > "d-$JAR/.vscode/tasks.json"', {
    secrets: ['JAR'],
  })
  const { stderr, printedSecrets } = await bench.execute(await bench.runs.planScript(input))
  expect(stderr).toContain('moved away what a script may not make in a project: d-[redacted:JAR]/.vscode]')
  expect(printedSecrets).toEqual(['JAR'])
  expect(bench.audit.at(-1)?.data['moved']).toEqual(['d-[redacted:JAR]/.vscode'])
  expect(JSON.stringify(bench.audit)).not.toContain(VALUE)
  expect(kept()).not.toContain(VALUE)
  expect(kept()).toContain('["1","d-[redacted:JAR]/.vscode"]')
})

test('after a crash no name is noted where the secret is not known any more', async () => {
  bench = createBench({ ...SECRETS, heldSecrets: () => [] })
  const input = bench.script('hello.sh', 'echo hello', { secrets: ['JAR'] })
  const { run } = await bench.execute(await bench.runs.planScript(input))
  const own = join(bench.dataDir, 'runs', run.id)
  mkdirSync(own)
  const nested = { before: [], roots: [bench.workspace] }
  writeFileSync(join(own, 'journal.json'), JSON.stringify({ workspace: bench.workspace, guards: [], nested }))
  mkdirSync(join(bench.workspace, `d-${VALUE}/.vscode`), { recursive: true })
  bench.db.sql.prepare(`UPDATE runs SET status = 'running'`).run()
  await bench.runs.recover()
  expect(readdirSync(join(bench.workspace, `d-${VALUE}`))).toEqual([])
  expect(kept()).toContain('["1","not noted: it may hold a secret')
  expect(kept()).not.toContain(VALUE)
})
