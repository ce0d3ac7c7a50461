import { useState } from 'react'
import type { SecretWish } from '@shared/domain/secret'
import type { SkillDetail } from '@shared/domain/skill'
import { visibleText } from '@shared/visible-text'
import { api, messageOf } from '../../api'
import { Button } from '../../ui/button'
import { formatAgo, formatExact } from '../../ui/format'
import { StatusMark } from '../../ui/marks'
import type { Tone } from '../../ui/marks'
import { Note } from '../../ui/note'
import { useNow } from '../../ui/use-now'
import { page } from './strings'
import { useAsked } from './use-asked'

const TONE: Record<SecretWish['state'], Tone> = {
  given: 'warn',
  'not-given': 'off',
  other: 'off',
  missing: 'off',
  refused: 'bad',
}

/** Names of the secrets that the skill asks for, each with its grant (security.md 4.1). Giving one allows no run. */
export function ScriptSecrets(props: { detail: SkillDetail; projectDir: string | null; treeDigest: string }) {
  const { detail, projectDir, treeDigest } = props
  const { key } = detail
  const [asked, setAsked] = useState(0)
  const [failure, setFailure] = useState('')
  const now = useNow(60_000)
  const { value, error } = useAsked(
    () => api.call('skillPage.secrets', { projectDir, key }),
    JSON.stringify([projectDir, key, treeDigest, asked]),
  )
  if (error) return <Note tone="bad">{error}</Note>
  if (!value || value.length === 0) return null
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
      setFailure('')
    } catch (reason) {
      setFailure(messageOf(reason))
    }
    setAsked((count) => count + 1)
  }
  const give = (name: string) =>
    change(() => api.call('skillPage.grantSecret', { projectDir, key, name, treeDigest }))
  const takeBack = (name: string) => change(() => api.call('secrets.revoke', { name, skillKey: key }))
  const words = page.secrets
  return (
    <section>
      <h2>{words.title}</h2>
      <p className="small t2">{words.intro}</p>
      <ul className="sksc-secrets" aria-label={words.title}>
        {value.map(({ name, state, givenAt }) => (
          <li key={name} className="row">
            <code className="mono">{visibleText(name)}</code>
            <StatusMark tone={TONE[state]}>{words.state[state]}</StatusMark>
            {givenAt !== null && (
              <span className="small t3" title={formatExact(givenAt)}>
                {formatAgo(givenAt, now)}
              </span>
            )}
            <span className="sp" />
            {(state === 'not-given' || state === 'other') && (
              <Button small onClick={() => void give(name)}>
                {words.give}
                <span className="sr">{` ${visibleText(name)}`}</span>
              </Button>
            )}
            {givenAt !== null && (
              <Button small onClick={() => void takeBack(name)}>
                {words.takeBack}
                <span className="sr">{` ${visibleText(name)}`}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {failure && <Note tone="bad">{failure}</Note>}
    </section>
  )
}
