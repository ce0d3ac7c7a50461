import type { Finding } from '@shared/domain/approval'

/** What the rules look at. Texts are hostile: every test runs in time linear in their length. */
export interface FindingsInput {
  /** null when the script is binary. */
  scriptText: string | null
  /** Path inside the skill; its ending tells the language. */
  scriptPath: string
  args: readonly string[]
  /** Other files of the skill; those that the script names are looked at too. */
  otherFiles?: readonly { path: string; text: string | null }[]
  skillMd?: string | null
  sandbox: 'bwrap' | 'none'
  network: 'off' | 'hosts' | 'on'
  /** Real path. */
  interpreterPath: string
  /** SKILL.md changed in the same update as the script. */
  changedTogether?: boolean
}

export type Level = Finding['level']
export type Language = 'sh' | 'py' | 'js' | 'rb' | 'pl' | 'php'

/**
 * One expression; or `first` and, in the rest of its line, `later`; or `first` and, right after it, `near`, which sees
 * the next `NEAR` characters of the line and starts with `^`. Expressions have the flags `g` and `m`, no nested or
 * leading unbounded repeats, and no wildcard without a bound: that keeps them linear.
 */
export type Pattern = RegExp | { first: RegExp; later: RegExp } | { first: RegExp; near: RegExp }

/** Tests that make one rule fire; `only` names the languages in which they mean something. */
export interface Test {
  pattern: Pattern
  only?: readonly Language[]
  /** Fires with this level instead of the rule's. */
  level?: Level
  /** Replaces the rule's sentence. */
  text?: string
}

/** What a rule without expressions found; `level` only when it differs from the rule's. */
export interface Checked {
  text: string
  line?: number
  level?: Level
}

/** A fixed, named rule of the catalogue (`ux.md` 3.2). It states a fact and why it matters, never a verdict. */
export interface Rule {
  id: string
  level: Level
  title: string
  /** Why it matters, one or two sentences. */
  text: string
  tests?: readonly Test[]
  /** The tests are tried on the arguments too. */
  args?: boolean
  /** Decides without the text: from the plan, the arguments, or SKILL.md. */
  check?: (input: FindingsInput) => Checked | null
  /** Adjusts what was found to what the sandbox allows. */
  adjust?: (input: FindingsInput, level: Level) => { level: Level; note: string }
}
