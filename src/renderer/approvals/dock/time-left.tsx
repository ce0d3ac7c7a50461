import { useEffect } from 'react'
import type { RequestSummary } from '@shared/domain/approval'
import { api } from '../../api'
import { guarded } from '../../shell/actions'
import { refreshApprovals } from '../../stores/approvals'
import { announce } from '../../ui/announce'
import { Button } from '../../ui/button'
import { formatClock } from '../../ui/format'
import { Note } from '../../ui/note'
import { useNow } from '../../ui/use-now'
import { words } from '../words'

const SOON_MS = 60_000
/** Ids with their ends: each is said once, wherever it is shown. */
const said = new Set<string>()

/** A minute before a request ends by itself, the way to keep it; nothing counts down. */
export function TimeLeft({ request: { id, endsAt } }: { request: RequestSummary }) {
  const now = useNow(1000)
  const isSoon = endsAt !== undefined && endsAt - now <= SOON_MS
  useEffect(() => {
    const key = `${id} ${endsAt}`
    if (!isSoon || said.has(key)) return
    said.add(key)
    announce(words.endsSoon)
  }, [isSoon, id, endsAt])
  if (!isSoon) return null
  const extend = () =>
    guarded(async () => {
      await api.call('approvals.extend', { requestId: id })
      await refreshApprovals()
    })
  return (
    <Note
      tone="warn"
      action={
        <Button small onClick={() => void extend()}>
          {words.extend}
        </Button>
      }
    >
      {words.endsAt(formatClock(endsAt))}
    </Note>
  )
}
