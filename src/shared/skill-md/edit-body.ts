import { openEditing, withFrontmatter } from './editing'
import { readSource } from './source'
import type { SkillSource } from './source'

/**
 * Replaces the body. The blank lines between frontmatter and body stay, and so does what stands behind the body's last
 * line; the new lines end as the file's do. Throws `bad_input` when the frontmatter is not closed.
 */
export function setBody(text: string, body: string): string {
  const wanted = plainBody(body)
  // A body that starts like frontmatter would be taken for it.
  const source = readSource(/^[^\S\n]*---\s*(?:\n|$)/.test(wanted) ? withFrontmatter(text) : text)
  if (source.open !== -1 && source.close === -1) openEditing(text)
  const start = bodyStart(source)
  const present = source.text.slice(start).trimEnd()
  if (present.replace(/\r\n?/g, '\n') === wanted) return text
  const lines = wanted.replaceAll('\n', source.eol)
  if (present !== '') return source.text.slice(0, start) + lines + source.text.slice(start + present.length)
  return withNewBody(source, lines)
}

/** As the parser gives it: without blank lines around it, \n as line end. */
function plainBody(body: string): string {
  return body
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd()
}

function bodyStart({ text, lines, close }: SkillSource): number {
  const isBlank = (at: number) => text.slice(lines[at]!.start, lines[at]!.end).trim() === ''
  let at = close + 1
  while (at < lines.length && isBlank(at)) at += 1
  return lines[at]?.start ?? text.length
}

/** Behind a blank line below the fence, or at the start of a file without frontmatter. */
function withNewBody({ text, lines, close, start, eol }: SkillSource, body: string): string {
  const fence = lines[close]
  const head = text.slice(0, fence?.next ?? start)
  const end = fence && fence.next === fence.end ? eol : ''
  return `${head}${end}${fence ? eol : ''}${body}${eol}`
}
