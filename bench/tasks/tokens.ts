import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, extname, join } from 'node:path'
import { estimateTokens } from '@shared/tokens'
import type { Task } from '../child'

interface RealArgs {
  /** A folder of skills. */
  folder: string
  /** Folder of gpt-tokenizer. */
  package: string
}

/** Texts shorter or longer than this many characters say nothing of a typical file. */
const SHORTEST = 200
const LONGEST = 400_000
const TEXT = new Set(['.md', '.txt', '.py', '.sh', '.js', '.ts', '.json', '.yaml', '.yml', '.html'])

/**
 * The error of the estimate and of characters / 4 against o200k, the vocabulary of a widely used family of models, for
 * each text file of a folder: |estimate / real - 1|, for SKILL.md files and for all others.
 */
export const tokensReal: Task<RealArgs> = async ({ folder, package: dir }) => {
  const { countTokens } = createRequire(join(dir, 'package.json'))('gpt-tokenizer/encoding/o200k_base') as {
    countTokens(text: string, options: { allowedSpecial: 'all' }): number
  }
  const series: Record<string, number[]> = { skillMd: [], skillMdOld: [], other: [], otherOld: [] }
  const totals = { files: 0, tokens: 0, estimated: 0 }
  for (const file of filesBelow(folder)) {
    const text = readFileSync(file, 'utf8')
    if (text.length < SHORTEST || text.length > LONGEST || text.includes('\0')) continue
    const real = countTokens(text, { allowedSpecial: 'all' })
    const estimated = estimateTokens(text)
    const kind = /^skill\.md$/i.test(basename(file)) ? 'skillMd' : 'other'
    series[kind]!.push(Math.abs(estimated / real - 1))
    series[`${kind}Old`]!.push(Math.abs(text.length / 4 / real - 1))
    totals.files += 1
    totals.tokens += real
    totals.estimated += estimated
  }
  return { ms: 0, series, numbers: totals }
}

interface SpeedArgs {
  folder: string
  repeats: number
}

/** Milliseconds for 1 MB of skills: the estimate, and a loop that only looks at every character. */
export const tokensSpeed: Task<SpeedArgs> = async ({ folder, repeats }) => {
  let text = ''
  const names = readdirSync(folder)
  for (let at = 0; text.length < 2 ** 20 && at < names.length; at++) {
    text += readFileSync(join(folder, names[at]!, 'SKILL.md'), 'utf8')
  }
  text = Buffer.from(text.slice(0, 2 ** 20)).toString()
  const series: Record<string, number[]> = { estimate: [], look: [] }
  let sum = 0
  for (let repeat = 0; repeat < repeats; repeat++) {
    series['estimate']!.push(timeOf(() => (sum += estimateTokens(text))))
    series['look']!.push(timeOf(() => (sum += lookAtAll(text))))
  }
  return { ms: Math.min(...series['estimate']!), series, numbers: { sum, first: series['estimate']![0]! } }
}

function lookAtAll(text: string): number {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) | 0
  return sum
}

function timeOf(work: () => void): number {
  const started = performance.now()
  work()
  return performance.now() - started
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && TEXT.has(extname(entry.name).toLowerCase()))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/[/\\](?:\.git|node_modules)[/\\]/.test(file))
}
