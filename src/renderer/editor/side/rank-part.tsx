import { useEffect, useState } from 'react'
import type { TypedWords } from '@shared/domain/editing'
import { visibleLine } from '@shared/visible-text'
import { api } from '../../api'
import { TextField } from '../../ui/field'
import { formatNumber } from '../../ui/format'
import { CheckIcon } from '../../ui/icons'
import { StatusMark } from '../../ui/marks'
import { Section } from '../../skills/preview/skill-sections'
import { words } from '../strings'

type Ranked = Awaited<ReturnType<typeof rank>>

const rank = (projectDir: string | null, message: string, skill: TypedWords) =>
  api.call('editor.rank', { projectDir, message: message.slice(0, 4000), skill })

/** *Will it be chosen?* A message, and which skills its words find, this one with the words as they are typed. */
export function RankPart({ projectDir, skill }: { projectDir: string | null; skill: TypedWords }) {
  const [message, setMessage] = useState('')
  const ranked = useRanked(projectDir, message.trim(), skill)
  return (
    <Section title={words.chosen}>
      <TextField
        label={words.chosenHint}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      {ranked && <Order ranked={ranked} />}
      <p className="small t3">{words.chosenWhy}</p>
    </Section>
  )
}

function Order({ ranked: { of, place, skills } }: { ranked: Ranked }) {
  return (
    <output className="ed-ranked">
      {place === null ? (
        <StatusMark tone="bad">{words.chosenNever}</StatusMark>
      ) : (
        <StatusMark tone={place === 1 ? 'ok' : 'off'}>
          {words.chosenPlace(place, formatNumber(of))}
        </StatusMark>
      )}
      <ol className="ed-rank" aria-label={words.chosen}>
        {skills.map((one) => (
          <li
            key={one.key}
            data-skill={one.name}
            data-own={one.isOwn}
            className={one.isOwn ? 'row small b' : 'row small'}
          >
            <span className="mono trunc">{visibleLine(one.name)}</span>
            {one.isOwn && <CheckIcon size={12} aria-label={words.thisSkill} />}
            <span className="grow trunc t3">
              {one.words.length === 0 ? words.noWords : visibleLine(one.words.join(', '))}
            </span>
            <span className="num t2">{one.score.toFixed(1)}</span>
          </li>
        ))}
      </ol>
    </output>
  )
}

const WAIT_MS = 150

function useRanked(projectDir: string | null, message: string, skill: TypedWords): Ranked | undefined {
  const [ranked, setRanked] = useState<Ranked>()
  const { key, name, description } = skill
  const tags = skill.tags.join('\n')
  useEffect(() => {
    if (message === '') return undefined
    let current = true
    const timer = setTimeout(() => {
      const typed = { key, name: name.slice(0, 1000), description, tags: tags === '' ? [] : tags.split('\n') }
      rank(projectDir, message, typed).then(
        (found) => current && setRanked(found),
        () => current && setRanked(undefined),
      )
    }, WAIT_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [projectDir, message, key, name, description, tags])
  return message === '' ? undefined : ranked
}
