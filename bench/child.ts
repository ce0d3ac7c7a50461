import type { Listed } from './lib/compare'

/** What a task hands back to the process that started it. */
export interface TaskResult {
  /** The time of the measured part, in milliseconds. */
  ms: number
  /** Most memory that was ever resident, in MB. */
  peakMb: number
  /** What was found, where the task was asked for it. */
  listed?: Listed[]
  /** What each query found, best first. */
  found?: Record<string, string[]>
  /** Other single numbers by name. */
  numbers?: Record<string, number>
  /** Other series by name. */
  series?: Record<string, number[]>
}

/** A task: measures one thing in this fresh process. Imports of what is measured are not part of `ms`. */
export type Task<Args> = (args: Args) => Promise<Omit<TaskResult, 'peakMb'>>

/** Each loads only what it measures. */
const tasks = {
  'read-4k': async () => (await import('./tasks/bare')).read4k,
  'read-64': async () => (await import('./tasks/bare')).read64,
  'stat-only': async () => (await import('./tasks/bare')).statOnly,
  'skills-ref': async () => (await import('./tasks/loaders')).skillsRef,
  'gray-matter': async () => (await import('./tasks/loaders')).grayMatter,
  pi: async () => (await import('./tasks/loaders')).pi,
  discover: async () => (await import('./tasks/scan')).discover,
  rescan: async () => (await import('./tasks/scan')).rescan,
  start: async () => (await import('./tasks/start')).start,
  activate: async () => (await import('./tasks/activate')).activate,
  catalogue: async () => (await import('./tasks/activate')).catalogue,
  'fts-build': async () => (await import('./tasks/fts')).bareBuild,
  'fts-query': async () => (await import('./tasks/fts')).bareQuery,
  'fts-answer': async () => (await import('./tasks/fts')).bareAnswer,
  'index-build': async () => (await import('./tasks/index-build')).indexBuild,
  'index-query': async () => (await import('./tasks/index-query')).indexQuery,
  'name-match': async () => (await import('./tasks/name-match')).nameMatch,
  linear: async () => (await import('./tasks/searchers')).linear,
  minisearch: async () => (await import('./tasks/searchers')).minisearch,
  fuse: async () => (await import('./tasks/searchers')).fuse,
  'watch-raw': async () => (await import('./tasks/watch-raw')).watchRaw,
  'watch-burst': async () => (await import('./tasks/watch-burst')).watchBurst,
  'watch-idle': async () => (await import('./tasks/watch-idle')).watchIdle,
  'watch-limit': async () => (await import('./tasks/watch-idle')).watchLimit,
  'turn-data': async () => (await import('./tasks/turn')).turnData,
  turn: async () => (await import('./tasks/turn')).turn,
  'turn-bare': async () => (await import('./tasks/turn')).turnBare,
  audit: async () => (await import('./tasks/audit')).audit,
  'audit-data': async () => (await import('./tasks/audit')).auditData,
  exec: async () => (await import('./tasks/exec')).exec,
  'tokens-real': async () => (await import('./tasks/tokens')).tokensReal,
  'tokens-speed': async () => (await import('./tasks/tokens')).tokensSpeed,
}
export type TaskName = keyof typeof tasks

async function run(name: string, args: string): Promise<void> {
  const load = tasks[name as TaskName] as (() => Promise<Task<unknown>>) | undefined
  if (!load) throw new Error(`there is no task ${name}`)
  const task = await load()
  const result = await task(JSON.parse(args))
  const whole: TaskResult = { ...result, peakMb: process.resourceUsage().maxRSS / 1024 }
  await new Promise((resolve) => process.send!(whole, resolve))
}

run(process.argv[2] ?? '', process.argv[3] ?? '{}').then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exit(1)
  },
)
