import type { SessionDetail } from '@shared/domain/session'
import { visibleLine } from '@shared/visible-text'
import { focusComposer } from '../../shell/actions'
import { useSkillList } from '../../stores/skills'
import { ScopeIcon } from '../../ui/marks'
import { drafts } from './drafts'
import { suggestionsFrom } from './suggest'
import { chat } from '../strings'

/** An empty chat: real suggestions from the person's own skills. A click fills the message box and never sends. */
export function NewChat({ detail }: { detail: SessionDetail }) {
  const list = useSkillList(detail.projectDir)
  const suggestions = suggestionsFrom(list?.skills ?? [])
  const scopes = new Map(list?.skills.map((skill) => [skill.key, skill.scope]))
  return (
    <div
      className="tr new-chat"
      role="log"
      aria-label={chat.transcript}
      aria-live="off"
      data-pane="transcript"
    >
      {suggestions.length > 0 && (
        <section className="suggestions" aria-label={chat.tryThese}>
          <h2 className="small t3">{chat.tryThese}</h2>
          {suggestions.map((suggestion) => (
            <button
              key={suggestion.key}
              type="button"
              className="suggestion"
              onClick={() => {
                drafts.write(detail.id, suggestion.text)
                focusComposer()
              }}
            >
              <ScopeIcon scope={scopes.get(suggestion.key) ?? 'bundled'} />
              <span className="trunc t2">
                {`${chat.tryWord} `}
                <span className="mono m">{visibleLine(suggestion.name)}</span>
                {`: ${visibleLine(suggestion.words)}`}
              </span>
            </button>
          ))}
        </section>
      )}
    </div>
  )
}
