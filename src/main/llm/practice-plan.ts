import { filesNamed, planFromBody, type BodyPlan } from './practice-body'
import { isNamed, rankSkills, saysNothing, type Match } from './practice-match'
import type { ActiveBody, PracticeView, Step } from './practice-view'
import { planWork } from './practice-work'
import { failure, nothingFits, SCRIPTED, summary } from './practice-words'

/** One answer of the practice agent: words, then at most one call. */
export interface PracticeMove {
  text: string
  call?: { name: string; input: Record<string, unknown> }
}

/**
 * The next move: a change or a command that the message itself names; else, in a fixed order, load the skill that fits,
 * read the file it names, run the script it names, report.
 */
export function planMove(view: PracticeView): PracticeMove {
  const failed = view.round.find((step) => !step.result.success && step.tool !== 'skills_read')
  if (failed) return { text: failure(failed) }
  const ended = forkResult(view)
  if (ended !== null) return { text: `The skill worked in a chat of its own. It ended with:\n\n${ended}` }
  const work = planWork(view)
  if (work) return work
  if (!view.tools.has('skills_load')) {
    return { text: `There are no skills in this chat, so there is nothing to do.\n\n${SCRIPTED}` }
  }
  const target = chooseTarget(view)
  if (!target && maySearch(view)) return search(view)
  if (!target) return { text: nothingFits(view.catalogue.map((entry) => entry.name)) }
  const active = view.active.findLast((skill) => skill.name === target.name)
  return active ? useSkill(view, active) : loadSkill(view, target)
}

/** What a skill with `context: fork` ended with: the result of its load, or what stands behind the person's words. */
function forkResult({ round, userText }: PracticeView): string | null {
  const worked = round.findLast(({ tool, result }) => tool === 'skills_load' && 'session_id' in result.result)
  const output = worked?.result.result['output']
  if (worked) return typeof output === 'string' ? output : ''
  return /\n<fork_result>\n([\s\S]*)\n<\/fork_result>$/.exec(userText)?.[1] ?? null
}

/** What was loaded for this message stays the choice; else what is tried, the best match, or the last for "again". */
function chooseTarget(view: PracticeView): Match | null {
  const loaded = view.round.find((step) => step.tool === 'skills_load')
  if (loaded) return { name: firstName(loaded), score: 0, words: [] }
  const ranked = rankSkills(candidates(view), view.userText)
  const [best, ...others] = ranked
  if (view.tried !== null && !ranked.some(isNamed)) return { name: view.tried, score: 0, words: [] }
  const last = view.active.at(-1)
  if (last && saysNothing(view.userText)) return { name: last.name, score: 0, words: [] }
  if (!best) return null
  const isActive = (match: Match) => view.active.some((skill) => skill.name === match.name)
  return [best, ...others].find((match) => match.score === best.score && isActive(match)) ?? best
}

/** Once for a message, and only where the list may lack what is wanted. */
function maySearch(view: PracticeView): boolean {
  return (
    view.hasMore && view.tools.has('skills_list') && !view.round.some(({ tool }) => tool === 'skills_list')
  )
}

function search(view: PracticeView): PracticeMove {
  return {
    text: 'The list does not show every skill. Looking for one with the words of the message.',
    call: { name: 'skills_list', input: { query: view.userText.slice(0, 500) } },
  }
}

/** The catalogue, and active skills that it doesn't list. */
function candidates(view: PracticeView) {
  const listed = new Set(view.catalogue.map((entry) => entry.name))
  const unlisted = view.active.filter((skill) => !listed.has(skill.name))
  return [...view.catalogue, ...unlisted.map(({ name }) => ({ name, description: '' }))]
}

function loadSkill(view: PracticeView, target: Match): PracticeMove {
  if (view.round.some((step) => step.tool === 'skills_load')) {
    return {
      text: `**${target.name}** was loaded, but its text is not in the instructions, so there is nothing to follow.\n\n${SCRIPTED}`,
    }
  }
  const why =
    target.words.length > 0
      ? `It shares ${listWords(target.words)} with the message.`
      : target.name === view.tried
        ? 'It is what is tried here.'
        : 'It is named.'
  return {
    text: `**${target.name}** fits best. ${why} Loading it.`,
    call: { name: 'skills_load', input: { names: [target.name] } },
  }
}

function useSkill(view: PracticeView, skill: ActiveBody): PracticeMove {
  const plan = planFromBody(skill.body)
  const ran = view.round.some((step) => step.tool === 'skills_run_script')
  if (!ran && plan.file !== null && wantsReading(view, skill.name, plan.file)) {
    return {
      text: `The text of **${skill.name}** names \`${plan.file}\`. Reading it.`,
      call: { name: 'skills_read', input: { path: plan.file, skill: skill.name } },
    }
  }
  if (!ran && plan.script !== null && view.tools.has('skills_run_script')) {
    return runScript(view, skill.name, { ...plan, script: plan.script })
  }
  return { text: summary(skill.name, skill.body, view.round) }
}

/** Once in a chat is enough: what was read is still in the messages. */
function wantsReading(view: PracticeView, skill: string, path: string): boolean {
  if (!view.tools.has('skills_read') || view.round.some((step) => step.tool === 'skills_read')) return false
  return !view.earlier.some(
    ({ tool, input, result }) =>
      tool === 'skills_read' && result.success && input['path'] === path && input['skill'] === skill,
  )
}

function runScript(view: PracticeView, skill: string, plan: BodyPlan & { script: string }): PracticeMove {
  const { script } = plan
  const base = script.slice(script.lastIndexOf('/') + 1)
  // "/word-tally data.csv" calls the skill: that is no file of the disk's root.
  const isSkill = (name: string): boolean => name.replace(/@[\w-]+$/, '') === `/${skill}`
  const args = plan.scriptTakesFiles
    ? filesNamed(view.userText).filter((name) => name !== script && name !== base && !isSkill(name))
    : []
  const withFiles = args.length === 0 ? '' : ` with ${args.map((name) => `\`${name}\``).join(' ')}`
  return {
    text: `The text of **${skill}** names the script \`${script}\`. Asking to run it${withFiles}.`,
    call: {
      name: 'skills_run_script',
      input: { path: script, skill, ...(args.length === 0 ? {} : { args }) },
    },
  }
}

function firstName(step: Step): string {
  const names = step.input['names']
  const first: unknown = Array.isArray(names) ? names[0] : undefined
  return typeof first === 'string' ? first : ''
}

function listWords(words: readonly string[]): string {
  return words
    .slice(0, 4)
    .map((word) => `"${word}"`)
    .join(', ')
}
