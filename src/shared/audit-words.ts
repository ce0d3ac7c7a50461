import { AuditContext } from './domain/audit'
import type { AuditAction, AuditEvent } from './domain/audit'

/** An entry in words, the same in the window and in the command. */
export interface AuditWords {
  /** "Script ran". */
  event: string
  /** What it was done to, as it is written: a path, a name. */
  what: string
  /** What else to know of it; may be empty. */
  about: string
  by: string
  result: { text: string; tone: 'ok' | 'warn' | 'bad' | 'off' } | null
  /** Milliseconds that it took, or that a person took to decide. */
  ms: number | null
  decided: boolean
}

const EVENTS: Record<AuditAction, string> = {
  'skill.loaded': 'Skill loaded',
  'skill.unloaded': 'Skill unloaded',
  'skill.read': 'Skill file read',
  'skill.switched': 'Skill turned on or off',
  'skill.pinned': 'Copy chosen',
  'skill.saved': 'Saved in the editor',
  'skill.installed': 'Skill installed',
  'skill.edited': 'Skill edited',
  'skill.moved': 'Skill moved',
  'skill.deleted': 'Skill deleted',
  'skill.created': 'Skill made',
  'skill.copied': 'Skill copied',
  'skill.renamed': 'Skill renamed',
  'skill.restored': 'Skill restored',
  'trial.began': 'Trial began',
  'trial.ended': 'Trial ended',
  'proposal.created': 'Update proposed',
  'file.read': 'File read',
  'file.written': 'File written',
  'mcp.called': 'MCP tool called',
  'mcp.started': 'MCP server started',
  'mcp.failed': 'MCP server failed',
  'mcp.ended': 'MCP server ended',
  'request.created': 'Run requested',
  'request.allowed': 'Allowed',
  'request.denied': 'Denied',
  'request.auto_allowed': 'Allowed by rule',
  'request.auto_denied': 'Denied by rule',
  'request.superseded': 'Answered by a new rule',
  'rule.created': 'Rule made',
  'rule.changed': 'Rule changed',
  'rule.revoked': 'Rule revoked',
  'rule.disabled': 'Rule turned off',
  'mode.changed': 'Mode of a chat changed',
  'request.edited': 'Changed before an answer',
  'request.stale': 'Request out of date',
  'request.cancelled': 'Request cancelled',
  'request.expired': 'Nobody answered',
  'request.extended': 'Given more time',
  'request.refused': 'Answer refused',
  'run.started': 'Script started',
  'run.finished': 'Script ran',
  'record.doubted': 'The log is not as it was noted',
  'run.changes': 'Files changed',
  'run.undone': 'Changes taken back',
  'secret.saved': 'Secret saved',
  'secret.deleted': 'Secret deleted',
  'secret.granted': 'Secret given to a skill',
  'secret.revoked': 'Secret taken back',
  'host.granted': 'Host allowed for a skill',
  'host.revoked': 'Host taken back',
  'environment.prepared': 'Packages prepared',
  'environment.removed': 'Prepared packages removed',
  'agent.changed': 'Agent changed',
  'agent.confirmed': 'Agent’s tools confirmed',
  'agent.added': 'Agent file added',
  'agent.edited': 'Agent file changed',
  'agent.removed': 'Agent file removed',
  'agent.began': 'Subagent began',
  'agent.ended': 'Subagent ended',
  'project.trusted': 'Project trusted',
  'project.untrusted': 'Trust taken back',
  'settings.changed': 'Setting changed',
  'policy.changed': 'Policy changed',
  'provider.changed': 'Provider changed',
  'export.made': 'Export made',
  'security.blocked': 'Blocked',
}

function byOf({ action, actor, data }: AuditEvent, { agent, typed }: AuditContext): string {
  const isOfAgent = actor === 'agent' || action.startsWith('run.')
  if (actor === 'person' || (isOfAgent && typed === true)) return 'You'
  return isOfAgent ? (agent ?? 'Agent') : byApp(data)
}

/** What an entry says, for one line of a list. A kind that is not known yet is shown by its own name. */
export function auditWords(event: AuditEvent): AuditWords {
  const { action, actor, data } = event
  const context = contextOf(event)
  const decided = (action === 'request.allowed' || action === 'request.denied') && actor === 'person'
  const isRun = action.startsWith('run.')
  return {
    event: eventOf(event),
    what: isRun && context.skill !== undefined ? `${context.skill}/${event.target}` : event.target,
    about: aboutOf(event),
    by: byOf(event, context),
    result: resultOf(event),
    ms: numberOf(decided ? data['waitedMs'] : data['durationMs']),
    decided,
  }
}

/** The circumstances of an entry; of one from before they were kept, or damaged: nothing. */
export function contextOf({ data }: Pick<AuditEvent, 'data'>): AuditContext {
  return AuditContext.safeParse(data['context']).data ?? {}
}

function eventOf({ action, data }: AuditEvent): string {
  if (action === 'skill.switched') return data['on'] === true ? 'Skill turned on' : 'Skill turned off'
  if (action === 'skill.pinned' && data['key'] === null) return 'Choice of copy taken back'
  if (action === 'request.created') return REQUESTED[textOf(data['kind'])] ?? EVENTS[action]
  return isKnown(action) ? EVENTS[action] : action
}

/** What else than a run can be asked for. */
const REQUESTED: Record<string, string> = {
  file_edit: 'Change requested',
  mcp: 'MCP call requested',
}

const isKnown = (action: string): action is AuditAction => Object.hasOwn(EVENTS, action)

function aboutOf({ action, data }: AuditEvent): string {
  if (action === 'settings.changed') return `${shortOf(data['before'])} → ${shortOf(data['after'])}`
  if (action === 'export.made')
    return `${String(numberOf(data['rows']) ?? '')} rows, ${textOf(data['format'])}`
  const said = textOf(data['note']) || textOf(data['why'])
  const { unsaved } = contextOf({ data })
  const trial = unsaved === undefined ? '' : `unsaved text of ${unsaved}`
  return [trial, said].filter((part) => part !== '').join(', ')
}

function byApp(data: AuditEvent['data']): string {
  return typeof data['ruleId'] === 'string' ? 'Rule' : 'Satchel'
}

const RESULTS: Record<string, AuditWords['result']> = {
  'request.created': { text: 'Asked', tone: 'warn' },
  'request.allowed': { text: 'Allowed', tone: 'ok' },
  'request.auto_allowed': { text: 'Rule', tone: 'ok' },
  'request.denied': { text: 'Denied', tone: 'bad' },
  'request.auto_denied': { text: 'Denied', tone: 'bad' },
  'request.refused': { text: 'Refused', tone: 'bad' },
  'request.expired': { text: 'Expired', tone: 'off' },
  'request.cancelled': { text: 'Cancelled', tone: 'off' },
  'request.edited': { text: 'Edited', tone: 'warn' },
  'request.stale': { text: 'Changed', tone: 'warn' },
  'security.blocked': { text: 'Blocked', tone: 'warn' },
  'mcp.failed': { text: 'Failed', tone: 'bad' },
}

function resultOf({ action, data }: AuditEvent): AuditWords['result'] {
  if (action !== 'run.finished') return RESULTS[action] ?? null
  const exit = numberOf(data['exitCode'])
  const status = textOf(data['status'])
  if (status === 'succeeded') return { text: `Exit ${exit ?? 0}`, tone: 'ok' }
  if (status === 'failed' && exit !== null) return { text: `Exit ${exit}`, tone: 'bad' }
  return { text: STATUS[status] ?? status, tone: 'bad' }
}

const STATUS: Record<string, string> = {
  failed: 'Failed',
  timed_out: 'Time limit',
  killed: 'Stopped',
  interrupted: 'Interrupted',
}

function shortOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text === '' ? 'nothing' : text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
