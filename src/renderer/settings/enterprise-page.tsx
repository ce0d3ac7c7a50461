import type { PolicyView } from '@shared/domain/settings'
import { visibleLine } from '@shared/visible-text'
import { HashChip } from '../ui/hash-chip'
import { Note } from '../ui/note'
import { VisibleText } from '../ui/visible-text'
import type { PageProps } from './pages'
import { Page, Row } from './rows'

const SOURCES: Record<PolicyView['source'], string> = {
  file: 'In force, as the file says.',
  'last-good': 'The file can’t be used. What it said before is in force.',
  'locked-down': 'The file can’t be used. Every run asks, and no answer is remembered.',
  none: 'No policy: nobody but you decides here.',
}

/** What an organisation decides on this computer; nothing can be changed here. */
export function EnterprisePage({ view: { policy } }: PageProps) {
  const isFine = policy.source === 'file' || policy.source === 'none'
  return (
    <Page title="Enterprise">
      {!isFine && (
        <Note tone="bad" title={SOURCES[policy.source]}>
          {policy.notes.map((note) => (
            <p key={note}>{visibleLine(note)}</p>
          ))}
        </Note>
      )}
      {isFine && policy.notes.length > 0 && (
        <Note tone="warn">{policy.notes.map(visibleLine).join(' ')}</Note>
      )}
      <Row name="Policy" hint={SOURCES[policy.source]}>
        <span className="small t2">
          {policy.source === 'none' ? 'None' : visibleLine(policy.organisation)}
        </span>
      </Row>
      {policy.file !== '' && (
        <Row name="File" hint={policy.version === '' ? undefined : `Version ${visibleLine(policy.version)}`}>
          <span className="row">
            <code className="set-path selectable">{visibleLine(policy.file)}</code>
            {policy.digest !== '' && <HashChip hash={policy.digest} />}
          </span>
        </Row>
      )}
      {policy.demands.map((demand) => (
        <p key={demand} className="small set-demand">
          <VisibleText text={demand} />
        </p>
      ))}
    </Page>
  )
}
