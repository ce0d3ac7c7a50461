import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keepLeftOutput, printedBy } from '../../../../src/main/runs/left-output'
import { createOutputLog } from '../../../../src/main/runs/output-log'
import { createBench, type Bench } from './harness'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'left-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const errors: unknown[] = []
const keep = () => keepLeftOutput(folder, 'run_1', (error) => errors.push(error))
const printed = () => printedBy(folder, 'run_1')

/** A log with `logged` bytes of standard error in it, and a file with all of them. */
function leave(err: Buffer, logged: number, out = 'out\n'): void {
  mkdirSync(join(folder, 'run_1'))
  writeFileSync(join(folder, 'run_1', 'err'), err)
  const log = createOutputLog({ folder, runId: 'run_1', keep: 10_000_000, onError: (e) => errors.push(e) })
  const decoder = new TextDecoder()
  log.append('out', out)
  log.append('err', decoder.decode(err.subarray(0, logged), { stream: true }), logged)
  log.close()
}

describe('what a run left behind', () => {
  test.each([0, 1, 2, 3, 5, 9, 10, 13])('is kept whole when %i bytes of it had been read', (logged) => {
    const err = Buffer.from('aé€😀 z\n')
    leave(err, Math.min(logged, err.length))
    expect(keep()).toEqual({ outputBytes: 4 + err.length, truncated: false, whole: true })
    expect(printed()).toEqual({ stdout: 'out\n', stderr: 'aé€😀 z\n', truncated: false })
  })

  test('is added once, however often it is looked at', () => {
    leave(Buffer.from('half a character: \xe2\x82', 'latin1'), 4)
    const first = keep()
    const text = printed()
    expect(text.stderr).toBe('half a character: \ufffd')
    expect(keep()).toEqual(first)
    expect(printed()).toEqual(text)
  })

  test('goes on behind a line that the crash tore', () => {
    leave(Buffer.from('one two'), 4)
    writeFileSync(
      join(folder, 'run_1.log'),
      `${readFileSync(join(folder, 'run_1.log'), 'utf8')}{"offset":8,"ch`,
    )
    expect(keep()).toMatchObject({ outputBytes: 11 })
    expect(printed().stderr).toBe('one two')
  })

  test('counts output that the log had to drop, and says that it did', () => {
    mkdirSync(join(folder, 'run_1'))
    writeFileSync(join(folder, 'run_1', 'err'), 'last words')
    const log = createOutputLog({ folder, runId: 'run_1', keep: 1000, onError: (e) => errors.push(e) })
    for (let n = 0; n < 300; n += 1) {
      log.append('out', '123456789\n')
      log.flush()
    }
    log.close()
    expect(keep()).toEqual({ outputBytes: 3010, truncated: true, whole: true })
    expect(printed().stderr).toBe('last words')
  })

  test('is nothing for a run that is not there', () => {
    expect(keep()).toEqual({ outputBytes: 0, truncated: false, whole: true })
    expect(printed()).toEqual({ stdout: '', stderr: '', truncated: false })
    expect(existsSync(join(folder, 'run_1.log'))).toBe(false)
  })
})

test('a start after a crash keeps the rest of the error output before it removes the folder of the run', async () => {
  const bench = createBench()
  try {
    const { run } = await bench.run('hello.sh', 'echo hello')
    const own = join(bench.dataDir, 'runs', run.id)
    mkdirSync(own)
    writeFileSync(join(own, 'err'), 'oops\n')
    bench.db.sql.prepare(`UPDATE runs SET status = 'running', output_bytes = 0`).run()
    expect(await bench.runs.recover()).toEqual([run.id])
    expect(bench.runs.get(run.id)).toMatchObject({ status: 'interrupted', outputBytes: 11 })
    expect(bench.runs.printed(run.id)).toEqual({ stdout: 'hello\n', stderr: 'oops\n', truncated: false })
    expect(existsSync(own)).toBe(false)
  } finally {
    await bench.close()
  }
})

describe('of a run whose secret is not known any more', () => {
  const VALUE = 'quince-7711-marmalade'
  const REST = 'it may hold the secret JAR, which is not known any more.'

  /** A run that ended with the app, that was given JAR and left `err` unread; then a start that holds `held`. */
  async function restarted(bench: Bench, printed: string, err: string): Promise<string> {
    const plan = await bench.runs.planScript(
      bench.script('hello.sh', `printf '${printed}'`, { secrets: ['JAR'] }),
    )
    const { run } = await bench.execute(plan)
    const own = join(bench.dataDir, 'runs', run.id)
    mkdirSync(own)
    writeFileSync(join(own, 'err'), err)
    bench.db.sql.prepare(`UPDATE runs SET status = 'running', output_bytes = 0`).run()
    await bench.runs.recover()
    return run.id
  }

  test('nothing is kept that was not redacted while it ran, and that is said', async () => {
    const bench = createBench({ secretValues: () => ({ JAR: VALUE }) })
    try {
      const id = await restarted(bench, 'hello\\n', `oops ${VALUE}\n`)
      expect(bench.runs.printed(id).stdout).toBe('hello\n')
      expect(bench.runs.printed(id).stderr).toContain(REST)
      expect(readFileSync(join(bench.dataDir, 'runs', `${id}.log`), 'utf8')).not.toContain('oops')
      expect(bench.runs.get(id)).toMatchObject({ status: 'interrupted', truncated: true, outputBytes: 33 })
      expect(existsSync(join(bench.dataDir, 'runs', id))).toBe(false)
    } finally {
      await bench.close()
    }
  })

  test('what the cursor could bring together in its log is not told', async () => {
    const bench = createBench({ secretValues: () => ({ JAR: VALUE }) })
    try {
      const id = await restarted(bench, 'hello\\n-7711-marmalade\\rquince\\n', '')
      expect(bench.runs.printed(id).stdout).toBe('hello\n-7711-marmalade')
      expect(bench.runs.printed(id)).toMatchObject({ truncated: true })
      expect(bench.runs.printed(id).stderr).toContain(REST)
    } finally {
      await bench.close()
    }
  })

  test('one whose value is at hand is taken out, and the rest is kept', async () => {
    const bench = createBench({
      secretValues: () => ({ JAR: VALUE }),
      heldSecrets: () => [{ name: 'JAR', value: VALUE }],
    })
    try {
      const id = await restarted(bench, 'hello\\n', `oops ${VALUE}\n`)
      expect(bench.runs.printed(id).stderr).toBe('oops [redacted:JAR]\n')
    } finally {
      await bench.close()
    }
  })
})

test('an output that can not be kept leaves the folder for the next start, and the app starts', async () => {
  const bench = createBench()
  try {
    const { run } = await bench.run('hello.sh', 'echo hello')
    const own = join(bench.dataDir, 'runs', run.id)
    mkdirSync(join(own, 'err'), { recursive: true })
    bench.db.sql.prepare(`UPDATE runs SET status = 'running'`).run()
    await bench.runs.recover()
    expect(bench.runs.get(run.id)).toMatchObject({ status: 'interrupted', truncated: true })
    expect(bench.errors[0]).toContain('could not be kept')
    rmSync(join(own, 'err'), { recursive: true })
    writeFileSync(join(own, 'err'), 'oops\n')
    await bench.runs.recover()
    expect(bench.runs.printed(run.id).stderr).toBe('oops\n')
    expect(existsSync(own)).toBe(false)
  } finally {
    await bench.close()
  }
})
