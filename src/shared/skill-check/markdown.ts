/** One line of Markdown; lines count from 1 in the file. */
export interface MarkdownLine {
  text: string
  line: number
  /** It stands inside a fenced code block, or is one of its fences. */
  fenced: boolean
}

/** A link or image with a target as it is written. */
export interface MarkdownLink {
  target: string
  line: number
  column: number
}

/** Longest target that is read, and links of one file that are looked at: keeps hostile text cheap. */
const MAX_TARGET = 500
const MAX_HEADING = 300
const MAX_LINKS = 2000
const FENCE = /^[ \t>]*(`{3,}|~{3,})(.*)$/

/** Cuts a text into lines and marks fenced code, also inside lists and quotes. */
export function markdownLines(text: string, firstLine = 1): MarkdownLine[] {
  let open = ''
  return text.split(/\r\n|\r|\n/).map((content, index) => {
    const fence = FENCE.exec(content)
    const inside = open !== ''
    if (fence) open = fenceAfter(open, fence[1]!, fence[2]!)
    return { text: content, line: firstLine + index, fenced: inside || open !== '' }
  })
}

/** Links, images, definitions (`[id]: target`) and the `href` and `src` of tags; code and comments are not looked at. */
export function linksIn(lines: readonly MarkdownLine[]): MarkdownLink[] {
  const found: MarkdownLink[] = []
  for (const { text, line, fenced } of maskComments(lines)) {
    if (fenced || !/[[<]/.test(text)) continue
    const masked = maskCode(text)
    for (const { target, index } of [...inlineTargets(masked), ...otherTargets(masked)]) {
      found.push({ target, line, column: index + 1 })
      if (found.length >= MAX_LINKS) return found
    }
  }
  return found
}

/** Every anchor a link may lead to: slugs of headings as GitHub forms them, `{#id}` behind a heading, and the ids of tags. */
export function anchorsIn(lines: readonly MarkdownLine[]): Set<string> {
  const anchors = new Set<string>()
  const used = new Map<string, number>()
  lines.forEach((current, index) => {
    if (current.fenced) return
    for (const match of current.text.matchAll(/\s(?:id|name)=["']([^"']{1,200})["']/g)) {
      anchors.add(match[1]!.toLowerCase())
    }
    const heading = headingAt(lines, index)
    if (heading === null) return
    const own = /\{#([\w.:-]{1,200})\}\s*$/.exec(heading)
    if (own) anchors.add(own[1]!.toLowerCase())
    anchors.add(uniqueSlug(githubSlug(heading.slice(0, own?.index)), used))
  })
  return anchors
}

/** The anchor of a heading: lower case, without punctuation, each space a hyphen. */
export function githubSlug(heading: string): string {
  return heading
    .slice(0, MAX_HEADING)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>/g, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replace(/ /g, '-')
}

/** HTML comments as spaces of the same length, over lines too. One that is never closed is text. */
function maskComments(lines: readonly MarkdownLine[]): readonly MarkdownLine[] {
  const lastEnd = lines.findLastIndex(({ text }) => text.includes('-->'))
  if (lastEnd === -1) return lines
  let open = false
  return lines.map((line, index) => {
    if (!open && (line.fenced || !line.text.includes('<!--'))) return line
    const masked = maskCommentsOf(line.text, open, index < lastEnd)
    open = masked.open
    return { ...line, text: masked.text }
  })
}

/** `open`: the line starts within a comment, or ends in one. `mayEnd`: a comment may end on a later line. */
function maskCommentsOf(text: string, isOpen: boolean, mayEnd: boolean): { text: string; open: boolean } {
  const withoutCode = isOpen ? text : maskCode(text)
  const parts: string[] = []
  let open = isOpen
  let at = 0
  while (at < text.length) {
    const start = open ? at : withoutCode.indexOf('<!--', at)
    const end = start === -1 ? -1 : text.indexOf('-->', start)
    if (start === -1 || (end === -1 && !mayEnd)) break
    const next = end === -1 ? text.length : end + 3
    parts.push(text.slice(at, start), ' '.repeat(next - start))
    open = end === -1
    at = next
  }
  return { text: parts.join('') + text.slice(at), open }
}

/** Inline code as spaces of the same length. */
export function maskCode(text: string): string {
  if (!text.includes('`')) return text
  const runs = [...text.matchAll(/`+/g)].map(({ 0: run, index }) => ({ start: index, size: run.length }))
  const closers = closersOf(runs)
  const out: string[] = []
  let copied = 0
  for (let at = 0; at < runs.length; at++) {
    const closer = closers[at]
    if (closer === undefined) continue
    const end = runs[closer]!.start + runs[closer]!.size
    out.push(text.slice(copied, runs[at]!.start), ' '.repeat(end - runs[at]!.start))
    copied = end
    at = closer
  }
  return out.join('') + text.slice(copied)
}

/** For each run of backticks the index of the next one of the same length. */
function closersOf(runs: readonly { size: number }[]): (number | undefined)[] {
  const next = new Map<number, number>()
  const closers: (number | undefined)[] = []
  for (let at = runs.length - 1; at >= 0; at--) {
    const { size } = runs[at]!
    closers[at] = next.get(size)
    next.set(size, at)
  }
  return closers
}

function fenceAfter(open: string, marks: string, rest: string): string {
  if (open === '') return marks[0] === '`' && rest.includes('`') ? '' : marks
  const closes = marks[0] === open[0] && marks.length >= open.length && rest.trim() === ''
  return closes ? '' : open
}

interface Target {
  target: string
  index: number
}

function inlineTargets(text: string): Target[] {
  const first = text.indexOf('[')
  const found: Target[] = []
  let at = first === -1 ? -1 : text.indexOf('](', first)
  for (let tries = 0; at !== -1 && tries < MAX_LINKS; tries++) {
    const target = targetAt(text, at + 2)
    if (target !== '') found.push({ target, index: at + 2 })
    at = text.indexOf('](', at + 2)
  }
  return found
}

/** The target up to white space or the closing parenthesis; `<…>` may hold spaces. */
function targetAt(text: string, start: number): string {
  const rest = text.slice(start, start + MAX_TARGET)
  const bracketed = /^\s*<([^<>]*)>/.exec(rest)
  if (bracketed) return bracketed[1]!
  let depth = 0
  for (let at = 0; at < rest.length; at++) {
    const char = rest[at]!
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    if (depth < 0) return rest.slice(0, at).trim()
    if ((char === ' ' || char === '\t') && rest.slice(0, at).trim() !== '') return rest.slice(0, at).trim()
  }
  return ''
}

function otherTargets(text: string): Target[] {
  const definition = /^ {0,3}\[[^\]]{1,200}\]:[ \t]*<?([^\s<>]{1,500})/.exec(text)
  const tags = [...text.matchAll(/\s(?:src|href)=["']([^"'\s]{1,500})["']/g)]
  const all = definition && !/^ *\[\^/.test(definition[0]) ? [definition, ...tags] : tags
  return all.map((match) => ({ target: match[1]!, index: match.index + match[0].indexOf(match[1]!) }))
}

function headingAt(lines: readonly MarkdownLine[], index: number): string | null {
  const text = lines[index]!.text
  const hashes = /^ {0,3}#{1,6}[ \t]+(\S.*)$/.exec(text)?.[1]
  if (hashes !== undefined) return hashes.trimEnd().replace(/[ \t]+#+$/, '')
  const below = lines[index + 1]
  if (!below || below.fenced || text.trim() === '') return null
  return /^ {0,3}(?:=+|-{2,})[ \t]*$/.test(below.text) ? text : null
}

/** The second heading with a slug gets -1, the third -2. */
function uniqueSlug(slug: string, used: Map<string, number>): string {
  const times = used.get(slug) ?? 0
  used.set(slug, times + 1)
  return times === 0 ? slug : `${slug}-${times}`
}
