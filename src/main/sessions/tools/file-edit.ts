import type { FileEditPlan, Finding } from '@shared/domain/approval'
import type { FileChange } from '@shared/domain/file-change'
import { AppError } from '@shared/errors'
import { diffCounts } from '@shared/line-diff'
import { editFindings } from '../../approvals/findings/edit-findings'
import type { NewRequest } from '../../approvals/broker'
import { getFileRead, setFileRead } from '../../db/file-read-rows'
import type { RequestRow } from '../../db/request-rows'
import { planHash } from '../../lib/plan-hash'
import { wellFormed } from '../../lib/well-formed'
import { fileChange } from '../../workspace/file-change'
import { locateForWriting, type Place } from '../../workspace/place'
import { readFileAt, type ReadFile } from '../../workspace/read-file'
import { editableText } from '../../workspace/text-file'
import { writeFileAt } from '../../workspace/write-file'
import { agentOf, toolSetting } from '../agent/agent'
import { failed, succeeded } from '../turn/envelope'
import { newRequest, type Asked } from '../requests/new-request'
import { isRuled } from '../requests/rule-verdict'
import { askFirst } from './ask-first'
import { workspaceFor } from './file-target'
import type { ToolContext, ToolOutcome } from './tool'

/** What a tool wants a file to be: its new text, of the text that it has; null: there is no such file. */
export interface WantedEdit {
  file_path: string
  next(before: string | null, path: string): string
}

const MAX_FILE = 1_000_000

/** Writes a file when the person has allowed exactly this change, or lets this agent write without asking. */
export async function changeFile(context: ToolContext, wanted: WantedEdit): Promise<ToolOutcome> {
  if (context.call.requestId === null && mayWrite(context)) {
    const edited = await editedFile(context, wanted)
    const request = requestOf(context, edited)
    const isSerious = request.findings.some(({ level }) => level === 'serious')
    if (!isSerious && !isRuled(context.deps, context.session, request))
      return write(context, edited, () => undefined)
  }
  const steps = { prepare: prepareEdit, carryOut: writeEdit, afterLoss: async () => LOST }
  return askFirst(steps, context, wanted)
}

function mayWrite({ deps, session, call }: ToolContext): boolean {
  return toolSetting(agentOf(deps, session), call.name) === 'allow'
}

/** The request for a change, from the file as it is now. Throws `stale` when the agent has not seen these bytes. */
export async function prepareEdit(asked: Asked, wanted: WantedEdit): Promise<NewRequest> {
  return requestOf(asked, await editedFile(asked, wanted))
}

function requestOf(asked: Asked, edited: Edited): NewRequest {
  return newRequest(asked, {
    plan: planOf(edited),
    findings: findingsOf(edited),
    askReason: 'Every change of a file is asked for.',
    reviewRequired: true,
  })
}

function findingsOf({ before, change }: Edited): Finding[] {
  return editFindings({
    change,
    executable: before !== null && (before.keeps.mode & 0o111) !== 0,
    hardLinked: before !== null && before.links > 1,
  })
}

const LOST: ToolOutcome = {
  kind: 'result',
  state: 'interrupted',
  envelope: failed(
    'interrupted',
    'The change was allowed, but whether it was written could not be saved. It is not made again by itself. Read the file before you go on.',
  ),
}

interface Edited {
  place: Place
  before: ReadFile | null
  text: string
  change: FileChange
}

async function editedFile(asked: Asked, { file_path, next }: WantedEdit): Promise<Edited> {
  const place = await locateForWriting(await workspaceFor(asked), file_path)
  const before = place.exists ? await readFileAt(place, MAX_FILE) : null
  if (before) checkSeen(asked, place, before)
  const old = before && editableText(place.path, before.bytes)
  const text = wellFormed(next(old, place.path))
  if (Buffer.byteLength(text) > MAX_FILE) {
    throw new AppError('too_large', `"${place.path}" would have more than 1 MB. Write smaller files.`)
  }
  return { place, before, text, change: fileChange(place.path, old, text) }
}

/** Nobody edits what they have not read: the bytes may mean something else by now. */
function checkSeen({ deps, session }: Asked, { path }: Place, { sha256 }: ReadFile): void {
  const seen = getFileRead(deps.db.sql, session.id, path)
  if (seen === sha256) return
  const why = seen === null ? 'was not read in this chat' : 'changed since it was read'
  throw new AppError('stale', `"${path}" ${why}, so it is not changed. Read it with Read, then try again.`)
}

function planOf({ place, change }: Edited): FileEditPlan {
  return { ...change, version: 1, kind: 'file_edit', workspace: place.workspace.root }
}

/** The file is looked at again: only the very change that was allowed is made. */
async function writeEdit(
  context: ToolContext,
  request: RequestRow,
  wanted: WantedEdit,
): Promise<ToolOutcome> {
  const edited = await editedFile(context, wanted)
  if (planHash(planOf(edited)) !== request.planHash) {
    throw new AppError(
      'stale',
      `"${edited.place.path}" changed since it was allowed. Nothing was written. Read it again.`,
    )
  }
  const { deps } = context
  return write(context, edited, () =>
    deps.db.durable(() => void deps.broker.claim(request.id, request.planHash)),
  )
}

/** `commit` is called before the file changes, and may refuse by throwing. */
async function write(context: ToolContext, edited: Edited, commit: () => void): Promise<ToolOutcome> {
  const contents = {
    bytes: Buffer.from(edited.text),
    before: edited.before?.sha256 ?? null,
    keeps: edited.before?.keeps ?? null,
    notes: context.deps.writingDir,
  }
  await writeFileAt(edited.place, contents, commit)
  return written(context, edited)
}

function written({ deps, session, call }: ToolContext, { change }: Edited): ToolOutcome {
  const { path, mode, after } = change
  return {
    kind: 'result',
    envelope: succeeded({ path, mode, ...diffCounts(change.diff), size: after.bytes }),
    change,
    record() {
      setFileRead(deps.db.sql, session.id, { path, sha256: after.sha256 })
      deps.audit.append({
        actor: 'agent',
        action: 'file.written',
        sessionId: session.id,
        target: path,
        data: { mode, before: change.before?.sha256 ?? null, after: after.sha256, step: call.step },
      })
    },
  }
}
