import type { PolicyView } from '@shared/domain/settings'
import { visibleLine } from '@shared/visible-text'
import { HashChip } from '../ui/hash-chip'
import { Note } from '../ui/note'
import { VisibleText } from '../ui/visible-text'
import type { PageProps } from './pages'
import { Page, Row } from './rows'
import { words } from './strings'

const SOURCES: Record<PolicyView['source'], string> = {
  file: words.enterprisePage.inForceAsThe,
  'last-good': words.enterprisePage.theFileCantBe,
  'locked-down': words.enterprisePage.theFileCantBeUsed,
  none: words.enterprisePage.noPolicyNobodyBut,
}

/** What an organisation decides on this computer; nothing can be changed here. */
export function EnterprisePage({ view: { policy } }: PageProps) {
  const isFine = policy.source === 'file' || policy.source === 'none'
  return (
    <Page title={words.enterprisePage.enterprise}>
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
      <Row name={words.enterprisePage.policy} hint={SOURCES[policy.source]}>
        <span className="small t2">
          {policy.source === 'none' ? words.enterprisePage.none : visibleLine(policy.organisation)}
        </span>
      </Row>
      {policy.file !== '' && (
        <Row
          name={words.enterprisePage.file}
          hint={policy.version === '' ? undefined : words.enterprisePage.version(visibleLine(policy.version))}
        >
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
