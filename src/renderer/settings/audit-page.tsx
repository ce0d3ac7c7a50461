import { useEffect } from 'react'
import { audit } from '../audit/strings'
import { goTo } from '../stores/ui'
import { useAudit, verifyAudit } from '../stores/audit'
import { Button } from '../ui/button'
import type { PageProps } from './pages'
import { Page, Row, save } from './rows'
import { TypedField } from './typed-field'
import { words } from './strings'

/** What is kept of what happened, and where else it is written. */
export function AuditPage({ view }: PageProps) {
  const { verdict, verifying } = useAudit((state) => state)
  useEffect(() => void verifyAudit(true), [])
  const { auditFile } = view.settings
  return (
    <Page title={words.auditPage.audit}>
      <Row
        name={words.auditPage.theLog}
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
            {words.auditPage.verifyNow}
          </Button>
          <Button small onClick={() => goTo({ area: 'audit' })}>
            {words.auditPage.openAudit}
          </Button>
        </span>
      </Row>
      <Row name={words.auditPage.howLongItIs} hint={words.auditPage.entriesAreNeverChanged}>
        <span className="small t2">{words.auditPage.forEver}</span>
      </Row>
      <Row
        name={words.auditPage.alsoWriteItTo}
        setting="auditFile"
        hint={words.auditPage.oneLineOfJson}
        onReset={auditFile === '' ? undefined : () => save({ auditFile: '' })}
      >
        <TypedField
          label={words.auditPage.alsoWriteItTo}
          shown={auditFile}
          read={(text) => ({ value: text.trim() })}
          onSave={(path) => save({ auditFile: path })}
          input={{ placeholder: '/var/log/satchel/audit.jsonl' }}
        />
      </Row>
    </Page>
  )
}
