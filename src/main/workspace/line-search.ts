import { createContext, Script } from 'node:vm'
import { AppError } from '@shared/errors'

/** What one file may take on a busy machine; an expression that backtracks for longer is ended. */
const FILE_MS = 1000
/** What all files together may take. */
const ALL_MS = 3000

export interface LineMatch {
  /** From 1. */
  line: number
  text: string
}

/** Lines that match an expression, file by file. */
export interface LineSearch {
  /** At most `limit` lines. Throws `too_large` when the expression takes too long. */
  find(text: string, limit: number): LineMatch[]
}

/** The expression comes from a model: it runs where it can be ended (a text can make it take for ever). */
export function createLineSearch(pattern: string, ignoreCase: boolean): LineSearch {
  const expression = compiled(pattern, ignoreCase)
  const context = createContext(
    { expression, lines: [], limit: 0, found: [] },
    { codeGeneration: { strings: false, wasm: false } },
  )
  let spent = 0
  return {
    find(text, limit) {
      const lines = text.split('\n')
      Object.assign(context, { lines, limit, found: [] })
      const began = performance.now()
      try {
        FIND.runInContext(context, { timeout: FILE_MS })
      } catch (error) {
        throw tooSlow(error)
      }
      spent += performance.now() - began
      if (spent > ALL_MS) throw tooSlow()
      const found = context['found'] as number[]
      return found.map((at) => ({ line: at + 1, text: (lines[at] ?? '').replace(/\r$/, '') }))
    },
  }
}

const FIND = new Script(
  'for (let at = 0; at < lines.length && found.length < limit; at += 1) if (expression.test(lines[at])) found.push(at)',
)

function compiled(pattern: string, ignoreCase: boolean): RegExp {
  try {
    return new RegExp(pattern, ignoreCase ? 'iu' : 'u')
  } catch {
    // Many expressions are right without the stricter rules of "u".
  }
  try {
    return new RegExp(pattern, ignoreCase ? 'i' : '')
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it is not understood'
    throw new AppError(
      'bad_input',
      `The pattern is no regular expression: ${reason}. Correct it and call again.`,
    )
  }
}

function tooSlow(error?: unknown): unknown {
  const code = (error as { code?: unknown } | undefined)?.code
  if (error !== undefined && code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') return error
  return new AppError(
    'too_large',
    'The search took too long. Use a simpler pattern, or name a folder or fewer files.',
  )
}
