import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunPlan } from '../../../../src/shared/domain/approval'
import { createBwrap } from '../../../../src/main/runs/sandbox/bwrap'
import { probePlan } from '../../../../src/main/runs/sandbox/canary'
import { createTerminalStream } from '../../../../src/main/runs/terminal-stream'
import { fullScreenKeys } from '../../../../src/main/runs/terminal-input'
import { createBench } from './harness'
import type { Bench } from './harness'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => bench.close())

const FULL = { fullScreen: true } as const

/** Draws, asks where the cursor is, and says each key, each new size and each interrupt, until it gets a q. */
const PROGRAM = `
use POSIX ();
$| = 1;
$SIG{WINCH} = sub { my $size = \`stty size\`; chomp $size; print "size=$size\\r\\n" };
$SIG{INT} = sub { print "interrupt\\r\\n" };
system 'stty -icanon -echo min 1';
print "\\e[?1049h\\e[H drawn\\r\\n";
while (1) {
  my $read = sysread STDIN, my $keys, 100;
  next if !defined $read;
  last if $keys eq 'q' || !$read;
  printf "keys=%s\\r\\n%s", join(',', map ord, split //, $keys), $keys eq 'a' ? "\\e[6n" : '';
}
print "\\e[?1049l";
exit 4;
`

/** What can be done with the run that was just begun. */
function controls() {
  const id = bench.claimed.at(-1)!
  return {
    type: (data: string) => bench.runs.input(id, data),
    resize: (cols: number, rows: number) => bench.runs.resize(id, cols, rows),
  }
}

function wrapped(plan: RunPlan) {
  const place = { snapshotDir: (digest: string) => digest, dataDir: '/data', covers: [], nested: [] }
  return createBwrap('/usr/bin/bwrap', '1').wrap(plan, {
    ...place,
    runId: 'run_1',
    network: null,
    inside: [],
    errors: null,
  })
}

describe('a full-screen program', () => {
  test('has no session of its own in the sandbox; every other run has', () => {
    const plain = probePlan('/tmp')
    const full: RunPlan = { ...plain, ...FULL, interactive: true }
    expect(wrapped(plain).options).toContain('--new-session')
    expect(wrapped(full).options).not.toContain('--new-session')
    const without = wrapped(plain).options.filter((option) => option !== '--new-session')
    expect(wrapped(full).options).toEqual(without)
    expect(wrapped(plain).argv.join(' ')).not.toContain('--default-signal')
    expect(wrapped(full).argv.slice(-2)).toEqual([
      expect.stringContaining('--default-signal=INT'),
      '/bin/bash',
    ])
  })

  test('is part of the plan, is typed to, and has more time than a script', async () => {
    const plain = await bench.runs.planScript(bench.script('a.sh', 'true'))
    const full = await bench.runs.planScript(bench.script('a.sh', 'true', FULL))
    expect('fullScreen' in plain).toBe(false)
    expect(full).toEqual({ ...plain, fullScreen: true, interactive: true, timeoutMs: 1_800_000 })
    const longer = bench.script('a.sh', 'true', { ...FULL, timeoutMs: 3_600_000 })
    expect((await bench.runs.planScript(longer)).timeoutMs).toBe(3_600_000)
  })

  test('gets no text on its standard input', async () => {
    const input = bench.script('a.sh', 'true', { ...FULL, stdin: 'yes' })
    await expect(bench.runs.planScript(input)).rejects.toMatchObject({ code: 'bad_input' })
  })

  test('is told of a new size, gets keys and replies, and takes Ctrl-C as a key', async () => {
    const running = bench.run('program.pl', PROGRAM, FULL)
    await bench.seen(/drawn/)
    const { type, resize } = controls()
    await resize(91, 37)
    await bench.seen(/size=37 91/)
    await type('a')
    // oxlint-disable-next-line no-control-regex -- the question of the program
    await bench.seen(/keys=97\s+\u001b\[6n/)
    await type('\u001b[5;7R')
    await bench.seen(/keys=27,91,53,59,55,82/)
    await type('\u0003')
    await bench.seen(/interrupt/)
    await type('\u001ab')
    await bench.seen(/keys=98/)
    await type('q')
    const { run, stdout } = await running
    expect([run.status, run.exitCode]).toEqual(['failed', 4])
    // The model gets text: what drew it is taken out.
    expect(stdout).toContain(' drawn\nsize=37 91\nkeys=97\n')
    expect(stdout).not.toContain('\u001b')
  })

  test('loses nothing at its end when it leaves the terminal raw, in other hands, and full of what it typed', async () => {
    const text = `
stty raw -echo min 0 time 0
perl -e 'ioctl(STDIN, 0x5412, my $c = "x") for 1 .. 5000'
set -m
sleep 300 </dev/null &
printf 'a\\nb\\r\\nend'
`
    const { stdout, run } = await bench.run('raw.sh', text, FULL)
    expect([run.exitCode, stdout]).toEqual([0, 'a\nb\nend'])
  })

  test('gives a terminal that comes back its output again, marked so that nothing of it is answered twice', async () => {
    const running = bench.run('program.pl', PROGRAM, FULL)
    await bench.seen(/drawn/)
    const id = bench.claimed[0]!
    const first = async () => {
      for await (const chunk of bench.runs.output(id, 0, AbortSignal.timeout(20_000), true)) return chunk
      return null
    }
    const chunk = await first()
    expect(chunk).not.toHaveProperty('again')
    expect(await first()).toEqual({ ...chunk, again: true })
    await controls().type('q')
    await running
    expect((await first())?.data).toContain('drawn')
  })

  test.runIf(existsSync('/usr/bin/vi') || existsSync('/usr/bin/vim'))(
    'can be an editor, whose file is there afterwards',
    async () => {
      const running = bench.run('edit.sh', 'exec vi -u NONE -N note.txt', FULL)
      await bench.seen(/note\.txt/)
      await controls().type('ihello\u001b')
      await controls().type(':wq\r')
      expect((await running).run.exitCode).toBe(0)
      expect(readFileSync(join(bench.workspace, 'note.txt'), 'utf8')).toBe('hello\n')
    },
  )

  test('leaves its output as it is, where others have the terminal undone', () => {
    const bytes = Buffer.from('a\r\nb\n\r\n')
    expect(createTerminalStream('\x1eM', true).push(bytes).toString()).toBe('a\r\nb\n\r\n')
    expect(createTerminalStream('\x1eM').push(bytes).toString()).toBe('a\nb\n\n')
  })

  test('gets all that is typed but the key that would stop it for good', () => {
    expect(fullScreenKeys('a\u001b[5;7R\u0003\u001a\u001c\u001b[Ab')).toBe(
      'a\u001b[5;7R\u0003\u001c\u001b[Ab',
    )
  })
})
