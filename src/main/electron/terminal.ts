import { accessSync, constants, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import { AppError } from '@shared/errors'
import { startOwnProgram } from '../lib/process'

/** A program by its absolute path, with what it is given; the folder is only ever the one that it starts in. */
export interface TerminalCommand {
  file: string
  args: readonly string[]
}

/** The machine on which a terminal is looked for. */
export interface TerminalPlace {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  /** True for a file that can be run. */
  canRun(path: string): boolean
}

const THIS_PLACE: TerminalPlace = { platform: process.platform, env: process.env, canRun }

/** The names of terminals on Linux, the person's own choice first. */
const NAMES = [
  'x-terminal-emulator',
  'gnome-terminal',
  'konsole',
  'xfce4-terminal',
  'kitty',
  'alacritty',
  'xterm',
]

/** The terminal of this machine; null: none was found. */
export function findTerminal(place: TerminalPlace = THIS_PLACE): TerminalCommand | null {
  if (place.platform === 'win32') return onWindows(place)
  // The dot is the folder that `open` is started in.
  if (place.platform === 'darwin') return { file: '/usr/bin/open', args: ['-a', 'Terminal', '.'] }
  const own = place.env['TERMINAL']
  const names = own === undefined || own === '' ? NAMES : [own, ...NAMES]
  for (const name of names) {
    const file = onPath(name, place)
    if (file !== null) return { file, args: [] }
  }
  return null
}

/** See `Desktop.openTerminal`. It goes on when Satchel ends. */
export async function openTerminal(
  dir: string,
  find: () => TerminalCommand | null = findTerminal,
): Promise<void> {
  const command = find()
  if (!command) throw new AppError('not_ready', NONE_FOUND)
  try {
    await startOwnProgram(command.file, command.args, dir)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new AppError('not_ready', `The terminal could not be started in that folder: ${reason}.`)
  }
}

const NONE_FOUND = 'No terminal was found. Name yours in the environment variable TERMINAL.'

/** Absolute folders only: a folder named by "." would bring its own program. */
function onPath(name: string, { env, canRun: can }: TerminalPlace): string | null {
  if (posix.isAbsolute(name)) return can(name) ? name : null
  if (name.includes('/')) return null
  const folders = (env['PATH'] ?? '').split(':').filter((folder) => posix.isAbsolute(folder))
  return folders.map((folder) => posix.join(folder, name)).find(can) ?? null
}

/** Windows Terminal, else the plain console; both where Windows itself keeps them. */
function onWindows({ env, canRun: can }: TerminalPlace): TerminalCommand | null {
  const { LOCALAPPDATA: apps, SystemRoot: system } = env
  const terminal = apps === undefined ? null : win32.join(apps, 'Microsoft', 'WindowsApps', 'wt.exe')
  if (terminal !== null && can(terminal)) return { file: terminal, args: ['-d', '.'] }
  const plain = system === undefined ? null : win32.join(system, 'System32', 'cmd.exe')
  return plain !== null && can(plain) ? { file: plain, args: [] } : null
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false // not there, or not for this person
  }
}
