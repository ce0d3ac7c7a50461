import { runPlanOf, type RequestPlan } from '@shared/domain/approval'
import type { Rule, RuleMatch } from '@shared/domain/rule'
import { RULE_TOOLS } from '@shared/request-kinds'
import type { Facts } from './decide'
import { beginsWith } from './command-words'
import { argumentsOf, fingerprint, isOpenArgument } from './fingerprint'

/** Whether a rule that is on means this request. `unsure` only for denying and asking rules. */
export function matches(rule: Rule, facts: Facts, now: number): 'yes' | 'no' | 'unsure' {
  if (rule.state !== 'on' || (rule.expiresAt !== null && rule.expiresAt <= now)) return 'no'
  if (!isForAgent(rule, facts) || !isForChat(rule, facts)) return 'no'
  return isAbout(rule, facts)
}

function isForAgent({ agent, project }: Rule, facts: Facts): boolean {
  if (agent !== null && agent.key !== facts.agent.key) return false
  return project === null || project.dir === facts.projectDir
}

/** An answer for one chat does not pass down to those that it begins; a refusal does. */
function isForChat({ lifetime, chatId, effect }: Rule, facts: Facts): boolean {
  if (lifetime === 'always') return true
  if (chatId === null) return false
  return chatId === facts.chatId || (effect !== 'allow' && facts.outerChats.includes(chatId))
}

function isAbout({ effect, match, project }: Rule, facts: Facts): 'yes' | 'no' | 'unsure' {
  if ('fingerprint' in match) {
    // An allowing rule is for one agent and one place, or it is none.
    if (effect !== 'allow' || project === null) return 'no'
    return yes(fingerprint(facts.plan, match.shape, facts.projectDir) === match.fingerprint)
  }
  if (match.shape === 'author') return yes(effect === 'allow' && isAuthored(match, facts.plan))
  return effect === 'allow' ? 'no' : isStrict(match, facts)
}

/**
 * A script whose own bytes were saved in the editor, in a tree without a file that the person never saved or allowed
 * (decision 41), with arguments that a rule with open ones would take.
 */
function isAuthored(match: Extract<RuleMatch, { shape: 'author' }>, plan: RequestPlan): boolean {
  if (plan.kind !== 'script' || plan.skill?.key !== match.key || !plan.script) return false
  const { treeDigest } = plan.skill
  if (treeDigest === match.base || !match.covered.includes(treeDigest)) return false
  return match.saved.includes(plan.script.sha256) && argumentsOf(plan).every(isOpenArgument)
}

type Strict = Exclude<RuleMatch, { fingerprint: string } | { shape: 'author' }>

function isStrict(match: Strict, { plan, tool }: Facts): 'yes' | 'no' | 'unsure' {
  if (match.shape === 'tool') return yes(isTool(match.tool, tool, plan) && isUnder(match.path, plan))
  if (match.shape === 'command') {
    return plan.kind === 'shell' ? beginsWith(plan.argv.at(-1) ?? '', match.words) : 'no'
  }
  return yes(isOfSkill(match, plan))
}

function isOfSkill(match: Extract<Strict, { skill: string }>, plan: RequestPlan): boolean {
  const run = runPlanOf(plan)
  if (!run?.skill) return false
  const isSkill = match.key === undefined ? run.skill.name === match.skill : run.skill.key === match.key
  return isSkill && (match.shape === 'skill' || run.script?.path === match.path)
}

/** By any of the names that a call may use; a server's name means all of its tools. */
export function isTool(wanted: string, tool: string, plan: RequestPlan): boolean {
  const name = wanted.toLowerCase().replace(/(?:__)?\*$/, '')
  if (plan.kind === 'mcp') {
    const own = tool.toLowerCase()
    return name === '' || name === 'mcp' || own === name || own.startsWith(`${name}__`)
  }
  return name === '' || RULE_TOOLS[plan.kind].includes(name) || tool.toLowerCase() === name
}

/** A file or everything under a folder, both relative to the project. */
function isUnder(path: string | undefined, plan: RequestPlan): boolean {
  if (path === undefined) return true
  if (plan.kind !== 'file_edit') return false
  // Case is looked over: on many disks both spellings are one file, and this only makes a rule stricter.
  const wanted = path.replace(/\/+$/, '').normalize('NFC').toLowerCase()
  const own = plan.path.normalize('NFC').toLowerCase()
  return own === wanted || own.startsWith(`${wanted}/`)
}

function yes(isSo: boolean): 'yes' | 'no' {
  return isSo ? 'yes' : 'no'
}
