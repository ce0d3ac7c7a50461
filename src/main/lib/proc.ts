import { readFileSync } from 'node:fs'

/** A file that Linux makes up, in /proc or /sys; empty where it is gone, another person's, or not Linux. */
export function procText(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    // As said: nothing to be read is an answer here.
    return ''
  }
}

/** Fields of /proc/<pid>/stat from the third on: the second may hold anything, also ")". Empty: no such process. */
export function statFields(pid: number): string[] {
  const text = procText(`/proc/${pid}/stat`)
  const end = text.lastIndexOf(')')
  return end < 0 ? [] : text.slice(end + 2).split(' ')
}

/** Start time in clock ticks since boot: with the pid it names one process for good. Null: no such process. */
export function startTimeOf(pid: number): string | null {
  return statFields(pid)[19] ?? null
}
