import { useEffect, useMemo, useRef, useState } from 'react'
import type { SkillDetail, SkillSummary } from '@shared/domain/skill'
import { parseSkillQuery } from '@shared/skill-query'
import { api, messageOf } from '../api'
import { useSkills } from '../stores/skills'
import { createLatest } from './latest'
import type { Hits } from './list/skill-filter'

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

export interface Searched {
  /** What was found, best first; null without words, or while no answer fits what is typed. */
  hits: Hits | null
  /** The answer to what is typed is still on its way. */
  waiting: boolean
  /** What is typed could not be searched for: the rows are found by their own text alone. */
  failed: boolean
}

interface Question {
  projectDir: string | null
  query: string
  version: number
}

/** Text search by main. While an answer is on its way, the one before still counts if one query begins the other. */
export function useSearch(projectDir: string | null, typed: string): Searched {
  const version = useSkills((state) => state.version)
  const query = typed.trim().slice(0, 500)
  const wanted = useMemo(() => {
    const { words, phrases } = parseSkillQuery(query)
    return words.length + phrases.length > 0
  }, [query])
  const [told, setTold] = useState<(Question & { hits: Hits | null }) | null>(null)
  const [ask] = useState(() =>
    createLatest(
      ({ projectDir, query }: Question) => api.call('skills.search', { projectDir, query }),
      (question, found) =>
        setTold({ ...question, hits: found && new Map(found.map((hit) => [hit.key, hit])) }),
    ),
  )
  useEffect(() => {
    if (wanted) ask({ projectDir, query, version })
  }, [ask, wanted, projectDir, query, version])
  return wanted ? searched(told, { projectDir, query }) : { hits: null, waiting: false, failed: false }
}

/** What the last answer says of a question. */
export function searched(
  told: { projectDir: string | null; query: string; hits: Hits | null } | null,
  { projectDir, query }: { projectDir: string | null; query: string },
): Searched {
  if (!told || told.projectDir !== projectDir) return { hits: null, waiting: true, failed: false }
  const related = told.query.startsWith(query) || query.startsWith(told.query)
  const isAnswer = told.query === query
  return {
    hits: related ? told.hits : null,
    waiting: !isAnswer,
    failed: isAnswer && told.hits === null,
  }
}

/** Rows to show: while an answer is awaited and nothing matches yet, those that were shown last. */
export function useSteadyRows(rows: SkillSummary[], waiting: boolean): SkillSummary[] {
  const last = useRef(rows)
  const keep = waiting && rows.length === 0
  useEffect(() => {
    if (!keep) last.current = rows
  })
  // oxlint-disable-next-line react/refs -- only read while the new rows are on their way
  return keep ? last.current : rows
}
