/** A command that is nothing but the run of a script of a skill. */
export interface SkillCommand {
  skill: string
  /** Relative to the skill. */
  path: string
  args: string[]
}

const MOUNT = '/.sandbox/skills/'
/** Programs that a command may name before the script; the table decides what runs it (`runtime.md` 2). */
const INTERPRETERS = new Set('sh bash dash python python3 node ruby perl pwsh php Rscript lua'.split(' '))
/** Words that mean themselves in every shell. */
const PLAIN = /^[\w@%+=:,./-]+$/

/**
 * `<interpreter> /.sandbox/skills/<name>/<path> plain words`, or that path alone: a run of that script with these
 * arguments, which can be bound to its content. Null for every other command: that is for a shell (`runtime.md` 4).
 */
export function readSkillCommand(command: string): SkillCommand | null {
  if (/[\r\n]/.test(command.trim())) return null
  const words = command.trim().split(/[ \t]+/)
  if (!words.every((word) => PLAIN.test(word))) return null
  const [first = '', ...rest] = words
  const named = INTERPRETERS.has(first)
  const [script = '', ...args] = named ? rest : words
  if (!script.startsWith(MOUNT)) return null
  const [skill = '', ...path] = script.slice(MOUNT.length).split('/')
  const isPath = path.length > 0 && path.every((part) => part !== '' && part !== '.' && part !== '..')
  return skill === '' || !isPath ? null : { skill, path: path.join('/'), args }
}
