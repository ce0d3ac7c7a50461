import type { ReactNode } from 'react'
import type { SkillDetail } from '@shared/domain/skill'
import { formatNumber } from '../ui/format'
import { HashChip } from '../ui/hash-chip'
import { NotTrustedIcon, ProjectIcon, ReadIcon, RunIcon } from '../ui/icons'
import { Tag } from '../ui/marks'
import { VisibleText } from '../ui/visible-text'
import { contents, costShare } from './skill-facts'
import type { ContentsRow } from './skill-facts'

/** A titled part of the details. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** Estimated tokens on the three levels (F9). What won't load costs nothing, and says so. */
export function CostBars({ detail }: { detail: SkillDetail }) {
  if (detail.status === 'broken') {
    return (
      <Section title="Cost in context">
        <p className="small t3">Nothing: no agent sees it while it won’t load.</p>
      </Section>
    )
  }
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
          title={`About ${formatNumber(tokens)} tokens, estimated`}
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

export function Contents({ detail }: { detail: SkillDetail }) {
  return (
    <Section title="Contents">
      <div className="col small skp-contents">
        {contents(detail).map((row) => (
          <ContentsLine key={row.name} row={row} />
        ))}
        {detail.fileListCut && <span className="t3">and more: only the first 200 files are listed</span>}
      </div>
    </Section>
  )
}

/** Folder, whose it is, and what exactly is in it. */
export function Origin({ detail }: { detail: SkillDetail }) {
  const facts: [string, string | undefined][] = [
    ['Tool', detail.tool],
    ['Plugin', detail.package],
    ['Git', detail.origin],
    ['Author', detail.author],
    ['License', detail.license],
  ]
  return (
    <Section title="Where it came from">
      <dl className="kv">
        <dt>Folder</dt>
        <dd className="mono">
          <VisibleText text={detail.location} />
        </dd>
        {facts.map(([name, value]) => value !== undefined && <Fact key={name} name={name} value={value} />)}
        {detail.readOnly && (
          <>
            <dt>Changes</dt>
            <dd className="row skp-readonly">
              <NotTrustedIcon size={14} />
              Read-only: Satchel writes nothing there
            </dd>
          </>
        )}
        <dt>Content</dt>
        <dd>{detail.treeDigest === '' ? 'Can’t be read' : <HashChip hash={detail.treeDigest} />}</dd>
      </dl>
    </Section>
  )
}

export function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null
  return (
    <ul className="row skp-tags" aria-label="Tags">
      {[...new Set(tags)].map((tag) => (
        <li key={tag}>
          <Tag>
            <VisibleText text={tag} />
          </Tag>
        </li>
      ))}
    </ul>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <VisibleText text={value} />
      </dd>
    </>
  )
}

const CONTENTS_ICON = { skill: ReadIcon, file: ReadIcon, folder: ProjectIcon, scripts: RunIcon }

function ContentsLine({ row }: { row: ContentsRow }) {
  const Mark = CONTENTS_ICON[row.kind]
  return (
    <span className="row">
      <Mark size={14} />
      <span className="mono grow trunc">
        <VisibleText text={row.name} />
      </span>
      <span className="t3 num">{row.text}</span>
    </span>
  )
}
