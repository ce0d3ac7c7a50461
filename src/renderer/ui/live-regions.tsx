import { useEffect, useState } from 'react'
import { attachRegions } from './announce'

/** The two regions screen readers listen to; the transcript itself is silent (`ux.md` 6). */
export function LiveRegions() {
  const [polite, setPolite] = useState('')
  const [assertive, setAssertive] = useState('')
  useEffect(() => attachRegions(setPolite, setAssertive), [])
  return (
    <div className="sr">
      <div aria-live="polite" data-live="polite">
        {polite}
      </div>
      <div aria-live="assertive" data-live="assertive">
        {assertive}
      </div>
    </div>
  )
}
