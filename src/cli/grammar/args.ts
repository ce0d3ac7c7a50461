import { foldName } from '@shared/skill-md/skill-name'
import { nearestNames } from '../../main/skills/registry/nearest'
import { wrongUse } from './command'
import type { CommandGroup, CommandSpec, Given, OptionSpec } from './command'
import { aloneIn, COMMON_OPTIONS, GROUPS } from './commands'

/** What a line of arguments asks for. `group` without `command`: nothing more was given, or only `--help`. */
export interface Call {
  group: CommandGroup | null
  command: CommandSpec | null
  given: Given
  version: boolean
}

/**
 * Reads the arguments. Written by hand, because parts of a query start with a minus (`-from:bundled`), which
 * `parseArgs` of Node takes for a row of short options. Throws `wrongUse`.
 */
export function readCall(args: readonly string[]): Call {
  const { path, rest } = splitPath(args[0] === 'help' ? [...args.slice(1), '--help'] : args)
  const [groupName, commandName] = path
  const version = groupName === undefined && args.some((arg) => arg === '--version' || arg === '-V')
  if (groupName === undefined) return { group: null, command: null, given: readGiven(rest, null), version }
  const group = GROUPS.find(({ name }) => name === groupName)
  if (!group) throw unknownGroup(groupName)
  const alone = aloneIn(group)
  if (alone) return { group, command: alone, given: readGiven(rest, { group, command: alone }), version }
  if (commandName === undefined) return { group, command: null, given: readGiven(rest, null), version }
  const command = group.commands.find(({ name }) => name === commandName)
  if (!command) throw unknownCommand(group, commandName)
  return { group, command, given: readGiven(rest, { group, command }), version }
}

/** True when `--json` stands among the options, whatever else is wrong with them. */
export function wantsJson(args: readonly string[]): boolean {
  return optionsOf(args).includes('--json')
}

export function wantsNoColor(args: readonly string[]): boolean {
  return optionsOf(args).includes('--no-color')
}

/** How a command is called, with what it takes. */
export function usageOf(group: CommandGroup, command: CommandSpec): string {
  return [nameOf(group, command), command.usage].filter(Boolean).join(' ')
}

/** "satchel skills list". */
function nameOf(group: CommandGroup, command: CommandSpec): string {
  return ['satchel', group.name, command.name].filter(Boolean).join(' ')
}

type Target = { group: CommandGroup; command: CommandSpec } | null

function optionsOf(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--')
  return end === -1 ? args : args.slice(0, end)
}

/** The first two words say which command, or the first alone; flags may stand anywhere. */
function splitPath(args: readonly string[]): { path: string[]; rest: string[] } {
  const path: string[] = []
  const rest: string[] = []
  let open = true
  for (const arg of args) {
    if (arg === '--') open = false
    const isFull = path.length === 2 || isAlone(path[0])
    if (open && !isFull && !arg.startsWith('-')) path.push(arg)
    else rest.push(arg)
  }
  return { path, rest }
}

function isAlone(name: string | undefined): boolean {
  return GROUPS.some((group) => group.name === name && aloneIn(group) !== null)
}

interface Reading {
  target: Target
  flags: Set<string>
  values: Map<string, string>
  words: string[]
}

function readGiven(args: readonly string[], target: Target): Given {
  const reading: Reading = { target, flags: new Set(), values: new Map(), words: [] }
  for (let at = 0; at < args.length; at += 1) {
    if (args[at] === '--') {
      reading.words.push(...args.slice(at + 1))
      break
    }
    at += readOne(reading, args[at]!, args[at + 1])
  }
  if (!reading.flags.has('help')) checkWords(reading)
  return reading
}

/** How many more arguments it took. */
function readOne(reading: Reading, arg: string, next: string | undefined): number {
  if (arg === '-h') reading.flags.add('help')
  else if (arg.startsWith('--') && arg.length > 2) return readOption(reading, arg, next)
  else if (longOf(reading, arg) !== null) return readOption(reading, longOf(reading, arg)!, next)
  else if (arg.startsWith('-') && arg.length > 1 && !reading.target?.command.takesQuery) {
    if (!(reading.target === null && arg === '-V')) throw unknownOption(reading, arg)
  } else reading.words.push(arg)
  return 0
}

/** `--prompt` for `-p`; null for everything that is no letter of an option. */
function longOf({ target }: Reading, arg: string): string | null {
  const option = optionsFor(target).find(({ short }) => short !== undefined && arg === `-${short}`)
  return option ? `--${option.name}` : null
}

function readOption(reading: Reading, arg: string, next: string | undefined): number {
  const [written = '', ...after] = arg.slice(2).split('=')
  const inline = after.length > 0 ? after.join('=') : undefined
  const option = optionsFor(reading.target).find(({ name }) => name === written)
  if (!option) throw unknownOption(reading, `--${written}`)
  if (option.value === undefined) {
    if (inline !== undefined) throw wrongUse(`--${written} takes no value.`, typeOf(reading.target))
    reading.flags.add(written)
    return 0
  }
  const value = inline ?? next
  if (value === undefined || value === '') {
    throw wrongUse(`--${written} needs a value: <${option.value}>.`, typeOf(reading.target))
  }
  if (option.choices && !option.choices.includes(value)) {
    throw wrongUse(
      `--${written} can't be "${value}". It is one of: ${option.choices.join(', ')}.`,
      typeOf(reading.target),
    )
  }
  reading.values.set(written, value)
  return inline === undefined ? 1 : 0
}

function optionsFor(target: Target): readonly OptionSpec[] {
  const top = target === null ? [{ name: 'version', help: '' }] : target.command.options
  return [...top, ...COMMON_OPTIONS]
}

function checkWords({ target, words }: Reading): void {
  if (target === null) return
  const { min, max, what } = target.command.words
  if (words.length < min) throw wrongUse(`This needs ${what}.`, typeOf(target))
  if (words.length > max) throw wrongUse(`"${words[max]}" is too much.`, typeOf(target))
}

function typeOf(target: Target): string {
  return target === null ? 'satchel --help' : usageOf(target.group, target.command)
}

function unknownOption({ target }: Reading, arg: string): Error {
  const names = optionsFor(target).map(({ name }) => name)
  const near = nearOption(foldName(arg.replace(/^-+/, '')), names)
  const called = target === null ? 'satchel' : nameOf(target.group, target.command)
  if (near === undefined) return wrongUse(`There is no option ${arg}.`, `${called} --help`)
  return wrongUse(`There is no option ${arg}. Do you mean --${near}?`, `${called} --${near}`)
}

/** Two letters make another word of one this short, unless it begins as the option does. */
function nearOption(written: string, names: readonly string[]): string | undefined {
  const [near] = nearestNames(written, names, 1)
  return near ?? nearestNames(written, names).find((name) => name[0] === written[0])
}

function unknownGroup(name: string): Error {
  const inside = GROUPS.flatMap((group) =>
    group.commands.map(
      (command) => [command.name || group.name, `${group.name} ${command.name}`.trim()] as const,
    ),
  )
  // Of two groups with such a command the first is meant.
  const known = new Map([...inside.reverse(), ...GROUPS.map((group) => [group.name, group.name] as const)])
  return notACommand(name, known, 'satchel')
}

function unknownCommand({ name: group, commands }: CommandGroup, name: string): Error {
  const known = new Map(commands.map((command) => [command.name, command.name] as const))
  return notACommand(name, known, `satchel ${group}`)
}

function notACommand(name: string, known: ReadonlyMap<string, string>, above: string): Error {
  const folded = foldName(name)
  const near = known.has(folded) ? folded : nearestNames(folded, [...known.keys()])[0]
  if (near === undefined) return wrongUse(`"${name}" is no command of ${above}.`, `${above} --help`)
  const full = known.get(near)!
  return wrongUse(`"${name}" is no command of ${above}. Do you mean "${full}"?`, `${above} ${full}`)
}
