import {
  runPlanOf,
  type RequestDetail,
  type RequestPlan,
  type RequestSummary,
  type RunPlan,
} from '@shared/domain/approval'
import type { Db } from '../db/open'
import { isNamedIn } from './named-files'
import { lastApproval, lastDecision, runCounts, type RequestRow } from '../db/request-rows'

/** Reads of the content-addressed snapshots, given by the skills part. */
export interface SnapshotReader {
  read(digest: string, path: string): Promise<Uint8Array>
  files(digest: string): Promise<SnapshotFile[]>
  /** Digest of the skill's folder as it is now, or null when it is gone. */
  current(skillKey: string): Promise<string | null>
}

interface SnapshotFile {
  path: string
  size: number
  sha256: string
}

/** Above this a file's text is not sent with the review; its size is shown. */
const OTHER_FILE_LIMIT = 100_000
const OTHER_FILES_SHOWN = 200

export function toSummary(row: RequestRow, sessionTitle: string): RequestSummary {
  return {
    id: row.id,
    revision: row.revision,
    sessionId: row.sessionId,
    sessionTitle,
    callId: row.callId,
    status: row.status,
    plan: row.plan,
    planHash: row.planHash,
    findings: row.findings,
    askReason: row.askReason,
    reviewRequired: row.reviewRequired,
    changed: row.changed,
    restored: row.restored,
    agentName: row.agentName,
    createdAt: row.createdAt,
    decidedAt: row.decidedAt,
    decidedBy: row.decidedBy,
    note: row.note,
    ruleText: row.ruleText,
  }
}

/** Everything the review shows, read from the snapshot that would run, never from the live folder. */
export async function toDetail(
  deps: { db: Db; snapshots: SnapshotReader },
  row: RequestRow,
  { sessionTitle, remember }: Pick<RequestDetail, 'sessionTitle' | 'remember'>,
): Promise<Omit<RequestDetail, 'secrets' | 'hosts' | 'undo'>> {
  const { skill, script } = scriptOf(row.plan)
  const base = { ...toSummary(row, sessionTitle), lastUserMessage: row.lastUserMessage, remember }
  if (!skill || !script) {
    return {
      ...base,
      script: null,
      previousText: null,
      otherFiles: await namedFiles(deps.snapshots, row.plan),
      before: { runs: 0, succeeded: 0, lastDecision: null },
      onDisk: 'same',
    }
  }
  const text = asText(await deps.snapshots.read(skill.treeDigest, script.path))
  return {
    ...base,
    script: { text, bytes: script.bytes, sha256: script.sha256 },
    previousText: await previousText(deps, row),
    otherFiles: await otherFiles(deps.snapshots, skill.treeDigest, script.path),
    before: before(deps.db, row),
    onDisk: row.status === 'pending' ? await onDisk(deps.snapshots, skill) : 'same',
  }
}

async function onDisk(
  snapshots: SnapshotReader,
  { key, treeDigest }: { key: string; treeDigest: string },
): Promise<RequestDetail['onDisk']> {
  const digest = await snapshots.current(key)
  if (digest === null) return 'gone'
  return digest === treeDigest ? 'same' : 'changed'
}

/** Text of the copy that was allowed last, when its contents differ; null when it is gone or binary. */
export async function previousText(
  deps: { db: Db; snapshots: SnapshotReader },
  row: Pick<RequestRow, 'plan'>,
): Promise<string | null> {
  const { skill, script } = scriptOf(row.plan)
  if (!skill || !script) return null
  const last = scriptOf(lastApproval(deps.db.sql, skill.key, script.path)?.plan)
  if (!last.skill || last.script?.sha256 === script.sha256) return null
  try {
    return asText(await deps.snapshots.read(last.skill.treeDigest, script.path))
  } catch {
    return null // the old snapshot was removed: the review then shows the whole script
  }
}

async function otherFiles(
  snapshots: SnapshotReader,
  digest: string,
  scriptPath: string,
): Promise<RequestDetail['otherFiles']> {
  const files = (await snapshots.files(digest)).filter((file) => file.path !== scriptPath)
  return withTexts(files.map((file) => ({ file, read: () => snapshots.read(digest, file.path) })))
}

/** What a command names of the skills that are mounted for it; their digests are part of its plan. */
async function namedFiles(
  snapshots: SnapshotReader,
  plan: RequestPlan,
): Promise<RequestDetail['otherFiles']> {
  if (plan.kind !== 'shell') return []
  const command = plan.argv.at(-1) ?? ''
  const named: Readable[] = []
  for (const { name, treeDigest } of plan.mounts) {
    for (const file of await snapshots.files(treeDigest)) {
      if (!isNamedIn(command, file.path)) continue
      const read = () => snapshots.read(treeDigest, file.path)
      named.push({ file: { ...file, path: `${name}/${file.path}` }, read })
    }
  }
  return withTexts(named)
}

interface Readable {
  file: SnapshotFile
  read: () => Promise<Uint8Array>
}

async function withTexts(files: readonly Readable[]): Promise<RequestDetail['otherFiles']> {
  // The whole answer stays well under what a port should carry at once.
  let budget = 600_000
  const shown: RequestDetail['otherFiles'] = []
  for (const { file, read } of files.slice(0, OTHER_FILES_SHOWN)) {
    const { path, size, sha256 } = file
    const fits = file.size <= OTHER_FILE_LIMIT && file.size <= budget
    if (fits) budget -= file.size
    shown.push({ path, size, sha256, text: fits ? asText(await read()) : null })
  }
  return shown
}

function before(db: Db, row: RequestRow): RequestDetail['before'] {
  const { skill, script } = scriptOf(row.plan)
  if (!skill || !script) return { runs: 0, succeeded: 0, lastDecision: null }
  const last = lastDecision(db.sql, skill.key, script.path)
  return {
    ...runCounts(db.sql, skill.key, script.path),
    lastDecision: last
      ? {
          choice: last.status,
          at: last.decidedAt ?? last.createdAt,
          sameContents: scriptOf(last.plan).skill?.treeDigest === skill.treeDigest,
        }
      : null,
  }
}

/** The skill and the script of a plan that has them. */
function scriptOf(plan: RequestPlan | undefined): Partial<Pick<RunPlan, 'skill' | 'script'>> {
  return (plan && runPlanOf(plan)) ?? {}
}

/** null when the bytes are not text: the review then says so instead of showing something else. */
function asText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null // not UTF-8: shown as binary
  }
}
