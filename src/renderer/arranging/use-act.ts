import { useState } from 'react'
import type { FormEvent } from 'react'
import type { ArrangePlan, ArrangeRequest } from '@shared/domain/arranging'
import { messageOf } from '../api'
import { arrange, type GoneText } from './arranging-store'

export interface Act {
  busy: boolean
  /** Why the last attempt was refused. */
  error: string
  submit: (event: FormEvent) => void
}

/** Does what the plan shows, once; a refusal stays in the dialog. */
export function useAct(
  request: ArrangeRequest,
  projectDir: string | null,
  plan: ArrangePlan | null,
  text?: GoneText,
): Act {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  return {
    busy,
    error,
    submit(event) {
      event.preventDefault()
      if (busy || !plan || plan.refusal !== null) return
      setBusy(true)
      setError('')
      arrange(request, projectDir, plan.hash, text).catch((failure: unknown) => {
        setError(messageOf(failure))
        setBusy(false)
      })
    },
  }
}
