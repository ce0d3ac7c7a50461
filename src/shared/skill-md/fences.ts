import type { Diagnostic } from '../domain/skill'
import { problem } from './problem'

/** A SKILL.md cut at its fences. Lines count from 1. */
export interface Fenced {
  /** What stands between the fences; null when there is no frontmatter or it is not closed. */
  yaml: string | null
  yamlLine: number
  body: string
  bodyLine: number
  diagnostics: Diagnostic[]
}

const BLOCK_SCALAR = /(?:^|:|-)[ \t]+[|>][-+1-9]*[ \t]*(?:#.*)?$/

/**
 * Cuts at line-anchored fences (`format.md` 5, rule 1): `---` alone on its line, spaces around it allowed, at most one
 * blank line before the first. `---` inside a value or a block scalar is text. Expects \n as line end and no BOM.
 */
export function splitFences(text: string): Fenced {
  const lines = text.split('\n')
  const diagnostics: Diagnostic[] = []
  const open = openingFence(lines)
  if (open === -1) return withoutFrontmatter(text)
  if (open === 1) diagnostics.push(blankBeforeFence())
  const close = closingFence(lines, open + 1)
  if (close === -1) {
    diagnostics.push(notClosed(lines, open))
    return { yaml: null, yamlLine: open + 2, body: text, bodyLine: 1, diagnostics }
  }
  if (/^\s/.test(lines[close]!)) diagnostics.push(indentedFence(close + 1))
  const yaml = lines.slice(open + 1, close).join('\n')
  return { yaml, yamlLine: open + 2, ...bodyAfter(text, lines, close), diagnostics }
}

/** Line of the opening fence from 0, on the first or behind one blank line; -1 when there is none. */
export function openingFence(lines: readonly string[]): number {
  const open = lines[0]?.trim() === '' && lines.length > 1 ? 1 : 0
  return lines[open]?.trim() === '---' ? open : -1
}

/** Line of the closing fence from 0. An indented `---` is one only outside a block scalar, where it would be text. */
export function closingFence(lines: readonly string[], from: number): number {
  let scalarIndent = -1
  for (let at = from; at < lines.length; at++) {
    const line = lines[at]!
    if (line.trim() === '') continue
    const indent = line.length - line.trimStart().length
    if (scalarIndent >= 0 && indent > scalarIndent) continue
    if (line.trim() === '---') return at
    scalarIndent = BLOCK_SCALAR.test(line) ? indent : -1
  }
  return -1
}

/** The body below the closing fence, which is line `close` from 0. */
function bodyAfter(
  text: string,
  lines: readonly string[],
  close: number,
): { body: string; bodyLine: number } {
  let start = close + 1
  let offset = 0
  for (let at = 0; at < start; at++) offset += lines[at]!.length + 1
  while (start < lines.length && lines[start]!.trim() === '') offset += lines[start++]!.length + 1
  const body = text.slice(offset).trimEnd()
  return { body, bodyLine: body === '' ? close + 2 : start + 1 }
}

function withoutFrontmatter(text: string): Fenced {
  const missing = problem('error', 'frontmatter-missing', 'SKILL.md does not start with frontmatter.', {
    line: 1,
    fix: 'Start the file with a line "---", then "name:" and "description:", then a line "---".',
  })
  return { yaml: null, yamlLine: 1, body: text.trim(), bodyLine: 1, diagnostics: [missing] }
}

function blankBeforeFence(): Diagnostic {
  return problem('warning', 'blank-before-frontmatter', 'A blank line stands before the frontmatter.', {
    line: 1,
    fix: 'Delete it: most other tools do not load such a file.',
  })
}

function indentedFence(line: number): Diagnostic {
  return problem('warning', 'fence-indented', 'The closing "---" of the frontmatter is indented.', {
    line,
    fix: 'Move it to the start of the line: some other tools do not see it.',
  })
}

function notClosed(lines: readonly string[], open: number): Diagnostic {
  const line = missingFence(lines, open)
  return problem('error', 'frontmatter-not-closed', 'The frontmatter is not closed.', {
    line,
    fix: `Put a line "---" after the last field, before line ${line}.`,
  })
}

/** Line from 1 before which the closing fence most likely belongs: the first that can't be frontmatter; else the last. */
export function missingFence(lines: readonly string[], open: number): number {
  const rest = lines.findIndex((line, at) => at > open && !/^(?:[\w.-]+[ \t]*:|[ \t#-]|$)/.test(line))
  const heading = lines.findIndex((line, at) => at > open && /^#{1,6} /.test(line))
  const places = [rest, heading].filter((at) => at > 0)
  return places.length > 0 ? Math.min(...places) + 1 : lines.length
}
