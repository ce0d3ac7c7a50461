import { useEffect, useState } from 'react'

/** The time, told again every `everyMs` while `running`; no timer otherwise. */
export function useNow(everyMs: number, running = true): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = running ? setInterval(() => setNow(Date.now()), everyMs) : undefined
    return () => clearInterval(timer)
  }, [everyMs, running])
  return now
}
