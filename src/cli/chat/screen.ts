import type { ToolCall } from '@shared/domain/session'
import { shown } from '../terminal/output'
import type { Paint, Style } from '../terminal/output'
import type { World } from '../world'
import { createPieceText } from './piece-text'
import { requestTitle } from './request-text'
import type { Child, Teller } from './teller'

/** The answer on stdout as it arrives; steps and everything else as short lines on stderr. */
export function screen({ stdout, stderr }: Pick<World, 'stdout' | 'stderr'>, style: Style): Teller {
  const pieces = createPieceText()
  const said = new Set<string>()
  let isLineOpen = false
  const write = (text: string) => {
    if (text === '') return
    stdout.write(text)
    isLineOpen = !text.endsWith('\n')
  }
  const endLine = () => {
    write(pieces.end())
    if (isLineOpen) write('\n')
  }
  const line = (paint: Paint, text: string) => {
    endLine()
    stderr.write(`${style.paint(paint, text)}\n`)
  }
  return {
    chat: ({ id, agent, model }) => line('quiet', `Chat ${id} with ${shown(agent.label)}, ${shown(model)}`),
    notice: (message) => line('warn', shown(message)),
    text(kind, piece) {
      if (kind === 'text') write(pieces.push(piece))
    },
    step(call, of) {
      const text = stepLine(call, of)
      if (text === null || said.has(`${call.id} ${text.text}`)) return
      said.add(`${call.id} ${text.text}`)
      line(text.paint, text.text)
    },
    request: ({ plan }, answer, why) => {
      if (answer !== 'allowed')
        line('warn', `${answer === 'denied' ? 'Denied' : 'Not allowed'}: ${requestTitle(plan)}. ${why}`)
    },
    message: endLine,
  }
}

/** One line for a step that begins to run or has ended; null for what nobody has to see. */
export function stepLine(call: ToolCall, of?: Child): { paint: Paint; text: string } | null {
  const { state, envelope } = call
  const who = of ? `${cut(shown(of.name), 60)}: ` : ''
  const what = `${who}${shown(call.name)}${subject(call.input)}`
  if (state === 'ready' || state === 'awaiting_approval') return null
  if (state === 'running' || envelope === null) return { paint: 'quiet', text: `· ${what}` }
  if (isToolError(envelope.result))
    return { paint: 'bad', text: `✗ ${what}: its server calls the result an error` }
  if (envelope.success) return { paint: 'quiet', text: `✓ ${what}${exitCode(envelope.result)}` }
  return { paint: 'bad', text: `✗ ${what}: ${cut(shown(envelope.error ?? 'It failed.'), 300)}` }
}

/** What most tools are about, short. */
function subject(input: Record<string, unknown>): string {
  for (const key of ['names', 'name', 'path', 'file_path', 'skill', 'pattern', 'command', 'query', 'agent']) {
    const value = input[key]
    const text = Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(', ') : value
    if (typeof text === 'string' && text !== '') return ` ${cut(shown(text), 80)}`
  }
  return ''
}

/** The call was carried out, and its MCP server answered with an error. */
function isToolError(result: unknown): boolean {
  return (result as { is_error?: unknown } | null | undefined)?.is_error === true
}

function exitCode(result: unknown): string {
  const code = (result as { exit_code?: unknown } | null)?.exit_code
  return typeof code === 'number' && code !== 0 ? `, exit code ${code}` : ''
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')}…` : text
}
