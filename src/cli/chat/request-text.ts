import type { Finding, McpPlan, RequestDetail, RequestPlan, RunPlan } from '@shared/domain/approval'
import { ASKED_BY_PERSON } from '@shared/domain/approval'
import type { FileEditPlan } from '@shared/domain/approval'
import { lineDiff } from '@shared/line-diff'
import type { DiffLine } from '@shared/line-diff'
import { hostWords } from '@shared/network-host'
import { SCOPE_NAMES } from '@shared/scope-names'
import { RUN_ID, TRUSTED_FILES } from '@shared/run-facts'
import { displayArgv, visibleLine, visibleText } from '@shared/visible-text'
import { counted, shownLines } from '../terminal/output'
import type { Style } from '../terminal/output'

/** "Run scripts/extract.py from skill pdf-tools (project)": what Allow means, in one line. */
export function requestTitle(plan: RequestPlan): string {
  if (plan.kind === 'file_edit')
    return `${plan.mode === 'create' ? 'Create' : 'Change'} ${visibleLine(plan.path)}`
  if (plan.kind === 'mcp')
    return `Call ${visibleLine(plan.tool.name)} of MCP server ${visibleLine(plan.server.name)}`
  const { skill, script } = plan
  if (plan.kind === 'prepare') return `Prepare packages for skill ${visibleLine(skill?.name ?? '')}`
  if (!skill || !script) return 'Run a command'
  const what = plan.kind === 'hook' ? `hook ${visibleLine(script.path)}` : visibleLine(script.path)
  return `Run ${what} from skill ${visibleLine(skill.name)} (${SCOPE_NAMES[skill.scope]})`
}

/** Everything that must be seen before an answer (`approvals.md` 6): nothing of what would be done is cut. */
export function requestText(request: RequestDetail, style: Style): string {
  const { plan, findings, agentName, askReason } = request
  const lines = [
    style.paint('strong', `${requestTitle(plan)}?`),
    `${agentName === ASKED_BY_PERSON ? 'You asked for this run.' : `${visibleLine(agentName)} asks.`} ${visibleLine(askReason, 500)}`,
    ...changedLines(request, style),
    ...planLines(plan),
    ...wishLines(request),
    ...(findings.length === 0 ? ['Findings: none. That does not mean that it is safe.'] : ['Findings:']),
    ...findings.map((finding) => findingLine(finding, style)),
  ]
  return lines.join('\n')
}

const NO_SCRIPT = 'There is no script file: what stands above is all that is done.'

type OtherFile = RequestDetail['otherFiles'][number]

/** A file of a skill that a command names. */
function namedFile({ path, size, sha256, text }: OtherFile): string[] {
  const title = `${visibleLine(path)}, ${counted(size, 'byte')}, sha256 ${sha256}`
  return [title, ...(text === null ? ['  It is not text, or too long to show.'] : numbered(text))]
}

/** The script with its line numbers, what changed in it, and what else is in its skill. */
export function scriptText({ plan, script, previousText, otherFiles }: RequestDetail, style: Style): string {
  if (script === null) return [NO_SCRIPT, ...otherFiles.flatMap(namedFile)].join('\n')
  const title = `${visibleLine(plan.kind === 'mcp' || plan.kind === 'file_edit' ? '' : (plan.script?.path ?? ''))}, ${counted(script.bytes, 'byte')}, sha256 ${script.sha256}`
  if (script.text === null) {
    return `${style.paint('strong', title)}\nIt is not text, so it can't be shown. If you don't know this file, deny the request.`
  }
  const changes =
    previousText === null ? [] : lineDiff(previousText, script.text).filter(({ kind }) => kind !== 'same')
  return [
    style.paint('strong', title),
    ...numbered(script.text),
    ...(changes.length === 0 ? [] : [style.paint('strong', 'Changes since you last allowed it')]),
    ...changes.map((line) => diffLine(line, style)),
    ...(otherFiles.length === 0 ? [] : [style.paint('strong', 'Other files of the skill')]),
    ...otherFiles.map(({ path, size }) => `  ${visibleLine(path)}, ${counted(size, 'byte')}`),
  ].join('\n')
}

function changedLines({ changed, restored, onDisk }: RequestDetail, style: Style): string[] {
  const told = [
    changed ? `The script changed since you last allowed it (+${changed.added} −${changed.removed}).` : '',
    restored ? 'It waited while Satchel was closed, and is checked again before anything is done.' : '',
    onDisk === 'changed' ? 'The file changed on disk. Only the copy that the agent asked for can run.' : '',
    onDisk === 'gone' ? 'The skill is not on disk any more, or can not be read: this will not be done.' : '',
  ]
  return told.filter((text) => text !== '').map((text) => style.paint('warn', text))
}

function planLines(plan: RequestPlan): string[] {
  if (plan.kind === 'file_edit') return editLines(plan)
  return plan.kind === 'mcp' ? callLines(plan) : runLines(plan)
}

function runLines(plan: RunPlan): string[] {
  const { sandbox, interpreter, env, stdin, interactive } = plan
  const free = sandbox.backend === 'none'
  return [
    'Command:',
    ...displayArgv(plan.argv).map((words) => `  ${words.join(' ')}`),
    `Folder: ${visibleText(plan.cwd)}`,
    `Sandbox: ${free ? 'none: it can do everything that you can' : visibleText(sandbox.label)}`,
    `Network: ${free ? 'on' : networkWords(sandbox)}`,
    ...(free
      ? []
      : [`Can write: ${sandbox.writable.map((path) => visibleText(path)).join(', ') || 'nothing'}`]),
    ...(free || sandbox.writable.length === 0 ? [] : [`Can't write: ${TRUSTED_FILES}`]),
    `Interpreter: ${visibleText(interpreter.path)} ${visibleText(interpreter.version)}`.trimEnd(),
    `Environment: ${[...env.map(({ name }) => visibleText(name)), RUN_ID].join(', ')}`,
    `Stops after: ${plan.timeoutMs / 1000} s`,
    ...(stdin === null ? [] : ['Standard input:', ...indented(stdin)]),
    ...(plan.fullScreen
      ? ['It runs as a full-screen program: answer it in the window, where it can be drawn.']
      : []),
    ...(interactive && !plan.fullScreen ? ['It wants to be typed to, here, while it runs.'] : []),
  ]
}

/** Hosts that the script would not reach: why, and how a person gives them. */
function wishLines({ hosts }: RequestDetail): string[] {
  const lines = hosts
    .filter(({ state }) => state !== 'given')
    .map(({ host, state }) => `Asks for a host: ${visibleText(host)}: ${WISH[state]}`)
  const canBeGiven = hosts.some(({ state }) => state === 'not-given' || state === 'other')
  return canBeGiven ? [...lines, HOW_TO_GIVE] : lines
}

const WISH: Record<RequestDetail['hosts'][number]['state'], string> = {
  given: 'given',
  'not-given': 'not given',
  other: 'given before a file of the skill changed, so not now',
  refused: 'it names no host that can be allowed',
  policy: 'your organisation does not allow it',
  unavailable: 'this computer can not hold a run to some hosts',
}

const HOW_TO_GIVE =
  'Hosts can not be given in a terminal. To give one, let the skill run the script from a chat in the window of Satchel and ' +
  'click "Let it reach this host" in its review; it then counts here too, until a file of the skill changes.'

function networkWords({ network, hosts = [] }: RunPlan['sandbox']): string {
  return network === 'hosts' ? hosts.map((host) => visibleText(hostWords(host))).join('; ') : network
}

function editLines({ workspace, diff, after }: FileEditPlan): string[] {
  return [
    `Folder: ${visibleText(workspace)}`,
    `The file then has ${counted(after.bytes, 'byte')}. Exact change:`,
    ...diff.map((line) => diffLine(line, null)),
  ]
}

function callLines({ tool, arguments: given, timeoutMs }: McpPlan): string[] {
  return [
    'Arguments:',
    ...indented(JSON.stringify(given, null, 2)),
    `Claimed by the server: ${visibleLine(JSON.stringify(tool.annotations), 1000)}`,
    `Stops after: ${timeoutMs / 1000} s`,
  ]
}

function findingLine({ level, title, text, line }: Finding, style: Style): string {
  const where = line === undefined ? '' : ` (line ${line})`
  const said = `  ${level}: ${visibleLine(title)}${where}. ${visibleLine(text, 500)}`
  return level === 'information' ? said : style.paint(level === 'serious' ? 'bad' : 'warn', said)
}

function diffLine({ kind, before, after, text }: DiffLine, style: Style | null): string {
  const sign = kind === 'add' ? '+' : kind === 'del' ? '-' : ' '
  const said = `  ${String(before ?? '').padStart(5)} ${String(after ?? '').padStart(5)} ${sign} ${visibleText(text, '\t')}`
  if (style === null || kind === 'same') return said
  return style.paint(kind === 'add' ? 'good' : 'bad', said)
}

function numbered(text: string): string[] {
  const lines = shownLines(text.replace(/\r?\n$/, '')).split('\n')
  const width = String(lines.length).length
  return lines.map((line, at) => `  ${String(at + 1).padStart(width)}  ${line}`)
}

function indented(text: string): string[] {
  return shownLines(text)
    .split('\n')
    .map((line) => `  ${line}`)
}
