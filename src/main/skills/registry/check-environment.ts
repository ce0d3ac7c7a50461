import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { ScriptKind } from '@shared/script-kind'
import type { CheckEnvironment } from '@shared/skill-check/folder-input'

type Env = Readonly<Record<string, string | undefined>>

/** Names that `allowed-tools` may hold: Satchel's own tools, and those of the common agents whose skills are read. */
const TOOLS =
  'skills_list skills_load skills_read skills_run skills_unload ' +
  'Agent AskUserQuestion Bash BashOutput Edit ExitPlanMode Glob Grep KillShell LS MultiEdit NotebookEdit NotebookRead ' +
  'Read Skill Task TodoRead TodoWrite ToolSearch WebFetch WebSearch Write'

/** An answer is kept for so many milliseconds: programs come and go rarely, and thousands of skills ask for the same. */
const KEEP_MS = 60_000

/** Where programs are found for runs, so that a skill's problems say the same as a run. Plain data. */
export interface ProgramTable {
  /** As PATH. */
  path: string
  /** Absolute paths that the person chose, by kind of interpreter. */
  chosen: Readonly<Record<string, string>>
}

/** What is there on this machine for skills; without a table programs are found by the PATH of `env`. */
export function createCheckEnvironment(env: Env, programs?: ProgramTable): CheckEnvironment {
  const path = programs?.path ?? env['PATH'] ?? env['Path'] ?? ''
  const known = new Map<string, boolean>()
  let since = performance.now()
  const hasProgram = (name: string) => {
    if (performance.now() - since > KEEP_MS) {
      known.clear()
      since = performance.now()
    }
    const answer = known.get(name) ?? isOnPath(name, path)
    known.set(name, answer)
    return answer
  }
  return {
    hasProgram,
    hasVariable: (name) => Boolean(env[name]),
    interpreterFor(kind) {
      const chosen = programs?.chosen[kind]
      return chosen === undefined ? hasProgram(kind) : isAbsolute(chosen) && isProgram(chosen)
    },
    os: process.platform,
    knownTools: TOOLS.split(' '),
  }
}

/** The same environment, and what it was asked about this machine: an answer that changes asks for a new look. */
export function noteQuestions(environment: CheckEnvironment): {
  environment: CheckEnvironment
  /** `+git` or `-git` for programs, `+$NAME` for variables, `+#python3` for interpreters. */
  answers(): string[]
} {
  const answers = new Set<string>()
  const note = (name: string, answer: boolean) => {
    answers.add(`${answer ? '+' : '-'}${name}`)
    return answer
  }
  return {
    environment: {
      ...environment,
      hasProgram: (name) => note(name, environment.hasProgram(name)),
      hasVariable: (name) => note(`$${name}`, environment.hasVariable(name)),
      interpreterFor: (kind) => note(`#${kind}`, environment.interpreterFor(kind)),
    },
    answers: () => [...answers].sort(),
  }
}

/** False when this machine would answer otherwise now. */
export function stillAnswers(answers: readonly string[], environment: CheckEnvironment): boolean {
  return answers.every((answer) => {
    const name = answer.slice(1)
    return answerNow(name, environment) === answer.startsWith('+')
  })
}

function answerNow(name: string, environment: CheckEnvironment): boolean {
  if (name.startsWith('$')) return environment.hasVariable(name.slice(1))
  if (name.startsWith('#')) return environment.interpreterFor(name.slice(1) as ScriptKind)
  return environment.hasProgram(name)
}

/** Absolute folders only, as for running. A name is no path. */
function isOnPath(name: string, path: string): boolean {
  if (!/^[\w.+-]+$/.test(name)) return false
  const endings = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : ['']
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .some((folder) => endings.some((ending) => isProgram(join(folder, `${name}${ending}`))))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false // not in this folder
  }
}
