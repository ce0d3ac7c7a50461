import type { Project } from '@shared/domain/project'
import { useState } from 'react'
import { visibleLine } from '@shared/visible-text'
import { TrustReview } from '../skills/trust/trust-review'
import { useAgents } from '../stores/agents'
import { useProject } from '../stores/projects'
import { Button } from '../ui/button'
import { NotTrustedIcon } from '../ui/icons'
import { Note } from '../ui/note'
import { chat } from './strings'

/** A project that is not trusted: what waits for it, and the review of what trust would change (F6). */
export function TrustBanner({ projectDir }: { projectDir: string }) {
  const project = useProject(projectDir)
  const agents = useAgents(projectDir).filter(({ status }) => status === 'not-trusted').length
  const [reviewing, setReviewing] = useState(false)
  if (!project || (project.exists && (project.trusted || bringsNothing(project, agents)))) return null
  if (!project.exists) {
    return (
      <div className="banner">
        <Note tone="bad">{chat.folderGone(visibleLine(project.dir, 4096))}</Note>
      </div>
    )
  }
  return (
    <div className="banner trust">
      <NotTrustedIcon />
      <span className="grow">{chat.notTrusted(project.skills, agents, project.instructions)}</span>
      <Button small onClick={() => setReviewing(true)}>
        {chat.reviewTrust}
      </Button>
      {reviewing && <TrustReview dir={project.dir} name={project.name} onDone={() => setReviewing(false)} />}
    </div>
  )
}

function bringsNothing({ skills, instructions }: Project, agents: number): boolean {
  return skills + agents === 0 && instructions === null
}
