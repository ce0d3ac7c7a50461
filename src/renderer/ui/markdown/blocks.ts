import MarkdownIt from 'markdown-it'
import type { Token } from 'markdown-it'

/** One top-level block. `start` is its place in the text, which never changes while text is only appended. */
export interface Block {
  start: number
  source: string
}

export interface Blocks {
  text: string
  blocks: Block[]
}

/** Raw HTML off, so that it stays text (MD-1). Addresses become links only with a scheme. */
const parser = new MarkdownIt({ html: false, linkify: true, breaks: false })
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })

/** Finds block borders only: no inline work. */
const splitter = new MarkdownIt({ html: false })
splitter.core.ruler.enableOnly(['normalize', 'block'])

/** Tokens of one block, inline ones included. */
export function parseBlock(source: string): Token[] {
  return parser.parse(source, {})
}

/**
 * Splits text into top-level blocks. When `before` is the same text cut short, only its last block is looked at
 * again: everything above it can no longer change (`performance.md` 6).
 */
export function splitBlocks(text: string, before?: Blocks): Blocks {
  const grows = before !== undefined && text.startsWith(before.text)
  const settled = grows ? before.blocks.slice(0, -1) : []
  const from = grows ? (before.blocks.at(-1)?.start ?? 0) : 0
  return { text, blocks: [...settled, ...split(text.slice(from), from)] }
}

/** A splitter that remembers its last answer and goes on from there. */
export function createSplitter(): (text: string) => Block[] {
  let last: Blocks | undefined
  return (text) => {
    if (last?.text !== text) last = splitBlocks(text, last)
    return last.blocks
  }
}

function split(text: string, offset: number): Block[] {
  const lineStarts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1)
  const starts = splitter
    .parse(text, {})
    .filter((token) => token.level === 0 && token.map && token.nesting >= 0)
    .map((token) => lineStarts[token.map?.[0] ?? 0] ?? 0)
  return starts.map((start, i) => ({
    start: offset + start,
    source: text.slice(start, starts[i + 1] ?? text.length),
  }))
}
