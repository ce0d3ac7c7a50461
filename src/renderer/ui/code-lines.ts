import bash from 'highlight.js/lib/languages/bash'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import markdown from 'highlight.js/lib/languages/markdown'
import perl from 'highlight.js/lib/languages/perl'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import typescript from 'highlight.js/lib/languages/typescript'
import yaml from 'highlight.js/lib/languages/yaml'
import { createLowlight } from 'lowlight'

/** Class of a stretch of code; '' is plain. They are drawn with the `syn-*` colours. */
export type TokenKind = 'k' | 'str' | 'cm' | 'fn' | 'nm' | ''

export interface CodeToken {
  text: string
  kind: TokenKind
}

/**
 * The lines of a text, coloured by language. The texts of the tokens of a line, put together, are exactly that line.
 * Long texts and texts with very long lines stay plain: hostile input must not hold up the page.
 */
export function codeLines(text: string, path: string): CodeToken[][] {
  const lines = text.split('\n')
  if (lines.length > 1 && lines.at(-1) === '') lines.pop()
  const language = languageOf(path, lines[0] ?? '')
  const tame = text.length <= MAX_COLOURED && lines.every((line) => line.length <= MAX_LINE)
  if (!language || !tame) return lines.map(plainLine)
  const coloured = splitTokens(flatten(lowlight.highlight(language, text).children as HastNode[]))
  return lines.map((line, index) => {
    const tokens = coloured[index] ?? []
    return tokens.map((token) => token.text).join('') === line ? tokens : plainLine(line)
  })
}

const MAX_COLOURED = 200_000
const MAX_LINE = 2000

const lowlight = createLowlight({
  bash,
  javascript,
  json,
  markdown,
  perl,
  php,
  python,
  ruby,
  typescript,
  yaml,
})

const BY_ENDING: Record<string, string> = {
  sh: 'bash',
  bash: 'bash',
  zsh: 'bash',
  py: 'python',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  json: 'json',
  md: 'markdown',
  pl: 'perl',
  pm: 'perl',
  php: 'php',
  rb: 'ruby',
  yaml: 'yaml',
  yml: 'yaml',
}

const BY_PROGRAM: [RegExp, string][] = [
  [/python/, 'python'],
  [/node|deno|bun/, 'javascript'],
  [/ruby/, 'ruby'],
  [/perl/, 'perl'],
  [/sh\b/, 'bash'],
]

const KINDS: Record<string, TokenKind> = {
  keyword: 'k',
  built_in: 'k',
  type: 'k',
  meta: 'cm',
  comment: 'cm',
  quote: 'cm',
  doctag: 'cm',
  string: 'str',
  regexp: 'str',
  char: 'str',
  title: 'fn',
  attr: 'fn',
  property: 'fn',
  section: 'fn',
  link: 'fn',
  number: 'nm',
  literal: 'nm',
  symbol: 'nm',
}

interface HastNode {
  type: string
  value?: string
  properties?: { className?: string[] }
  children?: HastNode[]
}

function languageOf(path: string, firstLine: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const byEnding = name.includes('.')
    ? BY_ENDING[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]
    : undefined
  if (byEnding || !firstLine.startsWith('#!')) return byEnding
  return BY_PROGRAM.find(([test]) => test.test(firstLine.slice(0, 200)))?.[1]
}

function plainLine(line: string): CodeToken[] {
  return line === '' ? [] : [{ text: line, kind: '' }]
}

function flatten(nodes: readonly HastNode[], kind: TokenKind = ''): CodeToken[] {
  return nodes.flatMap((node) => {
    if (node.type === 'text') return [{ text: node.value ?? '', kind }]
    return flatten(node.children ?? [], kindOf(node) || kind)
  })
}

function kindOf(node: HastNode): TokenKind {
  const name = node.properties?.className?.[0]?.replace('hljs-', '') ?? ''
  return KINDS[name] ?? ''
}

function splitTokens(tokens: readonly CodeToken[]): CodeToken[][] {
  const lines: CodeToken[][] = [[]]
  for (const { text, kind } of tokens) {
    text.split('\n').forEach((part, index) => {
      if (index > 0) lines.push([])
      if (part !== '') lines.at(-1)?.push({ text: part, kind })
    })
  }
  return lines
}
