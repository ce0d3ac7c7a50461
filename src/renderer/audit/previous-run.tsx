import type { AuditDetail } from '@shared/domain/audit'
import { selectEntry } from '../stores/audit'
import { Button } from '../ui/button'
import { audit } from './strings'

/** How the run of the same script before this one differs. */
export function PreviousRun(props: {
  run: NonNullable<AuditDetail['run']>
  previous: NonNullable<AuditDetail['previous']>
}) {
  const { run, previous } = props
  return (
    <section className="aud-previous small">
      <h3>{audit.previousRun}</h3>
      <p>{previous.treeDigest === run.treeDigest ? audit.sameSkill : audit.otherSkill}</p>
      <p>
        {previous.exitCode === run.exitCode
          ? audit.sameEnd
          : audit.otherEnd(exitWord(previous.exitCode), exitWord(run.exitCode))}
      </p>
      <Button small onClick={() => selectEntry(previous.seq)}>
        {audit.openPrevious(previous.seq)}
      </Button>
    </section>
  )
}

function exitWord(code: number | null): string {
  return code === null ? audit.none : String(code)
}
