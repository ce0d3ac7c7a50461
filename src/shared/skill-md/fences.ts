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
  const open = lines[0]?.trim() === '' && lines.length > 1 ? 1 : 0
  if (lines[open]?.trim() !== '---') return withoutFrontmatter(text)
  if (open === 1) diagnostics.push(blankBeforeFence())
  const close = closingFence(lines, open + 1)
  if (close === -1) {
    diagnostics.push(notClosed(lines, open))
    return { yaml: null, yamlLine: open + 2, body: text, bodyLine: 1, diagnostics }
  }
  if (/^\s/.test(lines[close]!)) diagnostics.push(indentedFence(close + 1))
  const yaml = lines.slice(open + 1, close).join('\n')
  return { yaml, yamlLine: open + 2, ...bodyAfter(lines, close + 1), diagnostics }
}

/** An indented `---` is a fence only outside a block scalar, where it would be text. */
function closingFence(lines: readonly string[], from: number): number {
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

function bodyAfter(lines: readonly string[], from: number): { body: string; bodyLine: number } {
  let start = from
  while (start < lines.length && lines[start]!.trim() === '') start++
  const body = lines.slice(start).join('\n').trimEnd()
  return { body, bodyLine: body === '' ? from + 1 : start + 1 }
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

/** Points to the line where the fence most likely belongs: before the first line that can't be frontmatter. */
function notClosed(lines: readonly string[], open: number): Diagnostic {
  const rest = lines.findIndex((line, at) => at > open && !/^(?:[\w.-]+[ \t]*:|[ \t#-]|$)/.test(line))
  const heading = lines.findIndex((line, at) => at > open && /^#{1,6} /.test(line))
  const places = [rest, heading].filter((at) => at > 0)
  const line = places.length > 0 ? Math.min(...places) + 1 : lines.length
  return problem('error', 'frontmatter-not-closed', 'The frontmatter is not closed.', {
    line,
    fix: `Put a line "---" after the last field, before line ${line}.`,
  })
}
