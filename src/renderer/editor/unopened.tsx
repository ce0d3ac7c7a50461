import type { EditedSkill } from '@shared/domain/editing'
import { visibleLine } from '@shared/visible-text'
import { deleteSkills } from '../arranging/arranging-store'
import { revealSkill } from '../skills/preview/switch-skills'
import { Button } from '../ui/button'
import { Note } from '../ui/note'
import { revealPath } from './files/file-actions'
import { words } from './strings'
import { isMain } from './files/tree-rows'

interface UnopenedProps {
  skill: EditedSkill
  skillKey: string
  path: string
  /** Why it could not be read. */
  error: string
  projectDir: string | null
}

/** A file that the editor can't open, as one that is too large or leads out of the skill: why, and the ways on. */
export function Unopened({ skill, skillKey, path, error, projectDir }: UnopenedProps) {
  const main = isMain(path)
  return (
    <Note
      tone="bad"
      title={words.unopened.title(visibleLine(path))}
      action={
        <span className="row">
          <Button onClick={() => (main ? revealSkill(skillKey) : void revealPath(skillKey, path))}>
            {words.fileTree.showInFolder}
          </Button>
          {main && skill.whyNot === null && (
            <Button onClick={() => deleteSkills([skillKey], projectDir)}>{words.unopened.deleteSkill}</Button>
          )}
        </span>
      }
    >
      {skill.whyNot ?? error} {words.unopened.elsewhere}
    </Note>
  )
}
