import type { AuditFilter, AuditFormat } from '@shared/domain/audit'
import { api, messageOf } from '../api'
import { auditStore, useAudit, verifyAudit, wholeFilter } from '../stores/audit'
import { addNotice } from '../stores/ui'
import { announce } from '../ui/announce'
import { Button } from '../ui/button'
import { CaretDownIcon, CopyIcon, ExportIcon, VerifiedIcon } from '../ui/icons'
import { StatusMark } from '../ui/marks'
import { Menu, MenuItem } from '../ui/menu'
import { Note } from '../ui/note'
import { auditLink } from './link'
import { audit } from './strings'

/** Title, whether the log is whole, and what can be taken out of it. */
export function AuditHead() {
  const verdict = useAudit((state) => state.verdict)
  return (
    <>
      <div className="hd aud-hd">
        <h1 tabIndex={-1}>{audit.title}</h1>
        <Verdict />
        <span className="sp" />
        <Button icon={<CopyIcon size={14} />} onClick={() => void copyLink()}>
          {audit.copyLink}
        </Button>
        <ExportButton />
      </div>
      {verdict?.firstBad && (
        <div className="aud-bad">
          <Note
            tone="bad"
            title={audit.broken(verdict.firstBad, verdict.fault)}
            action={<Button onClick={() => void exportAll()}>{audit.exportForInvestigation}</Button>}
          >
            {audit.fault[verdict.fault ?? 'changed']}
          </Note>
        </div>
      )}
      {verdict?.remarks && (
        <div className="aud-bad">
          <Note tone="warn">{verdict.remarks.join(' ')}</Note>
        </div>
      )}
    </>
  )
}

function Verdict() {
  const { verdict, verifying } = useAudit((state) => state)
  if (!verdict || verdict.firstBad !== null) {
    return verifying ? <span className="small t3">{audit.verifying}</span> : null
  }
  return (
    <button
      type="button"
      className="aud-verdict"
      title={audit.verifyAgain}
      onClick={() => void verifyAudit(false)}
    >
      <StatusMark tone="ok" icon={<VerifiedIcon aria-hidden="true" />}>
        {verifying ? audit.verifying : audit.verified(verdict.entries)}
      </StatusMark>
    </button>
  )
}

function ExportButton() {
  const total = useAudit((state) => state.total)
  return (
    <span className="split">
      <Button
        icon={<ExportIcon size={14} />}
        unavailable={total === 0 && audit.nothingToExport}
        onClick={() => void exportShown('csv')}
      >
        {audit.exportRows(total)}
      </Button>
      <Menu
        align="end"
        trigger={
          <Button aria-label={audit.exportMore}>
            <CaretDownIcon size={14} />
          </Button>
        }
      >
        <MenuItem onSelect={() => void exportShown('csv')} hint={audit.exportRows(total)}>
          {audit.csv}
        </MenuItem>
        <MenuItem onSelect={() => void exportShown('jsonl')} hint={audit.exportRows(total)}>
          {audit.jsonl}
        </MenuItem>
      </Menu>
    </span>
  )
}

async function copyLink(): Promise<void> {
  await navigator.clipboard.writeText(auditLink(wholeFilter(auditStore.getState())))
  announce(audit.auditHead.copied)
}

function exportShown(format: AuditFormat): Promise<void> {
  const state = auditStore.getState()
  return exportRows({ filter: wholeFilter(state), upTo: state.upTo, format })
}

/** Everything there is, whatever the list shows. */
function exportAll(): Promise<void> {
  const { summary, upTo } = auditStore.getState()
  return exportRows({ filter: {}, upTo: summary?.head ?? upTo, format: 'jsonl' })
}

interface Wanted {
  filter: AuditFilter
  upTo: number
  format: AuditFormat
}

async function exportRows(wanted: Wanted): Promise<void> {
  try {
    const { path, rows } = await api.call('audit.export', wanted)
    if (path !== null && rows !== null) addNotice('info', audit.exported(rows, path), 'audit-export')
  } catch (error) {
    addNotice('error', messageOf(error), 'audit-export')
  }
}
