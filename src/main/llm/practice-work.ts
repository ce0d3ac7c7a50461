import type { PracticeMove } from './practice-plan'
import type { PracticeView, Step } from './practice-view'
import { SCRIPTED, workDone } from './practice-words'

/** What a message asks for without any skill, in one of a few fixed forms. */
type Work =
  | { tool: 'Edit'; file: string; from: string; to: string }
  | { tool: 'Write'; file: string; text: string }
  | { tool: 'Bash'; command: string }

/** The next move for a message that asks to change a file or to run a command; null for every other message. */
export function planWork(view: PracticeView): PracticeMove | null {
  const work = workIn(view.userText)
  if (!work || !offers(view, work.tool)) return null
  const done = view.round.find(({ tool }) => tool === work.tool)
  if (done) return { text: `${workDone(done)}\n\n${SCRIPTED}` }
  if (work.tool === 'Edit') return edit(view, work)
  if (work.tool === 'Bash') return call('Asking to run the command.', 'Bash', { command: work.command })
  return call(`Asking to write \`${work.file}\`.`, 'Write', {
    file_path: work.file,
    content: `${work.text}\n`,
  })
}

/** Commands have another name where a style brings its own. */
function offers({ tools }: PracticeView, tool: Work['tool']): boolean {
  return tools.has(tool) || (tool === 'Bash' && tools.has('sandbox_execute'))
}

function edit(view: PracticeView, { file, from, to }: Work & { tool: 'Edit' }): PracticeMove {
  if (!view.round.some((step) => isReadOf(step, file))) {
    return call(`Reading \`${file}\` before it is changed.`, 'Read', { file_path: file })
  }
  const input = { file_path: file, old_string: from, new_string: to }
  return call(`Asking to change \`${file}\`.`, 'Edit', input)
}

function isReadOf({ tool, input }: Step, file: string): boolean {
  return tool === 'Read' && input['file_path'] === file
}

function call(text: string, name: string, input: Record<string, unknown>): PracticeMove {
  return { text, call: { name, input } }
}

const QUOTED = '["“`]([^"”`]{1,2000})["”`]'
const FILE = '[`"]?([\\w./-]*\\w)[`"]?'
const EDIT = new RegExp(
  `^(?:please )?(?:in ${FILE},? )?(?:replace|change) ${QUOTED} (?:with|to|by) ${QUOTED}(?: in (?:the file )?${FILE})?[.!]?$`,
  'iu',
)
const WRITE = new RegExp(
  `^(?:please )?write ${QUOTED} (?:to|into) (?:the |a )?(?:new )?(?:file )?${FILE}[.!]?$`,
  'iu',
)
const RUN = new RegExp(`^(?:please )?run (?:the )?command:? ${QUOTED}[.!]?$`, 'iu')

function workIn(text: string): Work | null {
  const said = text.trim()
  const [, before, from = '', to = '', after] = EDIT.exec(said) ?? []
  const file = before ?? after
  if (file !== undefined) return { tool: 'Edit', file, from, to }
  const [, content, target] = WRITE.exec(said) ?? []
  if (content !== undefined && target !== undefined) return { tool: 'Write', file: target, text: content }
  const command = RUN.exec(said)?.[1]
  return command === undefined ? null : { tool: 'Bash', command }
}
