import { useEffect, useState } from 'react'
import type { ArrangePlan, SkillPlace } from '@shared/domain/arranging'
import { api, messageOf } from '../api'
import { useSkills } from '../stores/skills'
import type { ManyAsked, MeantSkill } from './arranging-store'

interface Plans {
  of: string
  plans: ReadonlyMap<string, ArrangePlan>
  error: string
}

const NONE: Plans = { of: '', plans: new Map(), error: '' }

/** What would be done with each of several skills, as far as it is known; asked again when the place or the disk changes. */
export function useManyPlans(
  kind: ManyAsked,
  skills: readonly MeantSkill[],
  to: { place: SkillPlace; projectDir: string | null; isDoing: boolean },
): Omit<Plans, 'of'> {
  const { place, projectDir, isDoing } = to
  const version = useSkills((state) => state.version)
  const [state, setState] = useState(NONE)
  useEffect(() => {
    if (isDoing) return undefined
    const asking = new AbortController()
    const tell = (part: Omit<Plans, 'of'>): void => {
      if (!asking.signal.aborted) setState({ of: place, ...part })
    }
    askEach(kind, skills, { place, projectDir }, { signal: asking.signal, tell }).catch((error: unknown) =>
      tell({ plans: new Map(), error: messageOf(error) }),
    )
    return () => asking.abort()
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new version means: ask again
  }, [kind, skills, place, projectDir, version, isDoing])
  return state.of === place ? state : NONE
}

/** As many plans as are told at once: hundreds of skills are not hundreds of drawings. */
const PART = 25

async function askEach(
  kind: ManyAsked,
  skills: readonly MeantSkill[],
  { place, projectDir }: { place: SkillPlace; projectDir: string | null },
  { signal, tell }: { signal: AbortSignal; tell: (part: Omit<Plans, 'of'>) => void },
): Promise<void> {
  const plans = new Map<string, ArrangePlan>()
  for (const { key, name } of skills) {
    if (signal.aborted) return
    plans.set(key, await api.call('arrange.plan', { projectDir, request: { do: kind, key, place, name } }))
    if (plans.size % PART === 0) tell({ plans: new Map(plans), error: '' })
  }
  tell({ plans, error: '' })
}
