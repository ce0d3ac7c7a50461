import { AppError } from '@shared/errors'
import { isWellFormed } from './limits'

export interface EnvVariable {
  name: string
  value: string
}

/** What every run gets beside the variables that its call names. */
export interface BaseEnv {
  /** The home folder as the script sees it. */
  home: string
  /** The skill in use; null for a shell text. */
  skill: { name: string; dir: string } | null
  /** For a script that runs because its skill is loaded or ends. */
  hook?: 'pre' | 'post'
  /** What makes programs use the proxy of a run that may reach hosts. */
  network?: Readonly<Record<string, string>>
}

/** The search path of every run, whatever the app's own is. */
export const RUN_PATH = '/usr/local/bin:/usr/bin:/bin'

const NAME = /^[A-Z_][A-Z0-9_]*$/

/** AP-4: variables that would make the interpreter load other code, or send its traffic elsewhere. */
const REFUSED = [
  /^(LD|DYLD|ELECTRON|GIT)_/,
  /^(PYTHON|PERL|RUBY)/,
  /^(NODE_OPTIONS|NODE_PATH)$/,
  /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|IFS)$/,
  /^BASH_FUNC_/,
  /^SSH_ASKPASS/,
  /^(JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS)$/,
  /^(PATH|HOME)$/,
  /(_PROXY|_USE_ENV_PROXY)$/,
  /^NPM_CONFIG_/,
  /^(EDITOR|VISUAL|PAGER|MANPAGER|LESSOPEN|LESSCLOSE)$/,
  /^(GLIBC_TUNABLES|GCONV_PATH)$/,
]

/** Set by Satchel itself; a call that sets them could hide a run from the sweep or point a script elsewhere. */
const RESERVED = /^(SKILL_DIR|CLAUDE_SKILL_DIR|SKILL_NAME|SKILL_HOOK|SATCHEL_.*)$/

/** Throws `bad_input` naming the first variable of a call that AP-4 refuses. */
export function checkEnv(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (!NAME.test(name)) refuse(name, 'names are capital letters, digits and _')
    if (RESERVED.test(name)) refuse(name, 'Satchel sets it')
    if (REFUSED.some((pattern) => pattern.test(name))) refuse(name, 'it could make other code run')
    if (value.includes('\0')) refuse(name, 'its value holds a NUL character')
    if (!isWellFormed(value)) refuse(name, 'its value is not valid Unicode')
  }
}

/** The whole environment of a run, built from nothing and sorted by name. Throws as `checkEnv`. */
export function composeEnv(base: BaseEnv, env: Readonly<Record<string, string>>): EnvVariable[] {
  checkEnv(env)
  const all: Record<string, string> = {
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    TMPDIR: '/tmp',
    ...env,
    PATH: RUN_PATH,
    HOME: base.home,
  }
  if (base.skill) {
    all['SKILL_DIR'] = base.skill.dir
    all['CLAUDE_SKILL_DIR'] = base.skill.dir
    all['SKILL_NAME'] = base.skill.name
  }
  if (base.hook) all['SKILL_HOOK'] = base.hook
  Object.assign(all, base.network)
  return Object.entries(all)
    .map(([name, value]) => ({ name, value }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * The environment of one process: the plan's variables and the run's id, by which a process that outlived its run is
 * found again (AP-9). The id is no part of the plan, so that one input always gives one plan.
 */
export function spawnEnv(env: readonly EnvVariable[], runId: string): Record<string, string> {
  const all: Record<string, string> = {}
  for (const { name, value } of env) all[name] = value
  all['SATCHEL_RUN_ID'] = runId
  return all
}

function refuse(name: string, why: string): never {
  throw new AppError('bad_input', `The variable "${name}" can't be set for a run: ${why}. Leave it out.`, {
    variable: name,
  })
}
