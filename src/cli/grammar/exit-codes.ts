/** How the command ends (`runtime.md` 8). */
export const EXIT = { done: 0, failed: 1, wrongUse: 2, denied: 3, blockedByPolicy: 4 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** For the help and the documents. */
export const EXIT_MEANINGS: readonly (readonly [ExitCode, string])[] = [
  [EXIT.done, 'done'],
  [EXIT.failed, 'failed; validate and doctor: problems that count were found'],
  [EXIT.wrongUse, 'wrong use'],
  [EXIT.denied, 'denied, or nobody there to ask'],
  [EXIT.blockedByPolicy, 'blocked by policy'],
]
