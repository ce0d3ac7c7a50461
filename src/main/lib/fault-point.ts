/**
 * Places where a test may let the world fail (`security.md` 6). Each is passed in the scenario of `npm run faults`,
 * but for those of an operation that fails by itself or goes to another file system (`arranging/crashes.test.ts`).
 */
export type FaultPoint =
  | 'start.data-open'
  | 'start.before-recovery'
  | 'start.after-recovery'
  | 'migration.before-commit'
  | 'migration.after-commit'
  | 'db.before-begin'
  | 'db.before-commit'
  | 'db.after-commit'
  | 'db.before-durable-commit'
  | 'db.after-durable-commit'
  | 'audit.before-append'
  | 'audit.after-append'
  | 'settings.before-save'
  | 'trust.before-save'
  | 'send.before-save'
  | 'send.after-save'
  | 'turn.before-call'
  | 'stream.mid-chunk'
  | 'stream.mid-answer'
  | 'draft.before-save'
  | 'answer.before-save'
  | 'answer.after-save'
  | 'tool.before-work'
  | 'tool.after-work'
  | 'tool.after-save'
  | 'request.before-open'
  | 'request.after-open'
  | 'decision.before-approve'
  | 'decision.after-approve'
  | 'run.before-row'
  | 'run.after-row'
  | 'run.after-journal'
  | 'run.after-spawn'
  | 'run.output'
  | 'run.after-exit'
  | 'run.before-end'
  | 'run.after-end'
  | 'log.before-write'
  | 'snapshot.before-copy'
  | 'snapshot.after-copy'
  | 'snapshot.before-rename'
  | 'snapshot.after-rename'
  | 'file.before-write'
  | 'file.after-write'
  | 'file.before-rename'
  | 'file.after-rename'
  | 'arrange.before-journal'
  | 'arrange.after-journal'
  | 'arrange.mid-copy'
  | 'arrange.after-copy'
  | 'arrange.before-place'
  | 'arrange.after-reserve'
  | 'arrange.after-place'
  | 'arrange.before-take'
  | 'arrange.hidden'
  | 'arrange.after-take'
  | 'arrange.before-done'
  | 'arrange.after-done'
  | 'arrange.before-take-back'
  | 'arrange.taken-back'
  | 'quit.before-stop'
  | 'quit.before-close'

let fault: ((point: FaultPoint) => void) | null = null

/**
 * Does nothing unless a test program asked for a fault here. The builds of the app and of the command leave these
 * lines out (`scripts/lib/without-fault-points.mjs`).
 */
export function faultPoint(point: FaultPoint): void {
  fault?.(point)
}

/** For test programs: called at each point that is passed; what it throws is thrown there. */
export function onFaultPoint(listener: (point: FaultPoint) => void): void {
  fault = listener
}
