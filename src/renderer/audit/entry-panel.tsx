import { useEffect, useState } from 'react'
import { auditWords } from '@shared/audit-words'
import type { AuditDetail } from '@shared/domain/audit'
import { api, messageOf } from '../api'
import { LiveTerminal } from '../chat/terminal/terminal'
import { selectEntry, useAudit } from '../stores/audit'
import { useSettings } from '../stores/settings'
import { Button, IconButton } from '../ui/button'
import { announce } from '../ui/announce'
import { CommandBlock } from '../ui/command-block'
import { formatNumber, placeName } from '../ui/format'
import { CloseIcon } from '../ui/icons'
import { Note } from '../ui/note'
import { PropertyList } from '../ui/property-list'
import { VisibleText } from '../ui/visible-text'
import { chatRows, eventRows, hashOf, runRows } from './entry-rows'
import { auditLink } from './link'
import { PreviousRun } from './previous-run'
import { showInChat } from './show-in-chat'
import { audit } from './strings'

/** What one entry says, whole. */
export function EntryPanel() {
  const selected = useAudit((state) => state.selected)
  const { detail, error } = useEntry(selected)
  return (
    <aside className="insp aud-insp" aria-label={audit.entry} data-pane="details">
      {error && <Note tone="bad">{error}</Note>}
      {selected === null && <Nothing />}
      {detail && selected !== null && <Entry key={detail.event.seq} detail={detail} />}
    </aside>
  )
}

function useEntry(seq: number | null): { detail: AuditDetail | null; error: string } {
  const [known, setKnown] = useState<{ detail: AuditDetail | null; error: string }>({
    detail: null,
    error: '',
  })
  useEffect(() => {
    if (seq === null) return undefined
    let current = true
    api.call('audit.entry', { seq }).then(
      (detail) => current && setKnown({ detail, error: '' }),
      (error: unknown) => current && setKnown({ detail: null, error: messageOf(error) }),
    )
    return () => {
      current = false
    }
  }, [seq])
  return known
}

function Nothing() {
  const { total, summary } = useAudit((state) => state)
  return (
    <div className="aud-entry">
      {summary && <p className="small t2">{audit.counts(total, summary.head)}</p>}
      <p className="small t3">{audit.choose}</p>
    </div>
  )
}

function Entry({ detail }: { detail: AuditDetail }) {
  const { event, run, previous } = detail
  const words = auditWords(event)
  const [compared, setCompared] = useState(false)
  const argv = run?.argv ?? argvOf(event.data['argv'])
  return (
    <>
      <div className="hd aud-entry-hd">
        <h2 className="trunc">{words.event}</h2>
        {words.result && <span className={`st ${words.result.tone}`}>{words.result.text}</span>}
        <span className="sp" />
        <IconButton label={audit.close} onClick={() => selectEntry(null)}>
          <CloseIcon />
        </IconButton>
      </div>
      <div className="aud-entry">
        {argv && <CommandBlock argv={argv} />}
        <Facts detail={detail} />
        {run && (
          <section>
            <h3 title={audit.outputKept}>{audit.output}</h3>
            <LiveTerminal runId={run.id} />
          </section>
        )}
        <Recorded detail={detail} />
        <Chain detail={detail} />
        <div className="row aud-acts">
          {detail.chat && (
            <Button small onClick={() => showInChat(detail)}>
              {audit.showInChat}
            </Button>
          )}
          {previous && (
            <Button small aria-expanded={compared} onClick={() => setCompared(!compared)}>
              {audit.compare}
            </Button>
          )}
          <Button small onClick={() => void copyLink(event.seq)}>
            {audit.copyLink}
          </Button>
        </div>
        {compared && run && previous && <PreviousRun run={run} previous={previous} />}
      </div>
    </>
  )
}

async function copyLink(seq: number): Promise<void> {
  await navigator.clipboard.writeText(auditLink({}, seq))
  announce(audit.entryPanel.copied)
}

function Facts({ detail }: { detail: AuditDetail }) {
  const view = useSettings((state) => state.view)
  const place = (path: string) => placeName(path, view ?? undefined)
  return <PropertyList rows={[...eventRows(detail), ...chatRows(detail, place), ...runRows(detail, place)]} />
}

/** Everything else that was recorded, as it was. */
function Recorded({ detail: { event } }: { detail: AuditDetail }) {
  const { context: _context, ...data } = event.data
  const text = JSON.stringify(data, null, 2)
  if (text === '{}') return null
  return (
    <details>
      <summary className="small b">{audit.details}</summary>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <pre className="code aud-json selectable" tabIndex={0} aria-label={audit.details}>
        <VisibleText text={text} />
      </pre>
    </details>
  )
}

function Chain({ detail: { event } }: { detail: AuditDetail }) {
  return (
    <section>
      <h3>{audit.chain}</h3>
      <PropertyList
        rows={[
          [audit.number, formatNumber(event.seq)],
          [audit.hash, hashOf(event.hash)],
          [audit.previous, hashOf(event.prevHash)],
        ]}
      />
    </section>
  )
}

function argvOf(value: unknown): string[] | null {
  return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : null
}
