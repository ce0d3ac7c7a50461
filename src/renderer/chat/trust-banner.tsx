import type { SkillSummary } from '@shared/domain/skill'
import { useState } from 'react'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { useProject } from '../stores/projects'
import { useSkillList } from '../stores/skills'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { NotTrustedIcon } from '../ui/icons'
import { ScopeMark, Tag } from '../ui/marks'
import { Note } from '../ui/note'
import { VisibleText } from '../ui/visible-text'
import { chat } from './strings'

/** A project that is not trusted: how many skills wait for it, and the review of what trust would change (F6). */
export function TrustBanner({ projectDir }: { projectDir: string }) {
  const project = useProject(projectDir)
  const [reviewing, setReviewing] = useState(false)
  if (!project || (project.exists && (project.trusted || project.skills === 0))) return null
  if (!project.exists) {
    return (
      <div className="banner">
        <Note tone="bad">{chat.folderGone(project.dir)}</Note>
      </div>
    )
  }
  return (
    <div className="banner trust">
      <NotTrustedIcon />
      <span className="grow">{chat.notTrusted(project.skills)}</span>
      <Button small onClick={() => setReviewing(true)}>
        {chat.reviewTrust}
      </Button>
      {reviewing && <TrustReview dir={project.dir} name={project.name} onDone={() => setReviewing(false)} />}
    </div>
  )
}

/** Copies of other scopes that a trusted project skill would stand beside, or replace. */
export function sameNamed(skill: SkillSummary, all: readonly SkillSummary[]): SkillSummary | undefined {
  return all.find(
    (other) => other.name === skill.name && other.key !== skill.key && other.status === 'effective',
  )
}

function TrustReview({ dir, name, onDone }: { dir: string; name: string; onDone: () => void }) {
  const skills = useSkillList(dir)?.skills ?? []
  const waiting = skills.filter((skill) => skill.status === 'not-trusted')
  const trust = () => {
    onDone()
    void guarded(async () => void (await api.call('projects.trust', { dir, trusted: true })))
  }
  return (
    <Dialog
      open
      onClose={onDone}
      title={chat.trustTitle(name)}
      subtitle={<p className="small t2 mono">{dir}</p>}
      footer={
        <>
          <Button onClick={onDone}>{chat.keepInactive}</Button>
          <Button variant="solid" onClick={trust}>
            {chat.trust}
          </Button>
        </>
      }
    >
      <p>{chat.trustText}</p>
      {waiting.length === 0 && <p className="t2 trust-none">{chat.noProjectSkills}</p>}
      <ul className="trust-list">
        {waiting.map((skill) => (
          <li key={skill.key}>
            <div className="row">
              <span className="mono m">{skill.name}</span>
              <ScopeMark scope={skill.scope} />
              {skill.scripts > 0 && <Tag>{chat.scripts(skill.scripts)}</Tag>}
            </div>
            <p className="small t2">
              <VisibleText text={skill.description} />
            </p>
            <Shadowing skill={skill} all={skills} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function Shadowing({ skill, all }: { skill: SkillSummary; all: readonly SkillSummary[] }) {
  const other = sameNamed(skill, all)
  if (!other) return null
  return (
    <p className="small attn row">
      {chat.sameName}
      <ScopeMark scope={other.scope} />
    </p>
  )
}
