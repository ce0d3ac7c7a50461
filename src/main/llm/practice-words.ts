import type { Step } from './practice-view'

const MAX_LINES = 8
const MAX_CHARS = 600

/** Said at the end of every round: the practice agent never pretends to think (`ux.md` 5.8). */
export const SCRIPTED =
  "Practice agent, scripted: it matches words and follows the text of the skill. It doesn't think."

/** Shown when no skill shares a word with the message. */
export function nothingFits(names: readonly string[]): string {
  if (names.length === 0) {
    return `The catalogue is empty: there is no skill to use. **Skills** shows the folders that are looked at.\n\n${SCRIPTED}`
  }
  const shown = names.slice(0, 5).map((name) => `- ${name}`)
  const more = names.length > shown.length ? `\n- and ${names.length - shown.length} more` : ''
  return `No skill in the catalogue shares a word with this message. Some that are there:\n\n${shown.join('\n')}${more}\n\nUse words of a skill's description, or its name.\n\n${SCRIPTED}`
}

/** A failed call, in plain words; a denial quotes the note that came with it. */
export function failure(step: Step): string {
  const { error, errorCode, result } = step.result
  const what = describeCall(step)
  if (errorCode === 'denied') {
    return `${what} was denied. The answer was:\n\n${blockQuote(error || 'no reason given')}\n\nNothing ${step.tool === 'Edit' || step.tool === 'Write' ? 'was changed' : 'ran'}, and it is not tried again for this message.\n\n${SCRIPTED}`
  }
  const parts = [
    `${what} ${ENDED[errorCode] ?? 'did not work'}:`,
    blockQuote(forPeople(error) || 'no message'),
    lastOutput('The last lines it printed', textField(result, 'stdout')),
    lastOutput('The last lines of its error output', textField(result, 'stderr')),
    SCRIPTED,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** How a run ended that was cut short; every other failure did not work (`runtime.md` 3). */
const ENDED: Readonly<Record<string, string>> = {
  timed_out: 'was stopped at its time limit',
  killed: 'was stopped',
  cancelled: 'was stopped',
  interrupted: 'was interrupted',
}

function lastOutput(title: string, output: string): string {
  return output.trim() === '' ? '' : `${title}:\n\n${fence(lastLines(output))}`
}

/** Sentences that tell a model what to do next; not those that only name a tool in a reason. */
const FOR_MODEL = /^(?:Call )?skills_\w+ |\b[Tt]ell the person\b|\b[Aa]sk the person\b|^Load it again\./

/** An error without what is meant for a model. */
function forPeople(error: string): string {
  const sentences = error.split(/(?<=[.?!]) /)
  const kept = sentences.filter((sentence) => !FOR_MODEL.test(sentence))
  return (kept.length === 0 ? sentences : kept).join(' ')
}

/** One line for a file that could not be read: the round goes on without it. */
function readFailure(step: Step): string {
  return `${describeCall(step)} did not work: ${oneLine(forPeople(step.result.error))}`
}

/** What was done for this message, what came out, and where to look at it. */
export function summary(skill: string, body: string, round: readonly Step[]): string {
  const read = round.find((step) => step.tool === 'skills_read')
  const run = round.find((step) => step.tool === 'skills_run_script')
  const parts = [
    run
      ? runSummary(run)
      : `**${skill}** names no script to run. Its text begins:\n\n${blockQuote(firstLines(body))}`,
    read && !read.result.success ? readFailure(read) : '',
    closing(skill, round),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** What came of a change of a file, or of a command. */
export function workDone(step: Step): string {
  const { result } = step.result
  if (step.tool !== 'Bash') {
    const made = result['mode'] === 'create' ? 'is written' : 'is changed'
    return `\`${textField(step.input, 'file_path')}\` ${made}: +${Number(result['added'])} −${Number(result['removed'])} lines.`
  }
  return runSummary({
    ...step,
    input: { path: textField(step.input, 'command') },
    result: {
      ...step.result,
      result: { ...result, exit_code: result['return_code'] ?? result['exit_code'] },
    },
  })
}

function runSummary(step: Step): string {
  const { result } = step.result
  const script = textField(step.input, 'path')
  const exit = result['exit_code']
  const ended = typeof exit === 'number' ? `ended with exit code ${exit}` : 'ended'
  const stdout = firstLines(textField(result, 'stdout'))
  const stderr = firstLines(textField(result, 'stderr'))
  const sections = [
    stdout === '' ? 'It printed nothing.' : `First lines of its output:\n\n${fence(stdout)}`,
    stderr === '' ? '' : `First lines of its error output:\n\n${fence(stderr)}`,
  ]
  return [`\`${script}\` ${ended}.`, ...sections].filter((part) => part !== '').join('\n\n')
}

function closing(skill: string, round: readonly Step[]): string {
  const done = round.map(
    (step) =>
      ({ skills_list: 'the search', skills_load: 'the load', skills_read: 'the read' })[step.tool] ??
      'the request, the decision and the run',
  )
  const listed = done.length === 0 ? 'what happened in this chat' : [...new Set(done)].join(', ')
  return [
    SCRIPTED,
    `**Skills** shows ${skill}: its text, its files and which copy is used.`,
    `On record, in this order: ${listed}.`,
  ].join('\n')
}

function describeCall({ tool, input }: Step): string {
  const path = textField(input, 'path')
  if (tool === 'skills_run_script') return `Running \`${path}\``
  if (tool === 'skills_read') return `Reading \`${path}\``
  if (tool === 'Edit' || tool === 'Write') return `Changing \`${textField(input, 'file_path')}\``
  if (tool === 'Read') return `Reading \`${textField(input, 'file_path')}\``
  if (tool === 'Bash') return `Running \`${oneLine(textField(input, 'command')).slice(0, 100)}\``
  return tool === 'skills_load' ? `Loading ${namesOf(input['names'])}` : `\`${tool}\``
}

function namesOf(names: unknown): string {
  return Array.isArray(names) ? names.map((name) => `"${String(name)}"`).join(', ') : 'a skill'
}

function textField(record: Record<string, unknown>, name: string): string {
  const value = record[name]
  return typeof value === 'string' ? value : ''
}

function firstLines(text: string): string {
  const lines = text.trimEnd().split(/\r?\n/)
  const shown = lines.slice(0, MAX_LINES).join('\n').slice(0, MAX_CHARS)
  const cut = lines.length > MAX_LINES || text.trimEnd().length > MAX_CHARS
  return cut ? `${shown}\n…` : shown
}

function lastLines(text: string): string {
  const lines = text.trimEnd().split(/\r?\n/)
  const last = lines.slice(-MAX_LINES).join('\n')
  const cut = lines.length > MAX_LINES || last.length > MAX_CHARS
  return cut ? `…\n${last.slice(-MAX_CHARS)}` : last
}

function blockQuote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

/** A block that its content can't close. */
function fence(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([run]) => run.length))
  const mark = '`'.repeat(longest + 1)
  return `${mark}\n${text}\n${mark}`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
