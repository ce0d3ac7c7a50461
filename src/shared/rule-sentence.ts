import { runPlanOf, type RequestPlan } from './domain/approval'
import type { ArgScope } from './domain/arg-scope'
import type { RuleDraft } from './domain/rule'

/** A piece of a rule's sentence: plain words, a fact of the rule, or one that a person can change. */
export interface SentencePart {
  text: string
  kind: 'words' | 'fact' | 'args' | 'expiry'
}

export const ARG_WORDS: Readonly<Record<ArgScope, string>> = {
  exact: 'these exact arguments',
  flags: 'the same flags, any values',
  anyArgs: 'any arguments',
}

/**
 * What a rule says, made from the rule itself and from nothing else (`approvals.md` 7). `day` writes a date; names are
 * as they are and must be made visible where they are drawn.
 */
export function ruleSentence(rule: RuleDraft, day: (at: number) => string): SentencePart[] {
  return [
    words(`${EFFECTS[rule.effect]} `),
    ...subjectOf(rule),
    ...placeOf(rule),
    ...reachOf(rule),
    ...lifeOf(rule, day),
    words('.'),
  ]
}

/** The same as one text. */
export function ruleText(rule: RuleDraft, day: (at: number) => string): string {
  return ruleSentence(rule, day)
    .map(({ text }) => text)
    .join('')
}

const EFFECTS: Readonly<Record<RuleDraft['effect'], string>> = {
  allow: 'Allow',
  ask: 'Always ask about',
  deny: 'Deny',
}

function subjectOf({ match, example }: RuleDraft): SentencePart[] {
  if ('fingerprint' in match) {
    return example ? exampleOf(example, match.shape) : [fact('what can’t be read any more')]
  }
  if (match.shape === 'tool') return toolOf(match.tool, match.path)
  if (match.shape === 'command') {
    return [words('commands that begin with '), fact(match.words.join(' ')), words(',')]
  }
  if (match.shape === 'author') {
    return [words('scripts of '), fact(match.skill), words(' that you saved in the editor,')]
  }
  if (match.shape === 'skill') return [words('everything that '), fact(match.skill), words(' runs,')]
  return [fact(lastPart(match.path)), words(' from '), fact(match.skill), words(', whatever its contents,')]
}

function toolOf(tool: string, path: string | undefined): SentencePart[] {
  if (path !== undefined) return [words('changes of '), fact(path), words(',')]
  return [words('every use of '), fact(tool), words(',')]
}

function exampleOf(plan: RequestPlan, args: ArgScope): SentencePart[] {
  if (plan.kind === 'file_edit') return [words('this change of '), fact(plan.path)]
  if (plan.kind === 'mcp') {
    return [fact(plan.tool.name), words(' from '), fact(plan.server.name), words(' with '), argsPart(args)]
  }
  if (!plan.skill || !plan.script) {
    return [words('the command '), fact(plan.argv.at(-1) ?? ''), words(' and no other')]
  }
  const { skill, script } = plan
  return [
    ...(plan.kind === 'hook' ? [words('the hook ')] : []),
    fact(lastPart(script.path)),
    words(` (sha256 ${script.sha256.slice(0, 4)}…) from `),
    fact(skill.name),
    words(' with '),
    argsPart(args),
  ]
}

function argsPart(args: ArgScope): SentencePart {
  return { text: ARG_WORDS[args], kind: 'args' }
}

function placeOf({ project, agent }: RuleDraft): SentencePart[] {
  const where = placeWords(project)
  const who = agent === null ? [words(', every agent')] : [words(', agent '), fact(agent.label)]
  return [...where, ...who]
}

function placeWords(project: RuleDraft['project']): SentencePart[] {
  if (project === null) return [words(' in every project')]
  return project.dir === null
    ? [words(' in chats without a project')]
    : [words(' in '), fact(lastPart(project.dir))]
}

function reachOf({ effect, example, match }: RuleDraft): SentencePart[] {
  if (match.shape === 'author') return [words(', in the sandbox, '), fact('network off')]
  const run = effect === 'allow' && example ? runPlanOf(example) : null
  return run ? [words(', '), fact(`network ${run.sandbox.network}`)] : []
}

function lifeOf({ effect, lifetime, expiresAt }: RuleDraft, day: (at: number) => string): SentencePart[] {
  if (lifetime === 'chat') return [words(', '), fact('in this chat only')]
  if (effect !== 'allow') return []
  const end = expiresAt === null ? 'it changes' : day(expiresAt)
  return [words(', until '), { text: end, kind: 'expiry' }]
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function words(text: string): SentencePart {
  return { text, kind: 'words' }
}

function fact(text: string): SentencePart {
  return { text, kind: 'fact' }
}
