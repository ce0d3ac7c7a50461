import { githubSlug, anchorsIn, markdownLines } from '@shared/skill-check/markdown'

/** Where a link inside a skill leads; paths are relative to the skill. */
export type SkillLink =
  | { kind: 'file'; path: string; anchor: string; line?: number }
  /** A heading of the text that the link stands in. */
  | { kind: 'anchor'; anchor: string }
  /** There is no such file. */
  | { kind: 'missing' }

/** Reads `references/a.md#part`, `./a.md`, `scripts/x.py#L12` and `#part`, as a text at the top of the skill writes them. */
export function skillLink(href: string, files: ReadonlySet<string>): SkillLink {
  const [before, anchor] = cutAt(href, '#')
  const [path] = cutAt(before, '?')
  if (path === '') return { kind: 'anchor', anchor: unescaped(anchor).toLowerCase() }
  const parts = unescaped(path)
    .split('/')
    .filter((part) => part !== '' && part !== '.')
  const wanted = parts.join('/')
  if (path.startsWith('/') || parts.includes('..') || !files.has(wanted)) return { kind: 'missing' }
  const line = /^L(\d{1,7})\b/.exec(anchor)
  return {
    kind: 'file',
    path: wanted,
    anchor: unescaped(anchor).toLowerCase(),
    ...(line ? { line: Number(line[1]) } : {}),
  }
}

/** Line of the heading that an anchor names; undefined where there is none. */
export function lineOfAnchor(text: string, anchor: string): number | undefined {
  const lines = markdownLines(text)
  const has = (count: number) => anchorsIn(lines.slice(0, count)).has(anchor)
  if (anchor === '' || !has(lines.length)) return undefined
  // The fewest lines that bring it.
  let [low, high] = [0, lines.length]
  while (low + 1 < high) {
    const middle = (low + high) >> 1
    if (has(middle)) high = middle
    else low = middle
  }
  return lines[high - 1]?.line
}

/** The heading of a drawn text that an anchor names. */
export function headingOf(article: Element | null, anchor: string): HTMLElement | undefined {
  const headings = [...(article?.querySelectorAll<HTMLElement>('h2, h3, h4, h5, h6') ?? [])]
  return headings.find((heading) => githubSlug(heading.textContent ?? '') === anchor)
}

function cutAt(text: string, sign: string): [string, string] {
  const at = text.indexOf(sign)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // written with a lone percent sign: as it stands
  }
}
