import { AgentMode, Thinking, ToolSetting } from '@shared/domain/agent'
import type { AgentLimits, AgentProfile, SkillChoice } from '@shared/domain/agent'
import { DisclosureStyle } from '@shared/domain/settings'
import {
  mapIn,
  note,
  partOf,
  textIn,
  valueOf,
  words,
  wordsIn,
  wrongType,
} from '@shared/skill-md/field-reader'
import type { FieldReader } from '@shared/skill-md/field-reader'

type ActFields = Omit<AgentProfile, 'name' | 'label' | 'description' | 'model' | 'fallback'>

/** What decides what an agent sees and may do. */
export function actFields(reader: FieldReader): ActFields {
  return {
    thinking: word(reader, 'thinking', Thinking.options, null),
    style: word(reader, 'style', DisclosureStyle.options, null),
    usesSkills: unique(words(reader, 'uses_skills')),
    skills: skillChoice(reader),
    tools: tools(reader),
    // A mode that can't be understood must not let more run than the one that was meant.
    mode: word(reader, 'mode', AgentMode.options, 'never') ?? 'ask',
    limits: limits(reader),
    subagents: unique(words(reader, 'subagents')),
  }
}

/** One of some words; null when there is none, `otherwise` when it is another one. */
function word<T extends string>(
  reader: FieldReader,
  key: string,
  known: readonly T[],
  otherwise: T | null,
): T | null {
  const value = valueOf(reader, key)
  if (value === undefined || value === null) return null
  // YAML of other programs reads "off" as false.
  const written = value === false ? 'off' : textIn(value)?.toLowerCase()
  const found = known.find((one) => one === written)
  if (found !== undefined) return found
  const used = otherwise === null ? 'it is ignored' : `"${otherwise}" is used`
  wrongType(reader, key, `one of ${known.join(', ')}; ${used}`, `Write "${key}: ${known[0]!}".`)
  return otherwise
}

const EVERY: SkillChoice = { only: null, tags: null, except: [] }

/** `all`, a list of names, `{except: […]}` or `{tags: […]}`. */
function skillChoice(reader: FieldReader): SkillChoice {
  const value = valueOf(reader, 'skills')
  if (value === undefined || value === null || textIn(value)?.toLowerCase() === 'all') return EVERY
  const names = wordsIn(value)
  if (names !== null) return { ...EVERY, only: names }
  const map = mapIn(value)
  const [except, tags] = ['except', 'tags'].map((key) => (map ? partOf(map, key) : undefined))
  const parts = { except: wordsIn(except) ?? [], tags: tags === undefined ? null : wordsIn(tags) }
  const isRead = [except, tags].some((part) => part !== undefined) && [except, tags].every(isList)
  if (map && isRead) return { only: null, ...parts }
  const must = 'all, a list of names, or fields "except" or "tags"; no skill is offered'
  wrongType(reader, 'skills', must, 'Write it as "skills: all" or "skills: {except: [name]}".')
  return { ...EVERY, only: [] }
}

function isList(value: unknown): boolean {
  return value === undefined || wordsIn(value) !== null
}

/** Spellings of what is never allowed without a person (decision of R15: scripts and Bash never "allow"). */
const NEVER_ALLOWED = /^(?:bash|bash_exec|shell|sandbox_execute|scripts?|hooks?|skills[._]run_script)$/i

/** Settings by tool. A list, as other programs write it, names the only tools there are. */
function tools(reader: FieldReader): Record<string, ToolSetting> {
  const value = valueOf(reader, 'tools')
  if (value === undefined || value === null) return {}
  const names = wordsIn(value)
  if (names !== null) {
    const message = 'The list was read as the only tools of this agent; all others are never offered.'
    note(reader, 'info', 'tools', ['tools-list', message, 'Write it as "tools: {Write: ask, Bash: never}".'])
    return toSettings([...names.map((name) => [name, 'ask'] as const), ['*', 'never']])
  }
  const map = mapIn(value)
  if (map) return toSettings(Object.entries(map).map(([name, set]) => [name, settingOf(reader, name, set)]))
  wrongType(reader, 'tools', 'fields by tool; no tool is offered', 'Write it as "tools: {Write: ask}".')
  return toSettings([['*', 'never']])
}

function settingOf(reader: FieldReader, name: string, value: unknown): ToolSetting {
  const written = textIn(value)?.toLowerCase()
  const found = ToolSetting.options.find((one) => one === written)
  if (found === undefined) {
    wrongType(reader, `tools.${name}`, 'allow, ask or never; never is used', `Write "${name}: ask".`)
    return 'never'
  }
  if (found !== 'allow' || !NEVER_ALLOWED.test(name)) return found
  const message = `"${name}" can't be allowed beforehand; it asks each time.`
  note(reader, 'warning', 'tools', ['tool-always-asks', message, `Write "${name}: ask".`])
  return 'ask'
}

/** Without a prototype: a tool may have any name. */
function toSettings(entries: readonly (readonly [string, ToolSetting])[]): Record<string, ToolSetting> {
  const settings = Object.create(null) as Record<string, ToolSetting>
  for (const [name, set] of entries) settings[name] = set
  return settings
}

function limits(reader: FieldReader): AgentLimits {
  const none: AgentLimits = { steps: null, minutes: null, tokens: null, activeSkills: null }
  const value = valueOf(reader, 'limits')
  if (value === undefined || value === null) return none
  const map = mapIn(value)
  if (!map) {
    wrongType(
      reader,
      'limits',
      'fields; one step a turn holds',
      'Write it as "limits: {steps: 40, minutes: 20}".',
    )
    return { ...none, steps: 1 }
  }
  return {
    steps: limit(reader, map, { key: 'steps', most: 1000, whole: true }),
    minutes: limit(reader, map, { key: 'minutes', most: 24 * 60, whole: false }),
    tokens: limit(reader, map, { key: 'tokens', most: 1e9, whole: true }),
    activeSkills: limit(reader, map, { key: 'active_skills', most: 10, whole: true }),
  }
}

interface LimitRule {
  key: string
  most: number
  whole: boolean
}

/** What is no number limits to 1, what is over the most to the most: never to more than what may have been meant. */
function limit(reader: FieldReader, map: Record<string, unknown>, rule: LimitRule): number | null {
  const { key, most, whole } = rule
  const value = partOf(map, key)
  if (value === undefined || value === null) return null
  const number = numberIn(value)
  if (number > 0 && number <= most && (!whole || Number.isInteger(number))) return number
  const held = number > most ? most : 1
  const must = `a ${whole ? 'whole ' : ''}number up to ${most}; ${held} holds`
  wrongType(reader, `limits.${key}`, must, 'Write a number.')
  return held
}

/** NaN: it is none. */
function numberIn(value: unknown): number {
  if (typeof value === 'string') return value.trim() === '' ? Number.NaN : Number(value)
  return typeof value === 'number' ? value : Number.NaN
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}
