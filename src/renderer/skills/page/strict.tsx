import { strictErrors } from '@shared/skill-check/strict'
import { StatusMark } from '../../ui/marks'
import { VisibleText } from '../../ui/visible-text'
import { page } from './strings'

/** The spellings that the reference validator knows. */
const NAMES = ['SKILL.md', 'skill.md'] as const

/** What the format says to the letter of a text, and what the reference validator itself would (`format.md` 1.3). */
export function strictSentences({
  path,
  text,
  folder,
}: {
  path: string
  text: string | null
  folder: string
}) {
  const name = NAMES.find((known) => known === path)
  const skillMd = name && text !== null ? { name, bytes: new TextEncoder().encode(text) } : null
  const of = { path: folder, kind: 'folder' as const, name: folder, skillMd }
  return { format: strictErrors(of), exact: strictErrors(of, { exact: true }) }
}

export function Sentences({ sentences, label }: { sentences: readonly string[]; label: string }) {
  if (sentences.length === 0) return <StatusMark tone="ok">{page.problems.valid}</StatusMark>
  return (
    <ul className="skpr-strict" aria-label={label}>
      {sentences.map((sentence) => (
        <li key={sentence}>
          <StatusMark tone="bad">{page.problems.error}</StatusMark>
          <span className="grow">
            <VisibleText text={sentence} />
          </span>
        </li>
      ))}
    </ul>
  )
}
