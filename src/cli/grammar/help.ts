import { usageOf } from './args'
import type { CommandGroup, CommandSpec, OptionSpec } from './command'
import { aloneIn, COMMON_OPTIONS, GROUPS } from './commands'
import { EXIT_MEANINGS } from './exit-codes'
import { wrapped } from '../terminal/output'
import type { Style } from '../terminal/output'

const MOST = 100

/** The help of the whole command, of a group, or of one command. */
export function helpFor(group: CommandGroup | null, command: CommandSpec | null, style: Style): string {
  if (group === null) return topHelp(style)
  return command === null ? groupHelp(group, style) : commandHelp(group, command, style)
}

function topHelp(style: Style): string {
  return sections(style, [
    [
      '',
      ['Works with Agent Skills from a terminal: the same skills and data as the app, without its window.'],
    ],
    ['Usage', ['satchel <group> <command> [options]', 'satchel <command> [options]']],
    ...GROUPS.filter((group) => !aloneIn(group)).map((group): Section => [
      `satchel ${group.name}`,
      commandLines(group, style),
    ]),
    ['Other commands', aloneLines(style)],
    ['Options', optionLines([...COMMON_OPTIONS, { name: 'version', help: 'Print the version.' }], style)],
    [
      'Environment',
      pairLines(
        [
          ['SATCHEL_HOME', "The folder of Satchel's data, an absolute path."],
          ['NO_COLOR, FORCE_COLOR', 'Colours off or on, wherever the text goes.'],
        ],
        style,
      ),
    ],
    ['Exit codes', exitLines(style)],
    ['Examples', ['satchel skills list', 'satchel skills list --help']],
  ])
}

function groupHelp(group: CommandGroup, style: Style): string {
  return sections(style, [
    ['', [group.summary]],
    ['Usage', [`satchel ${group.name} <command> [options]`]],
    ['Commands', commandLines(group, style)],
    ['Options', optionLines(COMMON_OPTIONS, style)],
    ['Exit codes', exitLines(style)],
    ['Examples', group.commands.slice(0, 3).map(({ examples }) => examples[0]![0])],
  ])
}

function commandHelp(group: CommandGroup, command: CommandSpec, style: Style): string {
  return sections(style, [
    ['', [command.summary, ...(command.notes ?? [])]],
    ['Usage', [`${usageOf(group, command)} [options]`]],
    ['Options', optionLines([...command.options, ...COMMON_OPTIONS], style)],
    ['Exit codes', exitLines(style)],
    ['Examples', command.examples.flatMap(([line, what]) => [style.paint('quiet', `# ${what}`), line])],
  ])
}

type Section = readonly [title: string, lines: readonly string[]]

function sections(style: Style, parts: readonly Section[]): string {
  return parts
    .map(([title, lines]) =>
      title === ''
        ? lines.map((line) => wrapped(line, widthOf(style), 0)).join('\n')
        : [style.paint('strong', title), ...lines.map((line) => `  ${line}`)].join('\n'),
    )
    .join('\n\n')
}

function commandLines(group: CommandGroup, style: Style): string[] {
  return pairLines(
    group.commands.map(({ name, summary }) => [name, summary]),
    style,
  )
}

function aloneLines(style: Style): string[] {
  const pairs = GROUPS.flatMap((group): [string, string][] => {
    const command = aloneIn(group)
    return command ? [[group.name, command.summary]] : []
  })
  return pairLines(pairs, style)
}

function optionLines(options: readonly OptionSpec[], style: Style): string[] {
  return pairLines(
    options.map(({ name, short, value, choices, help }) => [
      `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${choices ? choices.join('|') : value}>`}`,
      help,
    ]),
    style,
  )
}

function exitLines(style: Style): string[] {
  return pairLines(
    EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]),
    style,
  )
}

/** Names in one column, what they mean beside them, or below those that are too long. */
function pairLines(pairs: readonly (readonly [string, string])[], style: Style): string[] {
  const column = Math.min(24, Math.max(...pairs.map(([name]) => name.length))) + 2
  return pairs.map(([name, meaning]) => {
    const text = wrapped(meaning, widthOf(style), column + 2)
    const first = name.length > column - 2 ? `${name}\n${' '.repeat(column + 2)}` : name.padEnd(column)
    return first + text
  })
}

function widthOf({ width }: Style): number {
  return Math.min(MOST, width)
}
