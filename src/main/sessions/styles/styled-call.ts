import type { Envelope } from '@shared/domain/session'
import { AppError } from '@shared/errors'
import { foldName } from '@shared/skill-md/skill-name'
import type { SkillRecord } from '../../skills/record'
import { failed, failedBy, succeeded } from '../turn/envelope'
import { skillDir } from '../instructions/prompt'
import { skillText } from '../instructions/skill-text'
import type { Tool, ToolContext, ToolOutcome } from '../tools/tool'
import { resolveHere, usableSkills } from '../instructions/usable-skills'
import { findStyleTool } from './all'
import { finderOf } from './ids'
import { renameTools } from './offer'
import type { CoreCall, SkillFacts, SkillFinder, Style, StyleTool } from './style'

/** The tool of a style as the executor calls it: the core tool does the work, the style shapes what comes back. */
export function styledTool(name: string, core: readonly Tool[]): Tool | null {
  const found = findStyleTool(name)
  if (!found) return null
  const { style, tool } = found
  return {
    spec: tool.spec(''),
    run: (context, input) => run({ style, tool, core, context }, input),
  }
}

/**
 * What a call asks of the core: the name and input of its tool. Calls of core tools are their own, with ids of skills
 * made names. Null when the input is not what the tool takes.
 */
export function coreCallOf(
  { deps, session }: Pick<ToolContext, 'deps' | 'session'>,
  call: { name: string; input: Record<string, unknown> },
): CoreCall | null {
  const found = findStyleTool(call.name)
  const finder = finderOf(usableSkills(deps, session))
  if (!found) return { tool: call.name, input: withNames(call.input, finder) }
  try {
    return found.tool.toCore(call.input, finder)
  } catch {
    return null // a wrong input: the tool itself says what is wrong with it
  }
}

/** The fields by which core tools name skills. */
function withNames(input: Record<string, unknown>, { nameOf }: SkillFinder): Record<string, unknown> {
  const { skill, names } = input
  const named = (value: unknown): unknown => (typeof value === 'string' ? nameOf(value) : value)
  return {
    ...input,
    ...(skill === undefined ? {} : { skill: named(skill) }),
    ...(Array.isArray(names) ? { names: names.map(named) } : {}),
  }
}

interface Styled {
  style: Style
  tool: StyleTool
  core: readonly Tool[]
  context: ToolContext
}

async function run(styled: Styled, input: unknown): Promise<ToolOutcome> {
  const { style, tool, core, context } = styled
  const skills = usableSkills(context.deps, context.session)
  const call = tool.toCore(input, finderOf(skills))
  const target = core.find(({ spec }) => spec.name === call.tool)
  if (!target) return { kind: 'result', envelope: failed('not_found', missing(call)) }
  const outcome = await runCore(target, context, call.input)
  if (outcome.kind === 'waiting') return outcome
  const { envelope } = outcome
  if (!envelope.success) {
    const unknown = call.tool === 'skills_load' && isUnknown(context, call)
    const error = tool.shapeError?.({ input, call, envelope, unknown }) ?? envelope.error ?? ''
    const specs = core.map(({ spec }) => spec)
    return { ...outcome, envelope: { ...envelope, error: renameTools(style, specs, error) } }
  }
  // What a skill did in a chat of its own has one shape in every style.
  if (isForked(envelope)) return outcome
  const result = tool.shape({
    input,
    call,
    result: asRecord(envelope.result),
    skill: call.tool === 'skills_load' ? await loadedSkill(context, call, envelope) : null,
  })
  return { ...outcome, envelope: { ...envelope, ...pick(succeeded(result)) } }
}

/** What a tool throws for the model to know is a result like any other: it is shaped too. */
async function runCore(target: Tool, context: ToolContext, input: unknown): Promise<ToolOutcome> {
  try {
    return await target.run(context, input)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { kind: 'result', envelope: failedBy(error) }
  }
}

function pick({ result, tokens_used }: Envelope) {
  return { result, tokens_used }
}

function missing({ tool }: CoreCall): string {
  return `There is no tool "${tool}" here. Go on without it.`
}

function isUnknown({ deps, session }: ToolContext, call: CoreCall): boolean {
  const found = resolveHere(deps, session, firstName(call))
  return !found.ok && found.code === 'not_found' && !/ is off: | is not available here: /.test(found.message)
}

/** The skill that a load was about, with its text as it was loaded; tags of ours in it are made harmless. */
async function loadedSkill(
  { deps, session }: ToolContext,
  call: CoreCall,
  envelope: Envelope,
): Promise<SkillFacts | null> {
  const found = resolveHere(deps, session, firstName(call))
  const record = found.ok ? found.record : found.byHand
  const name = record?.name ?? firstName(call)
  const receipt = activeIn(envelope).findLast((active) => foldName(active.name) === foldName(name))
  if (!receipt) return null
  const { body, frontmatter } = await deps.bodies.get(receipt.digest.replace(/^sha256:/, ''), receipt.name)
  return {
    ...recordFacts(record, receipt.name),
    name: receipt.name,
    scope: receipt.scope,
    dir: skillDir(receipt.name),
    body: skillText(body, { dir: skillDir(receipt.name), args: argsOf(call) }),
    frontmatter,
    tokens: receipt.tokens,
  }
}

/** What only the registry knows, which may have lost the skill by now. */
function recordFacts(record: SkillRecord | undefined, name: string) {
  if (!record) return { description: '', inProject: false, folder: name, requires: [] }
  const { description, projectDir, folder, requires } = record
  return { description, inProject: projectDir !== null, folder, requires }
}

type Receipt = Pick<SkillFacts, 'name' | 'scope' | 'tokens'> & { digest: string }

function activeIn({ result }: Envelope): Receipt[] {
  const list = asRecord(result)['active_skills']
  return Array.isArray(list) ? (list as Receipt[]) : []
}

function firstName({ input }: CoreCall): string {
  const names = input['names']
  const first: unknown = Array.isArray(names) ? names[0] : undefined
  return typeof first === 'string' ? first : ''
}

function isForked({ result }: Envelope): boolean {
  return typeof asRecord(result)['session_id'] === 'string'
}

function argsOf({ input: { args } }: CoreCall): string | undefined {
  return typeof args === 'string' ? args : undefined
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}
