import type { HistoryEntry, Llm, LlmEvent } from '../../../../src/main/llm/types'
import { collect, requestOf } from './llm-kit'

export interface TestSkill {
  name: string
  description: string
  body: string
  /** Text of its files. */
  files?: Record<string, string>
}

export interface TestCall {
  name: string
  input: Record<string, unknown>
}

export interface Round {
  texts: string[]
  calls: TestCall[]
}

const TOOLS = ['skills_load', 'skills_read', 'skills_run_script'].map((name) => ({
  name,
  description: name,
  parameters: { type: 'object' },
}))

const escape = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

/** Both blocks of the instructions, as the runtime composes them. */
export function instructionsOf(skills: readonly TestSkill[], active: readonly TestSkill[]): string[] {
  const entries = skills.map(
    ({ name, description }) =>
      `<skill><name>${escape(name)}</name><description>${escape(description)}</description></skill>`,
  )
  const bodies = active.map(({ name, body }) => {
    const closed = body
      .replaceAll('</skill>', '&lt;/skill&gt;')
      .replaceAll('</active_skills>', '&lt;/active_skills&gt;')
    return `<skill name="${escape(name)}" scope="personal" digest="sha256:00" dir="/.sandbox/skills/${escape(name)}">\n${closed}\n</skill>`
  })
  return [
    `You are an agent.\n\n<available_skills>\n${entries.join('\n')}\n(+82 more: skills_list finds them)\n</available_skills>`,
    active.length === 0
      ? ''
      : `<active_skills>\n${bodies.join('\n')}\nIf two skills disagree, the later one wins.\n</active_skills>`,
  ]
}

export function failed(error: string, error_code: string) {
  return { success: false, error, error_code }
}

export function ran(exit_code: number, stdout: string, stderr = '') {
  return { success: true, result: { exit_code, stdout, stderr } }
}

/** A small conductor: sends messages, carries calls out on the given skills, and records every round. */
export function createTestChat(
  llm: Llm,
  skills: readonly TestSkill[],
  answer: (call: TestCall) => object | undefined = () => undefined,
) {
  const history: HistoryEntry[] = []
  const active: TestSkill[] = []

  function carryOut({ name, input }: TestCall): object {
    const own = answer({ name, input })
    if (own) return own
    if (name === 'skills_load') {
      const [wanted] = input['names'] as string[]
      const skill = skills.find((item) => item.name === wanted)
      if (!skill) return failed(`no skill ${String(wanted)}`, 'not_found')
      active.splice(0, active.length, skill)
      return { success: true, result: { active_skills: [{ name: skill.name }] } }
    }
    if (name === 'skills_read') {
      const content = active[0]?.files?.[String(input['path'])]
      return content === undefined
        ? failed(`There is no file ${String(input['path'])}`, 'not_found')
        : { success: true, result: { path: input['path'], content } }
    }
    return ran(0, 'done\n')
  }

  async function send(text: string): Promise<Round> {
    history.push({ role: 'user', text })
    const round: Round = { texts: [], calls: [] }
    for (let turn = 0; turn < 10; turn += 1) {
      const events = await collect(
        llm.stream(
          requestOf({
            model: 'practice/scripted',
            instructions: instructionsOf(skills, active),
            history: structuredClone(history),
            tools: TOOLS,
          }),
        ),
      )
      round.texts.push(textOf(events))
      const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event] : []))
      const done = events.at(-1)
      if (done?.type !== 'done') throw new Error(`ended with ${JSON.stringify(done)}`)
      history.push({ role: 'assistant', providerMessages: done.providerMessages })
      if (calls.length === 0) return round
      const results = calls.map(({ providerCallId, name, input = {} }) => {
        round.calls.push({ name, input })
        return { providerCallId, toolName: name, value: carryOut({ name, input }) }
      })
      history.push({ role: 'tool', results })
    }
    throw new Error('the round did not end')
  }

  return { send, active, history }
}

export function textOf(events: readonly LlmEvent[]): string {
  return events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')
}
