import { useRef } from 'react'
import type { McpPlan } from '@shared/domain/approval'
import { visibleText } from '@shared/visible-text'
import { CopyButton } from '../../ui/copy-button'
import { PropertyList } from '../../ui/property-list'
import { useOnScreen } from '../../ui/use-on-screen'
import { words } from '../words'
import { reviewWords } from './review-strings'

/** The arguments as they are sent; nothing of them is left out or shortened. */
export function callText(plan: McpPlan): string {
  return JSON.stringify(plan.arguments, null, 2)
}

/** The exact call of an MCP tool. `onSeen` is called once its end was on the screen. */
export function ReviewCall({ plan, onSeen }: { plan: McpPlan; onSeen: () => void }) {
  const end = useRef<HTMLSpanElement>(null)
  useOnScreen(end, onSeen)
  return (
    <div className="rv-cmd rv-call">
      <div className="row rv-cmd-head">
        <span className="small b">{words.exactCall}</span>
        <span className="sp" />
        <CopyButton text={() => callText(plan)} label={reviewWords.reviewCall.copyCall} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <pre className="code" aria-label={words.exactCall} tabIndex={0}>
        {visibleText(callText(plan), '\n')}
        <span ref={end} className="rv-end" />
      </pre>
    </div>
  )
}

/** Where the call goes, and what the server says about its tool: claims, nothing that was checked. */
export function CallFacts({ plan }: { plan: McpPlan }) {
  const claims = Object.entries(plan.tool.annotations)
  const description = plan.tool.description.trim()
  return (
    <>
      <section>
        <h2>{words.about}</h2>
        <PropertyList
          rows={[
            [
              reviewWords.reviewCall.mcpServer,
              <span key="server" className="mono">
                {visibleText(plan.server.name)}
              </span>,
            ],
            [
              reviewWords.reviewCall.tool,
              <span key="tool" className="mono">
                {visibleText(plan.tool.name)}
              </span>,
            ],
          ]}
        />
        <p className="small t2">{words.callAnswer}</p>
      </section>
      <section>
        <h2>{words.claimed}</h2>
        {description && <p className="small t2 rv-claim">{visibleText(description, '\n')}</p>}
        {claims.length === 0 ? (
          <p className="small t2">{words.noClaims}</p>
        ) : (
          <PropertyList
            rows={claims.map(([name, value]) => [
              visibleText(name),
              visibleText(JSON.stringify(value) ?? ''),
            ])}
          />
        )}
      </section>
    </>
  )
}
