import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../api'
import type { Loaded } from '../use-skills'

/** The answer to a question of main, asked again whenever `question` is another; the one before stands meanwhile. */
export function useAsked<T>(ask: () => Promise<T>, question: string): Loaded<T> {
  const [state, setState] = useState<Loaded<T>>({ value: undefined, error: '' })
  const asking = useRef(ask)
  useEffect(() => {
    asking.current = ask
  })
  useEffect(() => {
    let current = true
    asking.current().then(
      (value) => current && setState({ value, error: '' }),
      (error: unknown) => current && setState({ value: undefined, error: messageOf(error) }),
    )
    return () => {
      current = false
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the question says when to ask again
  }, [question])
  return state
}
