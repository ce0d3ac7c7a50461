import type { ActiveBody, CatalogueEntry, Step, StepResult } from './practice-view'

/** A call of a tool as the prompt names it, or as it means. */
export interface PracticeCall {
  name: string
  input: Record<string, unknown>
}

/**
 * Tools of other conventions by what they mean (`runtime.md` 4). Whatever the names are that a prompt offers, the same
 * moves are made with them: load, read, run, list.
 */
interface Word {
  means: string
  /** The call in its words; null when it can't say this. */
  say(input: Record<string, unknown>): Record<string, unknown> | null
  /** What a call in its words means. */
  read(input: Record<string, unknown>): Record<string, unknown>
  /** What came back, as the tool that is meant would say it; `value` is what the prompt holds. */
  result(value: unknown): StepResult
}

const MOUNT = '/.sandbox/skills/'

const loads = (key: string, result: Word['result']): Word => ({
  means: 'skills_load',
  say: ({ names }) => ({ [key]: firstOf(names) }),
  read: (input) => ({ names: [input[key]] }),
  result,
})

const WORDS: Readonly<Record<string, Word>> = {
  get_skill: loads('skillName', (value) => {
    const { error, name, instructions } = recordOf(value)
    return error === undefined ? done({ name, body: instructions }) : failed(error)
  }),
  read_skill: loads('skill_id', (value) => {
    const [, body, name] =
      /^([\s\S]*)\n\nSkill loaded: (.+) \(approx\. \d+ tokens\)/.exec(String(value)) ?? []
    return body === undefined ? failed(value) : done({ name, body })
  }),
  agent_skill_read: loads('name', (value) => {
    const { success, error, skill } = recordOf(value)
    const { directoryName, frontmatter, body } = recordOf(skill)
    return success === true
      ? done({ name: recordOf(frontmatter)['name'] ?? directoryName, body })
      : failed(error)
  }),
  Skill: loads('skill', (value) => {
    const { success, error, error_code, result } = recordOf(value)
    const { skill_name, content } = recordOf(result)
    return success === true ? done({ name: skill_name, body: content }) : failed(error, error_code)
  }),
  read_skill_resource: {
    means: 'skills_read',
    say: ({ skill, path }) => ({ skill_id: skill, path }),
    read: ({ skill_id, path }) => ({ skill: skill_id, path }),
    result: (value) => (value === 'Path traversal detected' ? failed(value) : done({ content: value })),
  },
  agent_skill_read_file: {
    means: 'skills_read',
    say: ({ skill, path }) => ({ name: skill, filePath: path }),
    read: ({ name, filePath }) => ({ skill: name, path: filePath }),
    result: (value) => {
      const { success, error, ...result } = recordOf(value)
      return success === true ? done(result) : failed(error)
    },
  },
  Read: {
    means: 'skills_read',
    say: ({ skill, path }) => ({ file_path: `${MOUNT}${String(skill)}/${String(path)}` }),
    read: ({ file_path }) => {
      const [skill = '', ...path] = String(file_path).slice(MOUNT.length).split('/')
      return { skill, path: path.join('/') }
    },
    result: resultOf,
  },
  sandbox_execute: {
    means: 'skills_run_script',
    say: ({ skill, path, args }) => {
      const words = [`${MOUNT}${String(skill)}/${String(path)}`, ...listOf(args).map(String)]
      if (!words.every((word) => /^[\w@%+=:,./-]+$/.test(word))) return null
      return { command: [...(String(path).endsWith('.sh') ? ['sh'] : []), ...words].join(' ') }
    },
    read: ({ command }) => {
      const words = String(command).split(' ')
      const script = words.findIndex((word) => word.startsWith(MOUNT))
      const [skill = '', ...path] = (words[script] ?? '').slice(MOUNT.length).split('/')
      return { skill, path: path.join('/'), args: words.slice(script + 1) }
    },
    result: (value) => {
      const { exitCode, output, error } = recordOf(value)
      if (typeof exitCode !== 'number') return { ...failed(error), result: { stdout: output } }
      return done({ exit_code: exitCode, stdout: output, stderr: error ?? '' })
    },
  },
  list_skills: {
    means: 'skills_list',
    say: ({ query }) => ({ query }),
    read: ({ query }) => ({ query }),
    result: (value) => {
      const { error, skills } = recordOf(value)
      const list = listOf(skills).map((skill) => ({ ...recordOf(skill), name: recordOf(skill)['skill_id'] }))
      return error === undefined ? done({ skills: list }) : failed(error)
    },
  },
}

/** What the tools that are offered mean, their own names included. */
export function meanings(tools: readonly string[]): Set<string> {
  return new Set(tools.flatMap((name) => [name, WORDS[name]?.means ?? name]))
}

/** The same call with the names that are offered: those of a convention before the meaning's own. */
export function inWordsOf(tools: ReadonlySet<string>, call: PracticeCall): PracticeCall {
  for (const [name, word] of Object.entries(WORDS)) {
    if (word.means !== call.name || !tools.has(name)) continue
    if (name === 'Read' && tools.has(call.name)) continue
    const input = word.say(call.input)
    if (input) return { name, input }
  }
  if (call.name === 'Bash' && !tools.has('Bash')) return { ...call, name: 'sandbox_execute' }
  return call
}

/** A step that was made in other words, as the step that it means. Null for a tool that means itself. */
export function meaningOf(call: PracticeCall, value: unknown): Step | null {
  // Of a file of the project, and of a command, nothing else is meant.
  if (call.name === 'Read' && !String(call.input['file_path']).startsWith(MOUNT)) return null
  if (call.name === 'sandbox_execute' && !String(call.input['command']).includes(MOUNT)) {
    return { tool: 'Bash', input: call.input, result: WORDS['sandbox_execute']!.result(value) }
  }
  const word = Object.hasOwn(WORDS, call.name) ? WORDS[call.name] : undefined
  return word ? { tool: word.means, input: word.read(call.input), result: word.result(value) } : null
}

/** Lists of skills that are not `<available_skills>`: in the instructions, or in the description of a tool. */
export function otherCatalogue(instructions: string, descriptions: readonly string[]): CatalogueEntry[] {
  const bullets = blockOf(instructions, '[Available Skills]', 'Use read_skill(skill_id)')
  const agent = blockOf(instructions, '<agent-skills>', 'To load a skill:')
  const tools = descriptions.join('\n')
  return [
    ...entriesIn(bullets, /^• `([^`]+)`(?: — (.*))?$/gm),
    ...entriesIn(agent, /^- ([^:\n]+?)(?:: (.*?))?(?: \(scope: \w+\))?$/gm),
    ...entriesIn(tools, /^ {2}- ([^:\n]+)(?:: (.*))?$/gm),
    ...entriesIn(blockOf(tools, '<available_skills>', '</available_skills>'), /^"([^"\n]+)"(?:: (.*))?$/gm),
  ]
}

/** Skills that a search has found, and texts of skills that came as a result and were not unloaded since. */
export function learned(steps: readonly Step[]): { found: CatalogueEntry[]; bodies: ActiveBody[] } {
  const found = steps.flatMap(({ tool, result }) => {
    if (tool !== 'skills_list') return []
    return listOf(result.result['skills']).map((skill) => {
      const { name, description } = recordOf(skill)
      return { name: textOf(name), description: textOf(description) }
    })
  })
  const bodies = new Map<string, string>()
  for (const { tool, input, result } of steps) {
    const { name, body } = result.result
    if (tool === 'skills_load' && typeof body === 'string') bodies.set(textOf(name), body)
    if (tool !== 'skills_unload' || !result.success) continue
    if (input['all'] === true) bodies.clear()
    for (const gone of listOf(input['names'])) bodies.delete(String(gone))
  }
  return { found, bodies: [...bodies].map(([name, body]) => ({ name, body })) }
}

function blockOf(text: string, start: string, end: string): string {
  const at = `\n${text}`.lastIndexOf(`\n${start}\n`)
  if (at === -1) return ''
  const rest = text.slice(at + start.length)
  const stop = rest.indexOf(`\n${end}`)
  return stop === -1 ? rest : rest.slice(0, stop)
}

function entriesIn(text: string, line: RegExp): CatalogueEntry[] {
  return Array.from(text.matchAll(line), ([, name = '', description = '']) => ({ name, description }))
}

/** Of a tool that answers with the envelope. */
function resultOf(value: unknown): StepResult {
  const { success, result, error, error_code } = recordOf(value)
  return success === true ? done(recordOf(result)) : failed(error, error_code)
}

function done(result: Record<string, unknown>): StepResult {
  return { success: true, result, error: '', errorCode: '' }
}

function failed(error: unknown, code: unknown = ''): StepResult {
  return { success: false, result: {}, error: textOf(error), errorCode: textOf(code) }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function firstOf(value: unknown): unknown {
  return listOf(value)[0]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
