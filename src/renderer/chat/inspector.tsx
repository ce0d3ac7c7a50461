import type { SessionDetail } from '@shared/domain/session'
import { visibleLine } from '@shared/visible-text'
import { IconButton } from '../ui/button'
import { formatNumber } from '../ui/format'
import { CloseIcon, PinnedIcon } from '../ui/icons'
import { unloadSkill } from './skills-bar'
import { chat } from './strings'

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
  return (
    <aside className="insp chat-insp" aria-label={chat.details} data-pane="details" style={{ width }}>
      <ContextMeter context={detail.context} />
      <SkillsHere detail={detail} />
    </aside>
  )
}

/** Tokens of the next call. */
export function usedTokens(context: SessionDetail['context']): number {
  return SEGMENTS.reduce((sum, [segment]) => sum + context[segment], 0)
}

function ContextMeter({ context }: { context: SessionDetail['context'] }) {
  const used = usedTokens(context)
  const percent = Math.round((used / context.window) * 100)
  return (
    <section>
      <div className="row">
        <h2>{chat.context}</h2>
        <span className="sp" />
        <span className="small num t2" title="Estimated">
          {chat.used(used, context.window)}
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
            <span className="num">{formatNumber(context[segment])}</span>
          </li>
        ))}
      </ul>
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
