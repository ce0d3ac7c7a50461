import { useEffect, useState } from 'react'
import type { AgentScope, AgentStatus } from '@shared/domain/agent'
import type { AgentReview, ProjectReview as Review } from '@shared/domain/project-review'
import type { SkillStatus, SkillSummary } from '@shared/domain/skill'
import { visibleLine } from '@shared/visible-text'
import { api, messageOf } from '../../api'
import { chat } from '../../chat/strings'
import { guarded } from '../../shell/actions'
import { useSkills } from '../../stores/skills'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { ErrorIcon, InfoIcon, RunIcon, ShadowedIcon, WarningIcon } from '../../ui/icons'
import { Tag } from '../../ui/marks'
import { Note } from '../../ui/note'
import { VisibleText } from '../../ui/visible-text'
import { trustWords } from './trust-strings'

/** Everything that trusting a project would change, before it is decided (F6). */
export function TrustReview({ dir, name, onDone }: { dir: string; name: string; onDone: () => void }) {
  const { review, error } = useReview(dir)
  const trust = () => {
    onDone()
    void guarded(async () => void (await api.call('projects.trust', { dir, trusted: true })))
  }
  return (
    <Dialog
      open
      onClose={onDone}
      className="trust-sheet"
      title={chat.trustTitle(visibleLine(name))}
      subtitle={<p className="small t2 mono">{visibleLine(dir)}</p>}
      footer={
        <>
          <Button onClick={onDone}>{chat.keepInactive}</Button>
          <Button
            variant="solid"
            unavailable={!review && trustWords.trustReview.whatTrustWouldChange}
            onClick={trust}
          >
            {chat.trust}
          </Button>
        </>
      }
    >
      <p>{chat.trustText}</p>
      {error && <Note tone="bad">{error}</Note>}
      {review?.instructions && <Note tone="info">{chat.trustInstructions(review.instructions)}</Note>}
      {review && <Agents agents={review.agents} />}
      {review && <Changes {...review} />}
    </Dialog>
  )
}

/** What happens to the copy that is used now, as a sentence. */
export function replacesWords({ scope, location }: Pick<SkillSummary, 'scope' | 'location'>): string {
  return trustWords.trustReview.usedInsteadOf(chat.copyOf[scope](location))
}

const AGENT_FILE: Readonly<Record<AgentScope, (location: string) => string>> = {
  enterprise: (location) => trustWords.trustReview.yourOrganisationsAgent(location),
  personal: (location) => trustWords.trustReview.yourPersonalAgent(location),
  project: (location) => trustWords.trustReview.anotherAgentOfThe(location),
  bundled: () => trustWords.trustReview.theAgentThatComes,
}

const AGENT_BECOMES: Readonly<Record<AgentStatus, string>> = {
  effective: trustWords.trustReview.couldBeChosenFor,
  shadowed: trustWords.trustReview.wouldNotBeUsed,
  broken: trustWords.trustReview.wontLoadAsIt,
  'not-trusted': '',
}

/** What becomes of an agent of the folder, and of the one whose name it has, as a sentence. */
export function agentBecomesWords({ becomes, replaces }: Pick<AgentReview, 'becomes' | 'replaces'>): string {
  return replaces
    ? trustWords.trustReview.usedInsteadOf(AGENT_FILE[replaces.scope](replaces.location))
    : AGENT_BECOMES[becomes]
}

/** How many skills, scripts and replaced copies there are, as a sentence. */
export function reviewWords(skills: Review['skills']): string {
  const scripts = skills.reduce((sum, skill) => sum + skill.scripts.length, 0)
  const replaced = skills.filter((skill) => skill.replaces).length
  const parts = [trustWords.trustReview.skill(skills.length), trustWords.trustReview.script(scripts)]
  if (replaced > 0) parts.push(trustWords.trustReview.replaced(replaced))
  return `${parts.join(', ')}.`
}

/** Why a skill would still not be used. */
const BECOMES: Record<SkillStatus, string> = {
  effective: '',
  shadowed: trustWords.trustReview.wouldNotBeUsedAnother,
  off: trustWords.trustReview.wouldStayOffYou,
  unavailable: trustWords.trustReview.wouldNotBeUsedHere,
  broken: trustWords.trustReview.wontLoadAsIt,
  'not-trusted': '',
}

function Agents({ agents }: { agents: Review['agents'] }) {
  if (agents.length === 0) return null
  return (
    <>
      <p className="small t2 trust-sum">{trustWords.trustReview.agents(agents.length)}</p>
      <ul className="trust-list">
        {agents.map((agent) => (
          <li key={agent.location}>
            <div className="row">
              <span className="m trunc">{visibleLine(agent.label)}</span>
              <span className="sp" />
              <span className="small t3 mono trunc">{visibleLine(agent.location)}</span>
            </div>
            <p className="small t2">
              <VisibleText text={agent.description} />
            </p>
            <p className={agent.replaces ? 'small attn row' : 'small t3'}>
              {agent.replaces && <ShadowedIcon size={14} />}
              <VisibleText text={agentBecomesWords(agent)} />
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}

/** How much the fixed rules found in all scripts, as a sentence; a clean result is no promise (`ux.md` 5.8). */
export function findingWords({ findings, unchecked }: Pick<Review, 'findings' | 'unchecked'>): string {
  const count = (level: string) =>
    findings.flatMap((script) => script.findings).filter((finding) => finding.level === level).length
  const parts = [
    count('serious') > 0 ? trustWords.trustReview.seriousFinding(count('serious')) : '',
    count('notable') > 0 ? trustWords.trustReview.notableFinding(count('notable')) : '',
  ].filter(Boolean)
  const found =
    parts.length > 0 ? trustWords.trustReview.inTheScripts(parts) : trustWords.trustReview.noSeriousFindingsIn
  const left = unchecked > 0 ? trustWords.trustReview.unchecked(unchecked) : ''
  return trustWords.trustReview.checkedByFixedRules(found, left)
}

function Changes({ skills, findings, unchecked }: Pick<Review, 'skills' | 'findings' | 'unchecked'>) {
  const hasScripts = skills.some(({ scripts }) => scripts.length > 0)
  if (skills.length === 0) return <p className="t2 trust-none">{chat.noProjectSkills}</p>
  return (
    <>
      <p className="small t2 trust-sum">{reviewWords(skills)}</p>
      {hasScripts && <p className="small t2">{findingWords({ findings, unchecked })}</p>}
      <ul className="trust-list">
        {skills.map((skill) => (
          <Change key={skill.key} skill={skill} found={findings.filter(({ key }) => key === skill.key)} />
        ))}
      </ul>
    </>
  )
}

function Change({ skill, found }: { skill: Review['skills'][number]; found: Review['findings'] }) {
  const becomes = BECOMES[skill.becomes]
  return (
    <li>
      <div className="row">
        <span className="mono m">
          <VisibleText text={skill.name} />
        </span>
        {skill.scripts.length > 0 && <Tag>{chat.scripts(skill.scripts.length)}</Tag>}
        {skill.problems > 0 && (
          <span className="st warn">
            <WarningIcon size={14} />
            {trustWords.trustReview.problem(skill.problems)}
          </span>
        )}
        <span className="sp" />
        <span className="small t3 mono trunc">{visibleLine(skill.location)}</span>
      </div>
      <p className="small t2">
        <VisibleText text={skill.description} />
      </p>
      {skill.replaces && (
        <p className="small attn row">
          <ShadowedIcon size={14} />
          <VisibleText text={replacesWords(skill.replaces)} />
        </p>
      )}
      {becomes !== '' && <p className="small t3">{becomes}</p>}
      {skill.scripts.map((path) => (
        <Script key={path} path={path} findings={found.find((script) => script.path === path)?.findings} />
      ))}
    </li>
  )
}

type Found = Review['findings'][number]['findings']

const MARK = { serious: ErrorIcon, notable: WarningIcon, information: InfoIcon }
const TONE = { serious: 'bad', notable: 'warn', information: 'off' }

/** A script with what was found in it, each with its line. */
function Script({ path, findings = [] }: { path: string; findings: Found | undefined }) {
  return (
    <>
      <p className="small mono t2 row">
        <RunIcon size={14} />
        <VisibleText text={path} />
      </p>
      {findings.map(({ level, title, line }) => {
        const Mark = MARK[level]
        return (
          <p key={title} className={`small row trust-finding st ${TONE[level]}`} data-level={level}>
            <Mark size={14} aria-hidden="true" />
            {line === undefined ? title : trustWords.trustReview.line(title, line)}
          </p>
        )
      })}
    </>
  )
}

/** Read from disk when the sheet opens, and again when something changed meanwhile. */
function useReview(dir: string): { review: Review | null; error: string } {
  const version = useSkills((state) => state.version)
  const [state, setState] = useState<{ review: Review | null; error: string }>({ review: null, error: '' })
  useEffect(() => {
    let current = true
    api.call('projects.review', { dir }).then(
      (review) => current && setState({ review, error: '' }),
      (error: unknown) => current && setState({ review: null, error: messageOf(error) }),
    )
    return () => {
      current = false
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new version means: read again
  }, [dir, version])
  return state
}
