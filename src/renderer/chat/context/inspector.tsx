import { OFFER_AT } from '@shared/context-fullness'
import type { SessionDetail } from '@shared/domain/session'
import { visibleLine } from '@shared/visible-text'
import { clsx } from 'clsx'
import { Button, IconButton } from '../../ui/button'
import { formatEstimate } from '../../ui/format'
import { CloseIcon, PinnedIcon, WarningIcon } from '../../ui/icons'
import { CompactButton } from '../transcript/compaction'
import { ContextPanel } from './context-panel'
import { showContext, useShownContext } from './context-place'
import { useChildChat } from '../../stores/child-chat'
import { unloadSkill } from '../skills-bar'
import { chat } from '../strings'

type Segment = keyof typeof chat.meter

/** In the order in which a call is composed; each with the colour of its part in the meter. */
const SEGMENTS: [Segment, string][] = [
  ['rules', 'var(--scope-bund)'],
  ['catalogue', 'var(--text-3)'],
  ['activeSkills', 'var(--accent)'],
  ['filesRead', 'var(--scope-pers)'],
  ['conversation', 'var(--scope-plug)'],
]

/** The right panel of a chat: what the next call holds, and the skills in it. */
export function Inspector({ detail, width }: { detail: SessionDetail; width: number }) {
  const shown = useShownContext(detail.id)
  return (
    <aside className="insp chat-insp" aria-label={chat.details} data-pane="details" style={{ width }}>
      {shown ? (
        <ShownContext key={shown.messageId ?? 'next'} detail={detail} shown={shown} />
      ) : (
        <>
          <ContextMeter detail={detail} />
          <SkillsHere detail={detail} />
          <Cost spent={detail.spent} />
        </>
      )}
    </aside>
  )
}

type Shown = NonNullable<ReturnType<typeof useShownContext>>

function ShownContext({ detail, shown }: { detail: SessionDetail; shown: Shown }) {
  if (shown.sessionId === detail.id) return <ContextPanel detail={detail} {...shown} />
  return <ChildContext shown={shown} />
}

/** Of a chat that a step of this one began. */
function ChildContext({ shown }: { shown: Shown }) {
  const child = useChildChat(shown.sessionId)
  return child ? <ContextPanel detail={child.detail} of={child.detail.title} {...shown} /> : null
}

/** From here on the meter says that the window fills up. */
const WARN_AT = 0.75

function ContextMeter({ detail }: { detail: SessionDetail }) {
  const { context } = detail
  const { counted, used } = context
  const share = used / context.window
  const percent = Math.round((used / context.window) * 100)
  return (
    <section>
      <div className="row">
        <h2>{chat.context}</h2>
        <span className="sp" />
        {share >= WARN_AT && <WarningIcon size={14} className="attn" aria-hidden="true" />}
        <span
          className={clsx('small num', share >= OFFER_AT ? 'attn' : 't2')}
          title={counted ? chat.countedHint : chat.estimatedHint}
        >
          {chat.used(used, context.window, counted)}
        </span>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn from elements, not from a file */}
      <div className="meter" role="img" aria-label={chat.usedSpoken(percent)}>
        {SEGMENTS.map(([segment, color]) => (
          <span
            key={segment}
            style={{ width: `${(context[segment] / context.window) * 100}%`, background: color }}
          />
        ))}
      </div>
      <ul className="legend small">
        {SEGMENTS.map(([segment, color]) => (
          <li key={segment} className="row">
            <span className="swatch" style={{ background: color }} />
            <span className="t2 grow">{chat.meter[segment]}</span>
            <span className="num">{formatEstimate(context[segment])}</span>
          </li>
        ))}
      </ul>
      <div className="row meter-tools">
        <Button
          small
          onClick={() =>
            showContext({ chatId: detail.id, sessionId: detail.id, messageId: null, open: null })
          }
        >
          {chat.whatModelSaw}
        </Button>
        {context.conversation > 0 && (
          <CompactButton sessionId={detail.id} state={detail.state} label={chat.compactNow} />
        )}
      </div>
    </section>
  )
}

function SkillsHere({ detail }: { detail: SessionDetail }) {
  const skills = detail.activeSkills
  return (
    <section>
      <div className="row">
        <h2>{chat.skillsHere}</h2>
        <span className="sp" />
        <span className="small t3 num">{chat.ofMax(skills.length, detail.maxActiveSkills)}</span>
      </div>
      {skills.length === 0 && <p className="small t3">{chat.noSkillsHere}</p>}
      <ol>
        {skills.map((skill) => (
          <li key={skill.name} className="row skill-here">
            <div className="col grow">
              <span className="mono m trunc">{visibleLine(skill.name)}</span>
              <span className="small t3">{skill.alwaysOn ? chat.byAgent : chat.loadedAt(skill.step)}</span>
            </div>
            {skill.alwaysOn ? (
              <PinnedIcon aria-hidden="true" />
            ) : (
              <IconButton
                label={`${chat.unload} ${visibleLine(skill.name)}`}
                onClick={() => unloadSkill(detail.id, skill.name)}
              >
                <CloseIcon />
              </IconButton>
            )}
          </li>
        ))}
      </ol>
      {skills.length > 0 && <p className="small t3 wins">{chat.laterWins}</p>}
    </section>
  )
}

/** What the answers of this chat used; nothing where they came from this computer. */
function Cost({ spent }: { spent: SessionDetail['spent'] }) {
  if (spent === null) return null
  const { costUsd, estimated, inputTokens, local, outputTokens, unpriced } = spent
  if (local || inputTokens + outputTokens === 0) return null
  return (
    <section>
      <div className="row">
        <h2>{chat.cost}</h2>
        <span className="sp" />
        <span className="small num">{chat.dollars(costUsd, unpriced)}</span>
      </div>
      <p className="small t2 num">{chat.tokensInOut(inputTokens, outputTokens)}</p>
      {costUsd > 0 && <p className="small t3">{chat.pricesAsOf}</p>}
      {estimated > 0 && <p className="small t3">{chat.estimatedCalls(estimated)}</p>}
      {unpriced > 0 && <p className="small t3">{chat.unpriced(unpriced)}</p>}
    </section>
  )
}
