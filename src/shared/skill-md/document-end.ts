import type { Diagnostic } from '../domain/skill'
import { problem } from './problem'
import type { Repaired } from './repair'

/** A line that ends the document for YAML wherever it stands, so that fields below it would not be read. */
const DOCUMENT_END = /^(?:\.\.\.|---)(?:[ \t]|$)/

/** True where YAML ends the frontmatter before its closing fence. */
export function hasDocumentEnd(yaml: string): boolean {
  return yaml.split('\n').some((line) => DOCUMENT_END.test(line))
}

/**
 * Frontmatter without the lines that would end it early, with a warning each, an error where text is lost; blank lines keep the count. What stands
 * below such a line may be `allowed-tools`: it is read, not dropped. Null where nothing but comments stands below.
 */
export function withoutDocumentEnd(yaml: string, firstLine: number): Repaired | null {
  if (!/^(?:\.\.\.|---)/m.test(yaml)) return null
  const lines = yaml.split('\n')
  const last = lines.findLastIndex((line) => !/^\s*(?:#.*)?$/.test(line) && !/^\.\.\.[ \t]*$/.test(line))
  const found = lines.flatMap((line, at) => (at <= last && DOCUMENT_END.test(line) ? [at] : []))
  if (found.length === 0) return null
  return {
    yaml: lines.map((line, at) => (found.includes(at) ? '' : line)).join('\n'),
    diagnostics: found.map((at) => endedEarly(lines[at]!, firstLine + at)),
  }
}

function endedEarly(text: string, line: number): Diagnostic {
  const sign = text.slice(0, 3)
  const what = `A line "${sign}" ends the fields early in YAML`
  if (!/^...[ \t]*(?:#.*)?$/.test(text)) {
    const fix = `Delete "${sign}", or the line.`
    return problem('error', 'document-end', `${what}, and text stands behind it.`, { line, fix })
  }
  return problem('warning', 'document-end', `${what}. It was left out, and the fields below it were read.`, {
    line,
    fix: 'Delete the line: other tools may not see the fields below it.',
  })
}
