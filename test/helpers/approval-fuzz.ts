import { chmodSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestDetail, RequestSummary } from '@shared/domain/approval'
import { AppError } from '@shared/errors'
import { createTestApp, writeFiles, type TestApp } from './app'
import { createRandom, type Random } from './random'

export interface ApprovalReport {
  sequences: number
  /** Decisions by what came of them: approved, stale, denied, or the code of a refusal. */
  outcomes: Record<string, number>
  runs: number
  restarts: number
  faults: string[]
}

const STEPS = 24
/** Guard against a chat that never comes to rest. */
const REST_LIMIT = 30_000

const SCENARIOS = [
  {
    name: 'boil',
    match: '^boil',
    steps: [
      { call: { name: 'skills_load', input: { names: ['marmalade'] } } },
      { call: { name: 'skills_run_script', input: { path: 'scripts/boil.sh' } } },
      { text: 'Done.' },
    ],
  },
]

/** Says which run it is, and which bytes of the script and of the file beside it ran. */
const scriptOf = (version: number) =>
  `#!/usr/bin/env bash\necho "$SATCHEL_RUN_ID script-${version} $(cat "$SKILL_DIR/references/rules.md")" >> ledger.txt\n`
const rulesOf = (version: number) => `rules-${version}\n`

/**
 * Plays random sequences of edits, looks, decisions, double clicks, stops and restarts on two chats of one project.
 * Scripts write down which bytes ran, and that must be what the decided request had shown.
 */
export async function approvalFuzz(options: { sequences: number; seed: number }): Promise<ApprovalReport> {
  const random = createRandom(options.seed)
  const report: ApprovalReport = { sequences: 0, outcomes: {}, runs: 0, restarts: 0, faults: [] }
  while (report.sequences < options.sequences) {
    const seed = random.seed()
    const before = report.faults.length
    await oneSequence(createRandom(seed), report)
    if (report.faults.length > before) report.faults.push(`… in the sequence with seed ${seed}`)
    report.sequences += 1
  }
  return report
}

interface Play {
  app: TestApp
  random: Random
  report: ApprovalReport
  dir: string
  skill: string
  chats: string[]
  version: number
  /** Requests as a person saw them. */
  shown: Map<string, RequestDetail>
  /** Requests that a person has tried to allow. */
  tried: Set<string>
}

async function oneSequence(random: Random, report: ApprovalReport): Promise<void> {
  const app = await createTestApp({
    skills: {
      marmalade: {
        'SKILL.md':
          '---\nname: marmalade\ndescription: Boils quince marmalade.\n---\nRun `scripts/boil.sh`.\n',
        'references/rules.md': rulesOf(0),
        'scripts/boil.sh': scriptOf(0),
      },
    },
    scenarios: SCENARIOS,
  })
  const dir = app.project('kitchen')
  const chats: string[] = []
  for (let n = 0; n < 2; n += 1)
    chats.push((await app.app.handlers['sessions.create']({ projectDir: dir })).id)
  const skill = join(app.home, '.satchel/skills/marmalade')
  const play: Play = {
    app,
    random,
    report,
    dir,
    skill,
    chats,
    version: 0,
    shown: new Map(),
    tried: new Set(),
  }
  try {
    for (const chat of chats) await send(play, chat)
    for (let step = 0; step < STEPS; step += 1) await random.pick(OPERATIONS)(play)
    await finish(play)
    await check(play)
  } finally {
    await play.app.remove()
  }
}

type Operation = (play: Play) => Promise<void>

const OPERATIONS: readonly Operation[] = [
  async (play) => edit(play),
  look,
  look,
  (play) => allowShown(play, false),
  (play) => allowShown(play, false),
  (play) => allowShown(play, true),
  denyShown,
  (play) => send(play, play.random.pick(play.chats)),
  (play) => send(play, play.random.pick(play.chats)),
  rest,
  rest,
  async (play) => {
    if (play.random.chance(0.3)) await restart(play)
  },
  async (play) => {
    if (play.random.chance(0.3))
      await play.app.app.handlers['sessions.stop']({ sessionId: play.random.pick(play.chats), force: true })
  },
]

async function send({ app }: Play, sessionId: string): Promise<void> {
  await app.app.handlers['sessions.send']({ sessionId, text: 'boil it' })
}

async function restart(play: Play): Promise<void> {
  await play.app.stop()
  play.app = await createTestApp({ home: play.app.home })
  play.report.restarts += 1
}

/** Until no chat is at work. */
async function rest({ app }: Play): Promise<void> {
  const end = performance.now() + REST_LIMIT
  for (;;) {
    const chats = await app.app.handlers['sessions.list']({})
    if (!chats.some(({ state }) => state === 'running')) return
    if (performance.now() > end) throw new Error('a chat never came to rest')
    await new Promise((done) => setImmediate(done))
  }
}

/** Opens the review of everything that waits. */
async function look({ app, shown }: Play): Promise<void> {
  await rest({ app } as Play)
  for (const { id } of await app.app.handlers['approvals.list']({})) {
    shown.set(id, await app.app.handlers['approvals.get']({ requestId: id }))
  }
}

const paths = ({ skill }: Play) => ({
  script: join(skill, 'scripts/boil.sh'),
  rules: join(skill, 'references/rules.md'),
  scripts: join(skill, 'scripts'),
  aside: join(skill, '..', '..', 'aside'),
})

/** Changes the skill on disk, or puts it in order again. */
function edit(play: Play): void {
  const { random } = play
  const { script, rules, scripts, aside } = paths(play)
  const isLink = existsSync(aside)
  const kind = isLink
    ? 'order'
    : random.pick(['script', 'script', 'rules', 'back', 'mode', 'link', 'gone', 'order'])
  if (kind === 'script') writeFileSync(script, scriptOf((play.version += 1)))
  else if (kind === 'rules') writeFileSync(rules, rulesOf((play.version += 1)))
  else if (kind === 'back') writeFileSync(script, scriptOf(random.int(play.version + 1)))
  else if (kind === 'mode' && existsSync(script)) chmodSync(script, random.pick([0o644, 0o755]))
  else if (kind === 'gone') rmSync(script, { force: true })
  else if (kind === 'link') {
    renameSync(scripts, aside)
    writeFiles(aside, { 'boil.sh': scriptOf((play.version += 1)) })
    symlinkSync(aside, scripts)
  } else putInOrder(play)
}

function putInOrder(play: Play): void {
  const { script, scripts, aside } = paths(play)
  if (existsSync(aside)) {
    rmSync(scripts)
    renameSync(aside, scripts)
  }
  if (!existsSync(script)) writeFileSync(script, scriptOf((play.version += 1)))
}

/** Clicks Allow, one to three times at once, perhaps while the files change; also on requests of long ago. */
async function allowShown(play: Play, whileEdited: boolean): Promise<void> {
  const { random, report } = play
  const detail = pickShown(play)
  if (!detail) return
  play.tried.add(detail.id)
  const isAsShown = onDisk(play) === shownText(detail)
  const clicks = Array.from({ length: random.pick([1, 1, 2, 3]) }, () => decide(play, detail, 'once'))
  if (whileEdited) {
    for (let turn = random.int(4); turn > 0; turn -= 1) await new Promise((done) => setImmediate(done))
    edit(play)
  }
  const outcomes = await Promise.all(clicks)
  const approved = outcomes.filter((outcome) => outcome === 'approved').length
  if (approved > 1) report.faults.push(`${detail.id} was approved ${approved} times`)
  if (approved > 0 && !isAsShown && !whileEdited)
    report.faults.push(`${detail.id} was approved, but the files are not as shown`)
}

async function denyShown(play: Play): Promise<void> {
  const detail = pickShown(play)
  if (!detail) return
  await decide(play, detail, play.random.pick(['deny', 'deny_stop'] as const))
}

function pickShown({ shown, random }: Play): RequestDetail | null {
  const all = [...shown.values()]
  if (all.length === 0) return null
  return random.chance(0.7) ? all.at(-1)! : random.pick(all)
}

async function decide(
  { app, report }: Play,
  { id, revision, planHash, findings }: RequestSummary,
  choice: 'once' | 'deny' | 'deny_stop',
): Promise<string> {
  const acknowledged = findings.filter(({ level }) => level === 'serious').map((finding) => finding.id)
  const decision = { requestId: id, revision, planHash, choice, acknowledged }
  const outcome = await outcomeOf(async () => app.app.handlers['approvals.decide'](decision))
  report.outcomes[outcome] = (report.outcomes[outcome] ?? 0) + 1
  return outcome
}

async function outcomeOf(decided: () => Promise<RequestSummary>): Promise<string> {
  try {
    return (await decided()).status
  } catch (error) {
    return error instanceof AppError ? error.code : String(error)
  }
}

/** What the person saw of the bytes that will run. */
function shownText({ script, otherFiles }: RequestDetail): string {
  const rules = otherFiles.find(({ path }) => path === 'references/rules.md')?.text
  return `${script?.text}${rules}`
}

function onDisk(play: Play): string {
  const { script, rules, aside } = paths(play)
  if (existsSync(aside) || !existsSync(script)) return 'not in order'
  return readFileSync(script, 'utf8') + readFileSync(rules, 'utf8')
}

/** Everything in order, looked at and allowed: what was asked for last must run. */
async function finish(play: Play): Promise<void> {
  putInOrder(play)
  await rest(play)
  await send(play, play.chats[0]!)
  await look(play)
  for (const { id } of await play.app.app.handlers['approvals.list']({})) {
    play.tried.add(id)
    await decide(play, play.shown.get(id)!, 'once')
  }
  await rest(play)
}

async function check(play: Play): Promise<void> {
  const { app, report, dir, shown, tried } = play
  const file = join(dir, 'ledger.txt')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  const requests: string[] = []
  for (const line of lines) {
    const [runId = '', script = '', rules = ''] = line.split(' ')
    const run = await app.app.handlers['runs.get']({ runId })
    const detail = shown.get(run.requestId)
    requests.push(run.requestId)
    report.runs += 1
    const asShown = `${scriptOf(Number(script.slice('script-'.length)))}${rules}\n`
    if (!detail || !tried.has(run.requestId)) report.faults.push(`${line}: nobody allowed it`)
    else if (shownText(detail) !== asShown) report.faults.push(`${line}: other bytes than shown`)
  }
  if (new Set(requests).size !== requests.length) report.faults.push('a request ran twice')
  const { firstBad } = await app.app.handlers['audit.verify']({})
  if (firstBad !== null) report.faults.push(`the audit breaks at ${firstBad}`)
  report.faults.push(...app.errors)
}
