import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { planHash as hashPlan } from '../../../../src/main/lib/plan-hash'
import { createBench } from './harness'
import type { Bench } from './harness'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => bench.close())

async function logOf(runId: string): Promise<string> {
  let text = ''
  for await (const chunk of bench.runs.output(runId, 0, new AbortController().signal)) text += chunk.data
  return text
}

describe('output', () => {
  test('standard error comes apart', async () => {
    const outcome = await bench.run('two.sh', 'echo out; echo err >&2; echo out2')
    expect([outcome.stdout, outcome.stderr]).toEqual(['out\nout2\n', 'err\n'])
  })

  test('standard output is a terminal, standard error is none', async () => {
    const { stdout } = await bench.run('tty.sh', '[ -t 1 ] && echo out; [ -t 2 ] || echo no-err')
    expect(stdout).toBe('out\nno-err\n')
  })

  test('invalid UTF-8 becomes the replacement character, split characters are joined', async () => {
    const { stdout } = await bench.run(
      'bytes.pl',
      String.raw`$| = 1; print "a\xff\xe2\x82"; select(undef, undef, undef, 0.05); print "\xac b\n"`,
    )
    expect(stdout).toBe('a\ufffd€ b\n')
  })

  test('a line of 5 MB comes through', async () => {
    const { run } = await bench.run('line.pl', `print 'x' x 5_000_000`)
    expect((await logOf(run.id)).length).toBe(5_000_000)
  })

  test('opening the output again at an offset continues there, also while it runs', async () => {
    const running = bench.run('steps.sh', 'echo one; read -r line; echo "two $line"', { interactive: true })
    await bench.seen(/one/)
    const rest: string[] = []
    const reading = (async () => {
      for await (const chunk of bench.runs.output(bench.claimed[0]!, 2, new AbortController().signal))
        rest.push(chunk.data)
    })()
    await bench.runs.input(bench.claimed[0]!, 'x\n')
    await Promise.all([running, reading])
    expect(rest.join('')).toBe('e\nx\ntwo x\n')
  })

  test('reading stops when its signal aborts', async () => {
    const running = bench.run('wait.sh', 'echo one; read -r line', { interactive: true })
    await bench.seen(/one/)
    const stop = new AbortController()
    const pieces: string[] = []
    for await (const chunk of bench.runs.output(bench.claimed[0]!, 0, stop.signal)) {
      pieces.push(chunk.data)
      stop.abort()
    }
    expect(pieces.join('')).toBe('one\n')
    await bench.runs.kill(bench.claimed[0]!, true)
    await running
  })

  test('several runs at once keep their output apart', async () => {
    const outcomes = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) =>
        bench.run('many.sh', 'for i in 1 2 3 4 5; do echo "$1$i"; done', { args: [name] }),
      ),
    )
    expect(outcomes.map((outcome) => outcome.stdout)).toEqual(
      ['a', 'b', 'c', 'd'].map((name) => [1, 2, 3, 4, 5].map((i) => `${name}${i}\n`).join('')),
    )
  })

  test('a run holds no descriptor of the app, not even the terminal of another run', async () => {
    const other = bench.run('wait.sh', 'echo one; read -r line', { interactive: true })
    await bench.seen(/one/)
    const { stdout } = await bench.run(
      'fds.pl',
      'opendir D, "/proc/self/fd"; print map {"$_ " . readlink("/proc/self/fd/$_") . "\\n"} sort readdir D',
    )
    // Perl itself holds the script and the folder it lists.
    const others = stdout
      .split('\n')
      .filter((line) => !/^(\.* ?|[012] .*|\d+ \/(\.sandbox|proc)\/.*)$/.test(line))
    expect(others).toEqual([])
    await bench.runs.kill(bench.claimed[0]!, true)
    await other
  })
})

describe('how a run ends', () => {
  test.each([0, 1, 2, 77, 126, 127, 255])('exit code %i is reported', async (code) => {
    const { run } = await bench.run('exit.sh', `exit ${code}`)
    expect(run).toMatchObject({ status: code === 0 ? 'succeeded' : 'failed', exitCode: code, signal: null })
  })

  test('a signal that ended the script is named', async () => {
    const { run, statusText } = await bench.run('signal.sh', 'kill -SEGV $$')
    expect(run).toMatchObject({ status: 'failed', exitCode: 139, signal: 'SIGSEGV' })
    expect(statusText).toBe('It was ended by SIGSEGV.')
  })

  test('the row, the audit and the outcome agree', async () => {
    const { run } = await bench.run('exit.sh', 'exit 3')
    expect(bench.runs.get(run.id)).toEqual(run)
    expect(bench.audit.map(({ action, data }) => [action, data['exitCode']])).toEqual([
      ['run.started', undefined],
      ['run.finished', 3],
    ])
    expect(bench.audit.at(-1)?.data).toMatchObject({
      durationMs: expect.any(Number),
      wallMs: run.endedAt! - run.startedAt,
    })
  })

  test('the run’s own files are gone afterwards, the log stays', async () => {
    const { run } = await bench.run('hello.sh', 'echo hello', { stdin: 'x' })
    expect(readdirSync(join(bench.dataDir, 'runs'))).toEqual([`${run.id}.log`])
  })
})

describe('standard input', () => {
  test('is closed unless asked for', async () => {
    const { stdout } = await bench.run('in.sh', 'cat; echo "end $?"')
    expect(stdout).toBe('end 0\n')
  })

  test('a text is given as it is and not echoed', async () => {
    const { stdout } = await bench.run('in.sh', 'cat', { stdin: 'ü\n\n\ttext without line end' })
    expect(stdout).toBe('ü\n\n\ttext without line end')
  })

  test('a person can answer the prompts of an interactive run', async () => {
    const running = bench.run('ask.sh', 'read -p "Name? " name; echo "Hello $name"; echo err >&2', {
      interactive: true,
    })
    await bench.seen(/Name\? /)
    await bench.runs.input(bench.claimed[0]!, 'Ada\n')
    expect((await running).stdout).toBe('Ada\nHello Ada\n')
  })

  test('keys that nobody read do not end the run early', async () => {
    const running = bench.run('late.sh', 'echo one; read -r go; sleep 0.2; echo two', { interactive: true })
    await bench.seen(/one/)
    await bench.runs.input(bench.claimed[0]!, 'go\nnever read\nhalf a line')
    expect((await running).stdout).toMatch(/two\n$/)
  })

  test('Ctrl-C interrupts the script, which may clean up', async () => {
    const running = bench.run(
      'trap.sh',
      `trap 'echo cleaned; exit 7' INT; echo ready; while :; do sleep 0.05; done`,
      { interactive: true },
    )
    await bench.seen(/ready/)
    await bench.runs.input(bench.claimed[0]!, '\x03')
    const { run, stdout } = await running
    expect([run.exitCode, stdout]).toEqual([7, 'ready\ncleaned\n'])
  })

  test('keys for a run that is not interactive are refused', async () => {
    const { run } = await bench.run('hello.sh', 'echo hello')
    await expect(bench.runs.input(run.id, 'x')).rejects.toMatchObject({ code: 'bad_input' })
  })
})

describe('what is checked before the start', () => {
  const planOf = (text = 'echo ran') => bench.runs.planScript(bench.script('check.sh', text))

  test('a plan that is not the one allowed does not run', async () => {
    const plan = await planOf()
    await expect(
      bench.execute({ ...plan, argv: [...plan.argv, '--all'] }, { planHash: 'f'.repeat(64) }),
    ).rejects.toMatchObject({ code: 'stale' })
    expect(bench.claimed).toEqual([])
  })

  test('a snapshot changed on disk does not run', async () => {
    const input = bench.script('check.sh', 'echo ran')
    const plan = await bench.runs.planScript(input)
    writeFileSync(join(bench.snapshotFile(input), '..', 'only-script'), 'echo EVIL')
    await expect(bench.execute(plan)).rejects.toMatchObject({ code: 'stale' })
    expect(bench.claimed).toEqual([])
  })

  test.each([
    ['other bytes', 'f'.repeat(64)],
    ['none', undefined],
  ])('an interpreter whose digest is %s does not run', async (_what, digest) => {
    const plan = await bench.runs.planScript(bench.script('a.sh', 'echo hello'))
    const { sha256: _shown, ...interpreter } = plan.interpreter
    const other = { ...plan, interpreter: { ...interpreter, ...(digest ? { sha256: digest } : {}) } }
    await expect(bench.execute(other)).rejects.toMatchObject({ code: 'stale' })
  })

  test('an interpreter that is gone does not run', async () => {
    const plan = await planOf()
    const gone = { ...plan, interpreter: { ...plan.interpreter, path: '/usr/bin/no-such-bash' } }
    await expect(bench.execute(gone)).rejects.toMatchObject({ code: 'no_interpreter' })
  })

  test('another sandbox than the allowed one does not run', async () => {
    const plan = await planOf()
    const other = { ...plan, sandbox: { ...plan.sandbox, network: 'on' as const } }
    await expect(bench.execute(other)).rejects.toMatchObject({ code: 'stale' })
  })

  test('a project folder that was swapped for a link does not run', async () => {
    const plan = await planOf()
    mkdirSync(join(bench.dir, 'other'))
    rmSync(bench.workspace, { recursive: true })
    symlinkSync(join(bench.dir, 'other'), bench.workspace)
    await expect(bench.execute(plan)).rejects.toMatchObject({ code: 'stale' })
  })

  test('a turn that was stopped does not run', async () => {
    await expect(bench.execute(await planOf(), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    })
    expect(bench.claimed).toEqual([])
  })

  test('an approval is good for one run', async () => {
    const plan = await planOf()
    await bench.execute(plan)
    expect(() =>
      bench.db.sql
        .prepare(`INSERT INTO runs (id, request_id, session_id, call_id, skill_name, script, tree_digest, plan_hash, argv, cwd, status, backend, capabilities, started_at)
                  SELECT 'run_y', request_id, session_id, call_id, skill_name, script, tree_digest, plan_hash, argv, cwd, status, backend, capabilities, started_at FROM runs`)
        .run(),
    ).toThrow(/UNIQUE/)
  })

  test('a claim that fails leaves no run', async () => {
    const plan = await planOf()
    const execute = bench.runs.execute(
      {
        requestId: 'req_none',
        plan,
        planHash: hashPlan(plan),
        sessionId: 's',
        callId: 'c',
        claim: () => {
          throw new Error('spent')
        },
      },
      new AbortController().signal,
    )
    await expect(execute).rejects.toThrow('spent')
    expect(bench.db.sql.prepare('SELECT count(*) AS n FROM runs').get()).toEqual({ n: 0 })
  })
})
