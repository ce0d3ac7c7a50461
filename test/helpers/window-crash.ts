import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { allowInReview, composer, dock, sendMessage, step } from './chat'
import { expect, spawnSatchel, type LaunchOptions, type Session } from './electron'
import { createRandom, type Random } from './random'

type Launch = (options?: LaunchOptions) => Promise<Session>

export interface WindowCrashReport {
  kills: number
  /** Milliseconds from the start of the program to a message box that takes text, the longest. */
  slowestStartMs: number
  runs: number
}

/**
 * Real Electron on one home folder, killed again and again at moments that the seed chooses: while it starts, and
 * while a person sends, reviews, allows and reads. After each kill it starts to a usable window with sound data.
 */
export async function windowCrashLoop(
  launch: Launch,
  options: { home: string; rounds: number; seed: number },
): Promise<WindowCrashReport> {
  const { home, rounds, seed } = options
  const random = createRandom(seed)
  const report: WindowCrashReport = { kills: 0, slowestStartMs: 0, runs: 0 }
  for (let round = 0; round < rounds; round += 1) {
    if (random.chance(0.3)) await killWhileStarting(home, random)
    else {
      const session = await startUsable(launch, home, report)
      await killOnTheWay(session, random)
    }
    report.kills += 1
    await expect.poll(() => sandboxesOf(home)).toEqual([])
    report.runs = checkData(home)
  }
  const last = await startUsable(launch, home, report)
  await sendMessage(last.page, 'Are you there?')
  // In the transcript, or in the queue while a request waits.
  await expect(last.page.getByText('Are you there?').first()).toBeVisible()
  return report
}

async function startUsable(launch: Launch, home: string, report: WindowCrashReport): Promise<Session> {
  const began = performance.now()
  const session = await launch({ home })
  await expect(composer(session.page)).toBeEnabled()
  report.slowestStartMs = Math.max(report.slowestStartMs, Math.round(performance.now() - began))
  // The end comes in the middle of things; what Chromium says about it is no fault of the app.
  session.allow(/net::ERR|Target closed|WebSocket|DevTools/)
  return session
}

async function killWhileStarting(home: string, random: Random): Promise<void> {
  const { child, exited } = spawnSatchel({ home })
  await new Promise((done) => {
    setTimeout(done, random.int(2500))
  })
  child.kill('SIGKILL')
  await exited
}

async function killOnTheWay(session: Session, random: Random): Promise<void> {
  const journey = goOn(session).catch(() => 'cut off')
  await new Promise((done) => {
    setTimeout(done, random.int(3000))
  })
  await session.kill9()
  await journey
}

/** The first minute of a person: send, review, allow, read; or first what waits since before. */
async function goOn({ page }: Session): Promise<void> {
  if ((await dock(page).count()) === 0) await sendMessage(page, 'Count the words in sample.txt')
  await expect(dock(page)).toBeVisible()
  const before = await step(page, 'run-done').count()
  await allowInReview(page)
  await expect(step(page, 'run-done')).toHaveCount(before + 1)
  await sendMessage(page, 'Count the words in sample.txt again')
  await expect(dock(page)).toBeVisible()
}

/** Sound pages, and no run without a used approval of its plan. Returns the number of runs. */
function checkData(home: string): number {
  const file = join(home, 'data', 'satchel.db')
  if (!existsSync(file)) return 0
  const sql = new Database(file)
  try {
    expect(sql.pragma('integrity_check', { simple: true })).toBe('ok')
    const hasRuns = sql.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'runs'`).get()
    if (!hasRuns) return 0
    const wrong = sql
      .prepare(
        `SELECT runs.id FROM runs LEFT JOIN requests ON requests.id = runs.request_id
         WHERE requests.status IS NOT 'approved' OR requests.used_at IS NULL OR requests.plan_hash <> runs.plan_hash`,
      )
      .all()
    expect(wrong).toEqual([])
    return (sql.prepare('SELECT count(*) AS n FROM runs').get() as { n: number }).n
  } finally {
    sql.close()
  }
}

/** Sandboxes whose arguments name the folder. */
function sandboxesOf(home: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return line.includes(home) && line.includes('bwrap')
    } catch {
      return false // ended meanwhile
    }
  })
}
