import { useEffect, useState } from 'react'
import type { GoneSkill } from '@shared/domain/editing'
import { visibleLine } from '@shared/visible-text'
import { api } from '../../api'
import { openNewSkill } from '../../arranging/arranging-store'
import { guarded } from '../../shell/actions'
import { refreshGone, useDrafts, useGoneSkills } from '../../stores/drafts'
import { useSkills } from '../../stores/skills'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { formatAgo } from '../../ui/format'
import { Note } from '../../ui/note'
import { useNow } from '../../ui/use-now'
import { library } from '../library-strings'

/** Text that was typed in skills which somebody else deleted: it is kept until a person says what becomes of it. */
export function GoneSkills({ projectDir }: { projectDir: string | null }) {
  const version = useSkills((state) => state.version)
  const drafts = useDrafts()
  const gone = useGoneSkills()
  const [discarding, setDiscarding] = useState<GoneSkill | null>(null)
  const now = useNow(60_000, gone.length > 0)
  useEffect(() => {
    void guarded(refreshGone)
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new version, of it or of skills on disk, means: look again
  }, [version, drafts])
  return (
    <>
      {gone.map((skill) => (
        <Note
          key={skill.key}
          tone="warn"
          title={library.goneTitle}
          action={
            <span className="row">
              <Button small onClick={() => openNewSkill(projectDir, { key: skill.key, name: skill.name })}>
                {library.saveAsNew}
              </Button>
              <Button small onClick={() => setDiscarding(skill)}>
                {library.discardText}
              </Button>
            </span>
          }
        >
          {library.goneText(visibleLine(skill.name), pathsOf(skill), formatAgo(skill.keptAt, now))}
        </Note>
      ))}
      {discarding && <Discard skill={discarding} onClose={() => setDiscarding(null)} />}
    </>
  )
}

const MAX_NAMED = 3

function pathsOf({ paths }: GoneSkill): string {
  const named = paths.slice(0, MAX_NAMED).map((path) => visibleLine(path))
  return library.goneFiles(named, paths.length - named.length)
}

/** Nothing else has this text, so it is asked once more. */
function Discard({ skill, onClose }: { skill: GoneSkill; onClose: () => void }) {
  const { key, name, paths } = skill
  const discard = (): void => {
    onClose()
    void guarded(async () => {
      for (const path of paths) await api.call('editor.dropDraft', { key, path })
    })
  }
  return (
    <Dialog
      open
      title={library.discardTitle(visibleLine(name))}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{library.keepText}</Button>
          <Button variant="risk" onClick={discard}>
            {library.discardForGood}
          </Button>
        </>
      }
    >
      <p>{library.discardWhat(pathsOf(skill))}</p>
    </Dialog>
  )
}
