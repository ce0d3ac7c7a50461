import type { SessionDetail } from '@shared/domain/session'
import { visibleLine } from '@shared/visible-text'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { Button } from '../ui/button'
import { Note } from '../ui/note'
import { fileText, unconfirmedText } from './composer/agent-words'
import { chat } from './strings'

/** What a person should know of the chat's agent, with what can be done about it. */
export function AgentNotes({ detail: { id: sessionId, agent } }: { detail: SessionDetail }) {
  const changed = fileText(agent)
  const unconfirmed = unconfirmedText(agent)
  if (changed === '' && unconfirmed === '' && agent.problems.length === 0) return null
  const call = (name: 'sessions.takeNewAgent' | 'sessions.confirmTools') =>
    void guarded(async () => void (await api.call(name, { sessionId })))
  return (
    <div className="banner agent-notes" data-agent-file={agent.file}>
      {changed !== '' && (
        <Note
          tone="info"
          action={
            agent.file === 'changed' && (
              <Button small onClick={() => call('sessions.takeNewAgent')}>
                {chat.takeNewAgent}
              </Button>
            )
          }
        >
          {visibleLine(changed)}
        </Note>
      )}
      {unconfirmed !== '' && (
        <Note
          tone="info"
          action={
            <Button small onClick={() => call('sessions.confirmTools')}>
              {chat.confirmTools}
            </Button>
          }
        >
          {visibleLine(unconfirmed)}
        </Note>
      )}
      {agent.problems.length > 0 && (
        <Note tone="warn">
          {agent.problems.map((problem) => (
            <p key={problem}>{visibleLine(problem)}</p>
          ))}
        </Note>
      )}
    </div>
  )
}
