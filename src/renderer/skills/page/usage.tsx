import type { SkillDetail } from '@shared/domain/skill'
import type { SkillUsage } from '@shared/domain/skill-page'
import { visibleLine } from '@shared/visible-text'
import { api } from '../../api'
import { showStep } from '../../audit/show-in-chat'
import { formatAgo, formatExact, formatNumber } from '../../ui/format'
import { LoadIcon, RunIcon } from '../../ui/icons'
import { EmptyState, Note } from '../../ui/note'
import { PropertyList } from '../../ui/property-list'
import { useNow } from '../../ui/use-now'
import { VisibleText } from '../../ui/visible-text'
import { Waiting } from '../../ui/waiting'
import { Section } from '../preview/skill-sections'
import { page } from './strings'
import { useAsked } from './use-asked'

const MINUTE = 60_000

/** What was done with this copy on this computer (G5). */
export function Usage({ detail, projectDir }: { detail: SkillDetail; projectDir: string | null }) {
  const { key, treeDigest } = detail
  const { value, error } = useAsked(
    () => api.call('skillPage.usage', { projectDir, key }),
    JSON.stringify([projectDir, key, treeDigest]),
  )
  const words = page.usage
  if (error) return <Note tone="bad">{error}</Note>
  if (!value) return <Waiting text={page.reading} />
  return (
    <div className="skus">
      <p className="small t2">{words.intro}</p>
      {value.unusedFor !== null && <Note tone="info">{words.unused(value.unusedFor)}</Note>}
      <Counts usage={value} />
      {value.activeIn.length > 0 && (
        <Section title={words.activeIn}>
          <ul aria-label={words.activeIn}>
            {value.activeIn.map(({ id, title }) => (
              <li key={id}>
                <button type="button" className="linklike" onClick={() => showStep(id, undefined)}>
                  {visibleLine(title)}
                </button>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={words.last}>
        {value.last.length === 0 ? <EmptyState text={words.never} /> : <LastUses last={value.last} />}
      </Section>
    </div>
  )
}

function Counts({ usage }: { usage: SkillUsage }) {
  const { loads, runs, succeeded, failed, denied, chats, medianTokens, lastUsedAt } = usage
  const words = page.usage
  const now = useNow(MINUTE)
  const last =
    lastUsedAt === null ? (
      words.neverShort
    ) : (
      <span title={formatExact(lastUsedAt)}>{formatAgo(lastUsedAt, now)}</span>
    )
  return (
    <PropertyList
      rows={[
        [words.loads, formatNumber(loads)],
        [words.runs, formatNumber(runs)],
        [words.success, runs === 0 ? null : words.rate(succeeded, succeeded + failed)],
        [words.denied, formatNumber(denied)],
        [words.chats, formatNumber(chats)],
        [words.median, medianTokens === null ? null : words.tokens(medianTokens)],
        [words.lastUsed, last],
      ]}
    />
  )
}

function LastUses({ last }: { last: SkillUsage['last'] }) {
  const now = useNow(MINUTE)
  return (
    <ol className="skus-last" aria-label={page.usage.last}>
      {last.map((use) => (
        <li key={`${use.kind} ${use.at} ${use.sessionId} ${use.step}`}>
          {use.kind === 'load' ? <LoadIcon size={14} /> : <RunIcon size={14} />}
          <span className="grow trunc">
            <VisibleText text={page.usage.use(use)} />
          </span>
          <ChatLink use={use} />
          <span className="small t3 num" title={formatExact(use.at)}>
            {formatAgo(use.at, now)}
          </span>
        </li>
      ))}
    </ol>
  )
}

function ChatLink({ use: { sessionId, title, step } }: { use: SkillUsage['last'][number] }) {
  if (sessionId === null || title === null) return <span className="small t3">{page.usage.chatGone}</span>
  return (
    <button
      type="button"
      className="linklike small trunc"
      onClick={() => showStep(sessionId, step !== null && step > 0 ? step : undefined)}
    >
      {page.usage.inChat(visibleLine(title), step)}
    </button>
  )
}
