/** After the last key press a decision stays inert for this long, in milliseconds (AP-5). */
export const AFTER_KEY_MS = 400

/** Moments in milliseconds of one clock; what never happened is left out. */
export interface ArmingInput {
  /** When the request was first shown here. */
  shownAt: number
  /** When its contents last changed under the person. */
  changedAt?: number
  /** When the window got the focus: the click that focuses it is not an answer. */
  focusAt?: number
  /** When the buttons last moved on the screen. */
  shiftedAt?: number
  /** When the review or dock before this one closed. */
  closedAt?: number
  /** The last key press before the one that is judged. */
  lastKeyAt?: number
  /** An input method is composing a character. */
  composing?: boolean
  armDelayMs: number
}

/** From when on a decision counts. Infinity while an input method composes. */
export function armedAt(input: ArmingInput): number {
  if (input.composing) return Number.POSITIVE_INFINITY
  const settled = Math.max(
    input.shownAt,
    input.changedAt ?? input.shownAt,
    input.focusAt ?? input.shownAt,
    input.shiftedAt ?? input.shownAt,
    input.closedAt ?? input.shownAt,
  )
  const afterKey = input.lastKeyAt === undefined ? settled : input.lastKeyAt + AFTER_KEY_MS
  return Math.max(settled + input.armDelayMs, afterKey)
}

/** True when a click or a key may decide: nobody can have meant something else (`approvals.md` 7). */
export function armed(input: ArmingInput & { now: number }): boolean {
  return input.now >= armedAt(input)
}
