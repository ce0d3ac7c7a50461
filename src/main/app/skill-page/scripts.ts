import type { ScriptView, SkillScripts } from '@shared/domain/skill-page'
import { runPlanOf } from '@shared/domain/approval'
import type { RuleView } from '@shared/domain/rule'
import type { InterpreterView } from '@shared/domain/settings'
import { AppError } from '@shared/errors'
import { INTERPRETER_NAMES, scriptKind } from '@shared/script-kind'
import { findFindings } from '../../approvals/findings'
import { declaredNeeds } from '../../approvals/needs'
import { sentenceOf, type Rules } from '../../approvals/rules/rules'
import type { Connection } from '../../db/open'
import { runCounts } from '../../db/request-rows'
import { firstAndLastAllowed, lastRuns } from '../../db/skill-use-rows'
import type { Runs } from '../../runs/types'
import { needFindingsBefore, saysNeeds } from '../../sessions/requests/need-findings'
import { OTHER_FILE_BYTES, OTHER_FILES, asText, bySeverity } from '../../sessions/requests/run-findings'
import type { SkillRecord } from '../../skills/record'
import { readStart } from '../../skills/store/safe-read'
import type { Store, TreeState } from '../../skills/store/store'
import { listTree } from '../../skills/store/tree'
import type { TreeFile } from '../../skills/store/tree'

export interface ScriptDeps {
  sql: Connection
  store: Pick<Store, 'inspect'>
  runs: Pick<Runs, 'interpreters' | 'sandbox'>
  rules: Pick<Rules, 'list'>
  /** Folders whose files of rules count too. */
  projectDirs: readonly string[]
}

const MAX_FILES = 2000
const MAX_SCRIPTS = 100
/** Of a larger script the rest is not looked at here; before a run all of it is. */
const MAX_LOOKED = 1024 * 1024
const LAST_RUNS = 5

interface Script {
  file: TreeFile
  bytes: Buffer
}

interface Around {
  deps: ScriptDeps
  record: SkillRecord
  /** What is on disk now; null: it can't be read whole. */
  state: TreeState | null
  interpreters: readonly InterpreterView[]
  rules: readonly RuleView[]
  others: readonly { path: string; text: string | null }[]
  files: readonly TreeFile[]
  /** Those that say what scripts need. */
  declaring: readonly { path: string; text: string | null }[]
  skillMd: string | null
}

/** Every script of a copy with what is known of it before anybody asks to run it. */
export async function skillScripts(deps: ScriptDeps, record: SkillRecord): Promise<SkillScripts> {
  if (record.unread) return { scripts: [], cut: false, treeDigest: '' }
  const { files } = listTree(record.rootDir, { maxFiles: MAX_FILES, allowHardLinks: true })
  const scripts = files.flatMap((file): Script[] => {
    return scriptKind(file.path, firstLine(readStart(file.real, 500)))
      ? [{ file, bytes: readStart(file.real, MAX_LOOKED) }]
      : []
  })
  const around: Around = {
    deps,
    record,
    state: await inspected(deps, record),
    interpreters: scripts.length === 0 ? [] : await deps.runs.interpreters(),
    rules: deps.rules.list(deps.projectDirs).rules,
    others: textsOf(files),
    files,
    declaring: files
      .filter(saysNeeds)
      .map(({ path, real, size }) => ({ path, text: asText(readStart(real, size)) })),
    skillMd: skillMdOf(files),
  }
  return {
    scripts: scripts.slice(0, MAX_SCRIPTS).map((script) => viewOf(around, script)),
    cut: scripts.length > MAX_SCRIPTS,
    treeDigest: around.state?.digest ?? '',
  }
}

function viewOf(around: Around, { file: { path, size }, bytes }: Script): ScriptView {
  const { deps, record } = around
  const text = asText(bytes)
  const program = programFor(around, path, bytes)
  const { runs, succeeded } = runCounts(deps.sql, record.key, path)
  return {
    path,
    size,
    ...program,
    lines: text === null ? null : lineCount(text),
    findings: bySeverity([
      ...needsIn(around, { path, text, interpreter: program.interpreter }),
      ...findingsIn(around, { path, text, interpreter: program.interpreter }),
    ]),
    runs: { total: runs, succeeded, last: lastRuns(deps.sql, record.key, path, LAST_RUNS) },
    allowed: answersTo(around, path),
    rules: around.rules
      .filter((rule) => rule.state !== 'revoked' && isAbout(rule, record, path))
      .map((rule) => ({
        id: rule.id,
        effect: rule.effect,
        on: rule.state === 'on',
        sentence: sentenceOf(rule),
      })),
  }
}

type Program = Pick<ScriptView, 'language' | 'interpreter' | 'interpreterProblem' | 'version'>

function programFor({ interpreters }: Around, path: string, bytes: Buffer): Program {
  const kind = scriptKind(path, firstLine(bytes)) ?? 'program'
  const language = INTERPRETER_NAMES[kind]
  if (kind === 'program') return { language, interpreter: path, interpreterProblem: null, version: '' }
  const found = interpreters.find((view) => view.kind === kind)
  return {
    language,
    interpreter: found?.path ?? null,
    interpreterProblem: found?.problem ?? null,
    version: found?.version ?? '',
  }
}

function answersTo({ deps, record, state }: Around, path: string): ScriptView['allowed'] {
  const now = state?.files.find((file) => file.path === path)?.sha256
  return firstAndLastAllowed(deps.sql, record.key, path).map(({ at, status, treeDigest, scriptSha256 }) => ({
    at,
    byRule: status !== 'approved',
    treeDigest,
    isNow: scriptSha256 !== null && scriptSha256 === now && treeDigest === state?.digest,
  }))
}

function firstLine(bytes: Buffer): string {
  return bytes.subarray(0, 500).toString('utf8').split('\n', 1)[0] ?? ''
}

/** What the fixed rules find in the script as it is, in the sandbox that this computer has, without arguments. */
function findingsIn(
  { deps, others, skillMd }: Around,
  { path, text, interpreter }: { path: string; text: string | null; interpreter: string | null },
): ScriptView['findings'] {
  const { backend } = deps.runs.sandbox()
  const found = findFindings({
    scriptText: text,
    scriptPath: path,
    args: [],
    sandbox: backend === 'none' ? 'none' : 'bwrap',
    network: 'off',
    interpreterPath: interpreter ?? '',
    skillMd,
    otherFiles: others.filter((file) => file.path !== path),
  })
  // Where a program lies is said of one that there is.
  return interpreter === null || interpreter === path
    ? found.filter(({ id }) => id !== 'interpreter-place')
    : found
}

/** What it says that it needs and a run would not find; of a script without a program nothing can be told. */
function needsIn(
  { declaring, files }: Around,
  { path, text, interpreter }: { path: string; text: string | null; interpreter: string | null },
): ScriptView['findings'] {
  if (interpreter === null) return []
  const needs = declaredNeeds({ scriptPath: path, scriptText: text, files: declaring })
  const name = scriptKind(path, text?.split('\n', 1)[0] ?? '') ?? 'program'
  return needFindingsBefore(needs, { name, path: interpreter, prefixes: [] }, files)
}

/** A rule that names this script, this skill, or was made from a request for this script. */
function isAbout({ match, example }: RuleView, { key, name }: SkillRecord, path: string): boolean {
  if (match.shape === 'script' || match.shape === 'skill') {
    const isSkill = match.key === undefined ? match.skill === name : match.key === key
    return isSkill && (match.shape === 'skill' || match.path === path)
  }
  const plan = example && runPlanOf(example)
  return plan?.skill?.key === key && plan.script?.path === path
}

async function inspected({ store }: ScriptDeps, record: SkillRecord): Promise<TreeState | null> {
  try {
    return await store.inspect(record)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

function textsOf(files: readonly TreeFile[]): Around['others'] {
  return files
    .filter(({ path, size }) => size <= OTHER_FILE_BYTES && !/^skill\.md$/i.test(path))
    .slice(0, OTHER_FILES)
    .map(({ path, real }) => ({ path, text: asText(readStart(real, OTHER_FILE_BYTES)) }))
}

function skillMdOf(files: readonly TreeFile[]): string | null {
  const file = files.find(({ path }) => /^skill\.md$/i.test(path))
  return file ? asText(readStart(file.real, MAX_LOOKED)) : null
}

function lineCount(text: string): number {
  if (text === '') return 0
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}
