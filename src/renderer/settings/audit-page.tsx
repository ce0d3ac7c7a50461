import { useEffect } from 'react'
import { audit } from '../audit/strings'
import { goTo } from '../stores/ui'
import { useAudit, verifyAudit } from '../stores/audit'
import { Button } from '../ui/button'
import type { PageProps } from './pages'
import { Page, Row, save } from './rows'
import { TypedField } from './typed-field'

/** What is kept of what happened, and where else it is written. */
export function AuditPage({ view }: PageProps) {
  const { verdict, verifying } = useAudit((state) => state)
  useEffect(() => void verifyAudit(true), [])
  const { auditFile } = view.settings
  return (
    <Page title="Audit">
      <Row
        name="The log"
        hint={
          verdict?.firstBad
            ? audit.broken(verdict.firstBad, verdict.fault)
            : verdict
              ? audit.verified(verdict.entries)
              : audit.verifying
        }
      >
        <span className="row">
          <Button small unavailable={verifying && audit.verifying} onClick={() => void verifyAudit(false)}>
            Verify now
          </Button>
          <Button small onClick={() => goTo({ area: 'audit' })}>
            Open Audit
          </Button>
        </span>
      </Row>
      <Row name="How long it is kept" hint="Entries are never changed or removed by Satchel.">
        <span className="small t2">For ever</span>
      </Row>
      <Row
        name="Also write it to a file"
        setting="auditFile"
        hint="One line of JSON for each entry, for a collector. A full path; empty for none. It begins with the first entry and catches up by itself."
        onReset={auditFile === '' ? undefined : () => save({ auditFile: '' })}
      >
        <TypedField
          label="Also write it to a file"
          shown={auditFile}
          read={(text) => ({ value: text.trim() })}
          onSave={(path) => save({ auditFile: path })}
          input={{ placeholder: '/var/log/satchel/audit.jsonl' }}
        />
      </Row>
    </Page>
  )
}
