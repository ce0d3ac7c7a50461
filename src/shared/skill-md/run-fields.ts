import { parseAllowedTools } from '../allowed-tools'
import { flag, listIn, mapIn, partOf, text, textIn, valueOf, wordsIn, wrongType } from './field-reader'
import type { FieldReader } from './field-reader'

/** How a skill wants to run once it is chosen (`format.md` 3, `runtime.md` 4). */
export interface RunFields {
  model: string | undefined
  effort: string | undefined
  /** `fork`: in a child session. Undefined when absent or a word that Satchel does not know. */
  context: 'fork' | 'inline' | undefined
  agent: string | undefined
  background: boolean | undefined
  hooks: SkillHooks
  /** For `!` blocks, which Satchel never runs. */
  shell: string | undefined
  disallowedTools: string[]
  execution: SkillExecution
}

/** Scripts of the skill, as paths inside it. Other shapes of `hooks` are kept and not run. */
export interface SkillHooks {
  pre: string[]
  post: string[]
}

/** What its scripts wish for. A wish only narrows what the sandbox allows (`security.md`, SB-4). */
export interface SkillExecution {
  sandbox: string | undefined
  /** Null: as the profile has it. */
  allowedPaths: string[] | null
  /** `none`, `restricted`, or hosts; undefined: as the profile has it. */
  network: 'none' | 'restricted' | string[] | undefined
  /** Names of variables that it asks for; asking grants nothing. */
  secrets: string[]
}

export function runFields(reader: FieldReader): RunFields {
  return {
    model: text(reader, 'model'),
    effort: text(reader, 'effort'),
    context: context(reader),
    agent: text(reader, 'agent'),
    background: flag(reader, 'background', undefined),
    hooks: hooks(reader),
    shell: text(reader, 'shell'),
    disallowedTools: parseAllowedTools(valueOf(reader, 'disallowed-tools')),
    execution: execution(reader),
  }
}

function context(reader: FieldReader): RunFields['context'] {
  const word = textIn(valueOf(reader, 'context'))?.toLowerCase()
  if (word === 'fork' || word === 'inline') return word
  if (word !== undefined) {
    wrongType(reader, 'context', '"fork" or "inline"; it is ignored', 'Write "context: fork", or delete it.')
  }
  return undefined
}

/** `{pre, post}` with paths; event maps of other tools share the key and give none. */
function hooks(reader: FieldReader): SkillHooks {
  const map = mapIn(valueOf(reader, 'hooks')) ?? {}
  return { pre: listIn(map['pre']) ?? [], post: listIn(map['post']) ?? [] }
}

function execution(reader: FieldReader): SkillExecution {
  const value = valueOf(reader, 'execution')
  const map = mapIn(value)
  if (!map && value !== undefined && value !== null) {
    wrongType(reader, 'execution', 'fields below it; it is ignored', 'Write "execution:" with fields below.')
  }
  const fields = map ?? {}
  return {
    sandbox: textIn(partOf(fields, 'sandbox')),
    allowedPaths: allowedPaths(reader, partOf(fields, 'allowed-paths')),
    network: network(reader, partOf(fields, 'network')),
    secrets: wordsIn(partOf(fields, 'secrets')) ?? [],
  }
}

/** What can't be read narrows to nothing: it was meant to narrow. */
function allowedPaths(reader: FieldReader, value: unknown): string[] | null {
  if (value === undefined || value === null) return null
  const paths = listIn(value)
  if (!paths) wrongType(reader, 'execution.allowed-paths', 'a list; none is allowed', 'Write it as a list.')
  return paths ?? []
}

function network(reader: FieldReader, value: unknown): SkillExecution['network'] {
  if (value === undefined || value === null || value === true) return undefined
  if (value === false || value === 'none') return 'none'
  if (value === 'restricted') return value
  const hosts = wordsIn(value)
  if (!hosts) {
    const must = '"none", "restricted" or a list of hosts; none is allowed'
    wrongType(reader, 'execution.network', must, 'Write one of them.')
  }
  return hosts ?? 'none'
}
