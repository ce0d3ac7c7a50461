import type { ReactNode } from 'react'
import type { SkillDetail, SkillList } from '@shared/domain/skill'
import { Button } from '../ui/button'
import { formatNumber } from '../ui/format'
import { HashChip } from '../ui/hash-chip'
import { FolderOpenIcon, ProjectIcon, ReadIcon, RunIcon } from '../ui/icons'
import { ScopeMark, StatusMark } from '../ui/marks'
import { Note } from '../ui/note'
import { VisibleText } from '../ui/visible-text'
import { contents, costShare } from './skill-facts'
import type { ContentsRow } from './skill-facts'
import { Status } from './skill-grid'
import type { Loaded } from './use-skills'

export interface SkillPreviewProps {
  loaded: Loaded<SkillDetail>
  list: SkillList
  onOpen: (key: string) => void
  onReveal: (key: string) => void
}

/** The selected skill in short: what it is, which copy is used, and what it costs. */
export function SkillPreview({ loaded, list, onOpen, onReveal }: SkillPreviewProps) {
  const detail = loaded.value
  if (!detail) return <PreviewCounts list={list} error={loaded.error} />
  return (
    <aside className="insp skp" aria-label={detail.name} data-pane="details">
      <div className="skp-head">
        <h2 className="mono b skp-name">{detail.name}</h2>
        <div className="row skp-marks">
          <ScopeMark scope={detail.scope} />
          <Status skill={detail} />
          {detail.license && <span className="small t3">{detail.license}</span>}
        </div>
        {detail.statusReason && (
          <p className="small t2">
            <VisibleText text={detail.statusReason} />
          </p>
        )}
        <p className="skp-desc">
          <VisibleText text={detail.description} />
        </p>
        <div className="row skp-acts">
          <Button small variant="solid" onClick={() => onOpen(detail.key)}>
            Open
          </Button>
          <Button small icon={<FolderOpenIcon size={14} />} onClick={() => onReveal(detail.key)}>
            Show in folder
          </Button>
        </div>
      </div>
      <div className="skp-body">
        {detail.scriptsBlocked && (
          <Note tone="warn" title="Its scripts can’t run">
            {detail.scriptsBlocked}
          </Note>
        )}
        <CopyStack detail={detail} />
        <CostBars detail={detail} />
        <Section title="Contents">
          <div className="col small skp-contents">
            {contents(detail).map((row) => (
              <ContentsLine key={row.name} row={row} />
            ))}
            {detail.fileListCut && <span className="t3">and more: only the first 200 files are listed</span>}
          </div>
        </Section>
        <Section title="Where it came from">
          <dl className="kv">
            <dt>Folder</dt>
            <dd className="mono">{detail.location}</dd>
            <dt>Content</dt>
            <dd>
              <HashChip hash={detail.treeDigest} />
            </dd>
          </dl>
        </Section>
      </div>
    </aside>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** All copies with this name, in order; exactly one is used, or none. */
function CopyStack({ detail }: { detail: SkillDetail }) {
  return (
    <Section title="Which copy is used">
      <ol className="skp-copies">
        {detail.copies.map((copy, index) => (
          <li
            key={copy.key}
            className={copy.used ? 'row on' : 'row'}
            data-scope={copy.scope}
            data-effective={copy.used}
          >
            <span className="num small b">{index + 1}</span>
            <ScopeMark scope={copy.scope} />
            <span className="small mono grow trunc" title={copy.location}>
              {copy.location}
            </span>
            {copy.used ? <StatusMark tone="ok">Used</StatusMark> : <span className="small t3">Not used</span>}
          </li>
        ))}
      </ol>
      <p className="small t3">{copyReason(detail)}</p>
    </Section>
  )
}

function copyReason(detail: SkillDetail): string {
  if (detail.statusReason) return detail.statusReason
  if (detail.copies.length < 2) return 'There is only this copy.'
  return 'The first copy in this order is used.'
}

function CostBars({ detail }: { detail: SkillDetail }) {
  const { catalogue, body, files } = detail.tokens
  const largest = Math.max(catalogue, body, files)
  const bars: [string, number, string][] = [
    ['Catalogue line', catalogue, 'var(--text-2)'],
    ['When loaded', body, 'var(--accent)'],
    ['Files, on demand', files, 'var(--scope-plug)'],
  ]
  return (
    <Section title="Cost in context">
      {bars.map(([label, tokens, color]) => (
        <div
          key={label}
          className="row small skp-bar"
          title={`About ${formatNumber(tokens)} tokens: characters / 4`}
        >
          <span className="t2">{label}</span>
          <span className="skp-meter grow" aria-hidden="true">
            <span style={{ width: `${costShare(tokens, largest)}%`, background: color }} />
          </span>
          <span className="num r">{formatNumber(tokens)}</span>
        </div>
      ))}
      {detail.scripts > 0 && <p className="small t3">Scripts are run, never read: 0 tokens.</p>}
    </Section>
  )
}

const CONTENTS_ICON = { skill: ReadIcon, file: ReadIcon, folder: ProjectIcon, scripts: RunIcon }

function ContentsLine({ row }: { row: ContentsRow }) {
  const Mark = CONTENTS_ICON[row.kind]
  return (
    <span className="row">
      <Mark size={14} />
      <span className="mono grow trunc">{row.name}</span>
      <span className="t3 num">{row.text}</span>
    </span>
  )
}

/** Nothing selected: numbers of the list, or why the skill can't be shown. */
function PreviewCounts({ list, error }: { list: SkillList; error: string }) {
  const count = (status: string): number => list.skills.filter((skill) => skill.status === status).length
  return (
    <aside className="insp skp" aria-label="Details" data-pane="details">
      <div className="skp-body">
        {error && <Note tone="bad">{error}</Note>}
        <dl className="kv">
          <dt>Effective</dt>
          <dd className="num">{count('effective')}</dd>
          <dt>Shadowed</dt>
          <dd className="num">{count('shadowed')}</dd>
          <dt>Won’t load</dt>
          <dd className="num">{count('broken')}</dd>
          <dt>Not trusted</dt>
          <dd className="num">{count('not-trusted')}</dd>
        </dl>
      </div>
    </aside>
  )
}
