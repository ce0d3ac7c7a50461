import { useMemo } from 'react'
import type { SkillDetail } from '@shared/domain/skill'
import type { ScriptView } from '@shared/domain/skill-page'
import { visibleLine, visibleText } from '@shared/visible-text'
import { api } from '../../api'
import { showStep } from '../../audit/show-in-chat'
import { CodeView } from '../../ui/code-view'
import { FileList } from '../../ui/file-list'
import { formatAgo, formatExact, formatNumber } from '../../ui/format'
import { HashChip } from '../../ui/hash-chip'
import { ErrorIcon, InfoIcon, RunIcon, WarningIcon } from '../../ui/icons'
import type { FlagLevel } from '../../ui/line-list'
import { StatusMark } from '../../ui/marks'
import { EmptyState, Note } from '../../ui/note'
import { PropertyList } from '../../ui/property-list'
import { useNow } from '../../ui/use-now'
import { VisibleText } from '../../ui/visible-text'
import { Waiting } from '../../ui/waiting'
import { ScriptSecrets } from './script-secrets'
import type { SkillAddress } from './skill-address'
import { page, runWords } from './strings'
import { useAsked } from './use-asked'

interface ScriptsProps {
  detail: SkillDetail
  projectDir: string | null
  address: SkillAddress
  onChoose: (path: string, line?: number) => void
}

const MINUTE = 60_000

/** The scripts of a skill: what runs them, what the rules find, what ran and what was allowed. Nothing is run here. */
export function Scripts({ detail, projectDir, address, onChoose }: ScriptsProps) {
  const { key, treeDigest } = detail
  const { value, error } = useAsked(
    () => api.call('skillPage.scripts', { projectDir, key }),
    JSON.stringify([projectDir, key, treeDigest]),
  )
  if (error) return <Note tone="bad">{error}</Note>
  if (!value) return <Waiting text={page.reading} />
  const chosen = value.scripts.find(({ path }) => path === address.file) ?? value.scripts[0]
  if (!chosen)
    return (
      <div className="sksc-none">
        <EmptyState text={page.scripts.none} />
        <ScriptSecrets detail={detail} projectDir={projectDir} treeDigest={value.treeDigest} />
      </div>
    )
  return (
    <div className="skfiles">
      <FileList
        label={page.tabs.scripts}
        files={value.scripts}
        chosen={chosen.path}
        onChoose={onChoose}
        icon={scriptMark}
      />
      <div className="sksc">
        {detail.scriptsBlocked && (
          <Note tone="warn" title={page.scripts.blocked}>
            <VisibleText text={detail.scriptsBlocked} />
          </Note>
        )}
        {value.cut && <Note tone="info">{page.scripts.cut}</Note>}
        <Facts script={chosen} />
        <Findings script={chosen} onLine={(line) => onChoose(chosen.path, line)} />
        <Runs script={chosen} />
        <Rules script={chosen} />
        <Text
          script={chosen}
          skill={{ projectDir, key, version: treeDigest }}
          line={address.file === chosen.path ? address.line : undefined}
        />
        <ScriptSecrets detail={detail} projectDir={projectDir} treeDigest={value.treeDigest} />
      </div>
    </div>
  )
}

function scriptMark({ findings }: ScriptView) {
  const worst = findings[0]?.level
  if (worst === 'serious') return <ErrorIcon size={14} className="sksc-serious" />
  return worst === 'notable' ? <WarningIcon size={14} className="sksc-notable" /> : <RunIcon size={14} />
}

function Facts({ script }: { script: ScriptView }) {
  const { language, interpreter, interpreterProblem, version, lines, allowed } = script
  const words = page.scripts
  const [first, last] = allowed
  const firstAllowed = first ? <Allowed answer={first} /> : words.neverAllowed
  const lastAllowed = last ? <Allowed answer={last} /> : null
  const program =
    interpreter === null ? (
      <StatusMark tone="bad">{interpreterProblem ?? words.noInterpreter}</StatusMark>
    ) : (
      <span className="mono">{visibleLine(`${interpreter} ${version}`.trim())}</span>
    )
  return (
    <section>
      <h2 className="mono">
        <VisibleText text={script.path} />
      </h2>
      <PropertyList
        rows={[
          [words.language, language],
          [words.interpreter, program],
          [words.lines, lines === null ? words.noText : formatNumber(lines)],
          [words.firstAllowed, firstAllowed],
          [words.lastAllowed, lastAllowed],
        ]}
      />
    </section>
  )
}

function Allowed({ answer }: { answer: ScriptView['allowed'][number] }) {
  const { at, byRule, treeDigest, isNow } = answer
  const now = useNow(MINUTE)
  return (
    <span className="row sksc-allowed">
      <span title={formatExact(at)}>{page.scripts.allowed(formatAgo(at, now), byRule)}</span>
      {treeDigest !== null && <HashChip hash={treeDigest} />}
      <StatusMark tone={isNow ? 'ok' : 'off'}>{isNow ? page.scripts.isNow : page.scripts.isOther}</StatusMark>
    </span>
  )
}

const MARK = { serious: ErrorIcon, notable: WarningIcon, information: InfoIcon }
const TONE = { serious: 'bad', notable: 'warn', information: 'info' } as const

function Findings({ script, onLine }: { script: ScriptView; onLine: (line: number) => void }) {
  return (
    <section>
      <h2>{page.scripts.findings(script.findings.length)}</h2>
      {script.findings.length === 0 && <p className="small t3">{page.scripts.noFindings}</p>}
      <ul className="sksc-findings" aria-label={page.scripts.findingsLabel}>
        {script.findings.map(({ id, level, title, text, line }) => {
          const Mark = MARK[level]
          return (
            <li
              key={id}
              className={`note ${TONE[level] === 'info' ? '' : TONE[level]}`.trim()}
              data-level={level}
            >
              <Mark aria-hidden="true" />
              <div className="grow">
                <div className="b">{title}</div>
                {visibleText(text)}{' '}
                {line !== undefined && (
                  <button type="button" className="rv-show" onClick={() => onLine(line)}>
                    {page.scripts.showLine(line)}
                  </button>
                )}
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Runs({ script }: { script: ScriptView }) {
  const { total, succeeded, last } = script.runs
  const now = useNow(MINUTE)
  return (
    <section>
      <h2>{page.scripts.runs}</h2>
      <p className="small t2">{page.scripts.counts(total, succeeded)}</p>
      <ul aria-label={page.scripts.runs}>
        {last.map(({ id, status, exitCode, startedAt, sessionId, title, step }) => (
          <li key={id} className="row sksc-run">
            <StatusMark tone={status === 'succeeded' ? 'ok' : status === 'running' ? 'off' : 'bad'}>
              {runWords(status, exitCode)}
            </StatusMark>
            <span className="small t3 num" title={formatExact(startedAt)}>
              {formatAgo(startedAt, now)}
            </span>
            {title === null ? (
              <span className="small t3">{page.usage.chatGone}</span>
            ) : (
              <button
                type="button"
                className="linklike small trunc"
                onClick={() => showStep(sessionId, step ?? undefined)}
              >
                {page.usage.inChat(visibleLine(title), step)}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Rules({ script }: { script: ScriptView }) {
  return (
    <section>
      <h2>{page.scripts.rules}</h2>
      {script.rules.length === 0 && <p className="small t3">{page.scripts.noRules}</p>}
      <ul aria-label={page.scripts.rules}>
        {script.rules.map(({ id, sentence, on }) => (
          <li key={id} className="small">
            <VisibleText text={sentence} />
            {!on && <span className="t3"> {page.scripts.ruleOff}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Text(props: {
  script: ScriptView
  skill: { projectDir: string | null; key: string; version: string }
  line: number | undefined
}) {
  const { script, skill, line } = props
  const { path } = script
  const { projectDir, key, version } = skill
  const { value, error } = useAsked(
    () => api.call('skills.readFile', { projectDir, key, path }),
    JSON.stringify([projectDir, key, path, version]),
  )
  const flags = useMemo(() => flagsOf(script), [script])
  const target = useMemo(() => (line === undefined ? undefined : { line, n: 0 }), [line])
  if (error) return <Note tone="bad">{error}</Note>
  if (!value) return null
  if (value.text === null) return <p className="small t3">{page.scripts.noText}</p>
  return (
    <section className="sksc-text">
      <h2>{page.scripts.text}</h2>
      <CodeView text={value.text} path={path} label={visibleText(path)} flags={flags} target={target} />
      {value.cut && <p className="small t3">{page.scripts.textCut}</p>}
    </section>
  )
}

function flagsOf({ findings }: ScriptView): ReadonlyMap<number, FlagLevel> {
  // Worst first, so that a later one does not take its place.
  const flags = new Map<number, FlagLevel>()
  for (const { line, level } of findings) if (line !== undefined && !flags.has(line)) flags.set(line, level)
  return flags
}
