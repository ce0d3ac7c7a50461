import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBench } from './harness'
import type { Bench } from './harness'

const MB = 1024 ** 2
const LIMITS = { processes: 24, memoryBytes: 200 * MB, fileBytes: 2 * MB }
/** So many calls are answered while it goes on. */
const CALLS = 1000

let bench: Bench
beforeEach(() => {
  bench = createBench({ limits: () => LIMITS })
})
afterEach(() => bench.close())

/** Each says when it is at work, and is bounded by itself: a limit that fails must not take the machine. */
const HOSTILE = [
  [
    'a fork bomb',
    'bomb.pl',
    `my $n = 0; $| = 1;
for (1 .. 10_000_000) {
  last if $n == 60; my $pid = fork; next unless defined $pid;
  if (!$pid) { sleep 30; exit } $n++; print "begun\n" if $n == 15
} sleep 30`,
  ],
  [
    'a memory hog',
    'hog.pl',
    `$| = 1;
for my $round (1 .. 2000) {
  for (1 .. 6) { if (!fork) { my $x = "x" x (60_000_000 + $round); exit } } 1 while wait != -1; print "begun\n" if $round == 1
}`,
  ],
  [
    'a disk filler',
    'fill.pl',
    `$| = 1; $SIG{XFSZ} = "IGNORE"; my $x = "x" x 1_000_000;
for my $file (1 .. 20_000) {
  open(my $f, ">", "big" . $file % 4); print $f $x for 1 .. 8; close $f; print "begun\n" if $file == 4
}`,
  ],
  [
    'an endless printer',
    'yes.sh',
    'yes "all work and no play" | head -c 1000000; echo begun; yes "no play" | head -c 1000000000',
  ],
] as const

test.each(HOSTILE)(`%s: the app answers ${CALLS} calls while it goes on`, async (_name, path, text) => {
  const state = { ended: false }
  const running = bench.run(path, text).finally(() => (state.ended = true))
  await bench.seen(/begun/)
  const id = bench.claimed.at(-1)!
  let answered = 0
  for (; answered < CALLS && !state.ended; answered += 1) {
    bench.runs.get(id)
    bench.db.tx(() => bench.db.sql.prepare('UPDATE requests SET revision = revision + 1').run())
    await new Promise((resolve) => void setImmediate(resolve))
  }
  const wentOn = !state.ended
  await bench.runs.kill(id, true)
  const { statusText } = await running
  // Where only the watchdog counts, the limit may end it first; so may the limit of all that is printed.
  if (!wentOn) expect(statusText).toMatch(/24 processes|200 MB/)
  else expect(answered).toBe(CALLS)
})
