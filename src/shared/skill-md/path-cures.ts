import type { Diagnostic } from '../domain/skill'
import type { Cured } from './line-cures'

/** Where a file is named that is not there, and the one that is meant, as the problem tells them. */
type Misnamed = Pick<Diagnostic, 'message' | 'line' | 'column' | 'fix'>

const WRITTEN = /^The (?:link leads to|instructions name) "([^"…]+)", which is not in the skill\.$/
const MEANT = /^Write it as the file is named: "([^"…]+)"\.$/
/** What may stand before a path: it stays. */
const BASE = /^(?:\{baseDir\}\/|\$\{?(?:CLAUDE_)?SKILL_DIR\}?\/|\.\/)/

/** The path of the file that is meant in the place of the written one; what stands behind "#" or "?" stays. */
export function withPath(text: string, { message, fix = '', line = 0, column = 1 }: Misnamed): Cured | null {
  const written = WRITTEN.exec(message)?.[1]
  const path = MEANT.exec(fix)?.[1]
  const start = startOf(text, line)
  if (written === undefined || path === undefined || start < 0) return null
  const ofLine = text.slice(start).split('\n', 1)[0]!
  const at = ofLine.indexOf(written, column - 1)
  if (at < 0) return null
  const next = rewritten(written, message.startsWith('The link') ? encodeURI(path) : path)
  const end = start + at + written.length
  return { title: `Wrote "${path}".`, text: text.slice(0, start + at) + next + text.slice(end) }
}

function rewritten(written: string, path: string): string {
  const [base = ''] = BASE.exec(written) ?? []
  const [behind = ''] = /[?#].*$/s.exec(written) ?? []
  return base + path + behind
}

/** Where a line begins, counted from 1; -1: there is none. */
function startOf(text: string, line: number): number {
  if (line < 1) return -1
  let at = 0
  for (let n = 1; n < line; n += 1) {
    const next = text.indexOf('\n', at)
    if (next === -1) return -1
    at = next + 1
  }
  return at
}
