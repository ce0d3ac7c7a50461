import type { Authored } from '@shared/domain/editing'
import { visibleLine } from '@shared/visible-text'
import { api } from '../api'
import { useAuthored } from '../stores/authors'
import { Button } from '../ui/button'
import { formatClock } from '../ui/format'
import { WriteIcon } from '../ui/icons'
import { useNow } from '../ui/use-now'
import { guarded } from './actions'
import { shell } from './strings'

/** While a skill is being edited (`ux.md` 11): in every area, as it holds in every chat. */
export function AuthorBars() {
  const skills = useAuthored()
  const now = useNow(10_000, skills.length > 0)
  return skills.filter(({ until }) => until > now).map((skill) => <AuthorBar key={skill.key} skill={skill} />)
}

function AuthorBar({ skill: { key, name, until } }: { skill: Authored }) {
  return (
    <section className="author-bar row small" aria-label={shell.editing(visibleLine(name))} data-skill={name}>
      <WriteIcon size={14} aria-hidden="true" />
      <span className="grow">
        <b>{shell.editing(visibleLine(name))}</b> {shell.editingMeans(formatClock(until))}
      </span>
      <Button
        small
        onClick={() => void guarded(async () => void (await api.call('editor.author', { key, on: false })))}
      >
        {shell.stopEditing}
      </Button>
    </section>
  )
}
