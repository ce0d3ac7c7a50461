import { useEffect, useState } from 'react'
import type { ArrangePlan, ArrangeRequest } from '@shared/domain/arranging'
import { api, messageOf } from '../api'
import { useSkills } from '../stores/skills'

/** What a request would do now; null while it is not known. Asked again when the request or the disk changes. */
export function usePlan(
  request: ArrangeRequest,
  projectDir: string | null,
): { plan: ArrangePlan | null; error: string } {
  const version = useSkills((state) => state.version)
  const text = JSON.stringify(request)
  const [state, setState] = useState<{ of: string; plan: ArrangePlan | null; error: string }>({
    of: '',
    plan: null,
    error: '',
  })
  useEffect(() => {
    let current = true
    const asked = JSON.parse(text) as ArrangeRequest
    api.call('arrange.plan', { projectDir, request: asked }).then(
      (plan) => current && setState({ of: text, plan, error: '' }),
      (error: unknown) => current && setState({ of: text, plan: null, error: messageOf(error) }),
    )
    return () => {
      current = false
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new version means: ask again
  }, [text, projectDir, version])
  return { plan: state.of === text ? state.plan : null, error: state.error }
}
