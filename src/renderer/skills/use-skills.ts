import { useEffect, useState } from 'react'
import type { SkillDetail } from '@shared/domain/skill'
import { api, messageOf } from '../api'
import { useSessions } from '../stores/sessions'
import { useSkills } from '../stores/skills'
import { useUi } from '../stores/ui'

/** The project that skills are seen from: that of the current chat, or none. */
export function useCurrentProjectDir(): string | null {
  const chatId = useUi((state) => state.chatId)
  const fromList = useSessions((state) => state.list?.find((chat) => chat.id === chatId)?.projectDir)
  const fromChat = useSessions((state) =>
    state.chatId === chatId ? state.chat?.detail.projectDir : undefined,
  )
  return fromChat ?? fromList ?? null
}

export interface Loaded<T> {
  value: T | undefined
  error: string
}

/** One skill in full; fetched again when something on disk changed. */
export function useSkillDetail(projectDir: string | null, key: string | null): Loaded<SkillDetail> {
  const version = useSkills((state) => state.version)
  const [state, setState] = useState<Loaded<SkillDetail>>({ value: undefined, error: '' })
  useEffect(() => {
    if (key === null) return undefined
    let current = true
    api.call('skills.get', { projectDir, key }).then(
      (value) => current && setState({ value, error: '' }),
      (error: unknown) => current && setState({ value: undefined, error: messageOf(error) }),
    )
    return () => {
      current = false
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new version means: fetch again
  }, [projectDir, key, version])
  if (state.value && state.value.key !== key) return { value: undefined, error: '' }
  return state
}

/** Text matches inside skills start at this many letters. */
const MIN_QUERY = 3
const TYPING_MS = 150

/** Keys of skills whose body or files hold the words, with the place. Empty while typing and for short words. */
export function useBodyHits(projectDir: string | null, query: string): ReadonlyMap<string, string> {
  const [hits, setHits] = useState<{ query: string; found: ReadonlyMap<string, string> }>({
    query: '',
    found: NONE,
  })
  useEffect(() => {
    const words = query.trim()
    if (words.length < MIN_QUERY || words.includes(':')) return undefined
    let current = true
    const timer = setTimeout(() => {
      api.call('skills.search', { projectDir, query: words.slice(0, 500) }).then(
        (found) => current && setHits({ query, found: new Map(found.map((hit) => [hit.key, hit.snippet])) }),
        () => {
          // The list still filters by name and description.
        },
      )
    }, TYPING_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [projectDir, query])
  return hits.query === query ? hits.found : NONE
}

const NONE: ReadonlyMap<string, string> = new Map()
