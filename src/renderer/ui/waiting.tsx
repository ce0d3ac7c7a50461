import { useEffect, useState } from 'react'

/** What loads within this many milliseconds is not announced (`ux.md` 5.5). */
const SOON_MS = 200

/** In the place of what is not there yet: nothing at first, then a sentence that says what is waited for. */
export function Waiting({ text }: { text: string }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SOON_MS)
    return () => clearTimeout(timer)
  }, [])
  return <output className="empty t3">{late && text}</output>
}
