import { useState } from 'react'
import { api } from '../api'
import { guarded, pauseAgents } from '../shell/actions'
import { useApprovals } from '../stores/approvals'
import { useSessions } from '../stores/sessions'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { words } from './words'

/** What concerns every chat: refusing all that waits, and stopping every agent. There is no way to allow all. */
export function AllAtOnce() {
  const waiting = useApprovals((state) => state.pending.length)
  const running = useSessions((state) => state.list?.filter((chat) => chat.state === 'running').length ?? 0)
  const [asking, setAsking] = useState(false)
  const denyAll = (): void => {
    setAsking(false)
    void guarded(async () => void (await api.call('approvals.denyAll', {})))
  }
  return (
    <>
      {running > 0 && <Button onClick={() => void guarded(pauseAgents)}>{words.pauseAll}</Button>}
      {waiting > 0 && <Button onClick={() => setAsking(true)}>{words.denyAll}</Button>}
      {asking && (
        <Dialog
          open
          onClose={() => setAsking(false)}
          title={words.denyAllTitle(words.allAtOnce.request(waiting))}
          footer={
            <>
              <Button onClick={() => setAsking(false)}>{words.keep}</Button>
              <Button variant="risk" onClick={denyAll}>
                {words.denyAllNow}
              </Button>
            </>
          }
        >
          <p>{words.denyAllText}</p>
        </Dialog>
      )}
    </>
  )
}
