import type { ReactNode } from 'react'
import type { SkillDetail } from '@shared/domain/skill'
import { formatNumber } from '../../ui/format'
import { HashChip } from '../../ui/hash-chip'
import { NotTrustedIcon, ProjectIcon, ReadIcon, RunIcon } from '../../ui/icons'
import { Tag } from '../../ui/marks'
import { VisibleText } from '../../ui/visible-text'
import { contents, costShare } from './skill-facts'
import type { ContentsRow } from './skill-facts'
import { skillWords } from '../skill-strings'

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
      <Section title={skillWords.skillSections.costInContext}>
        <p className="small t3">{skillWords.skillSections.nothingNoAgentSees}</p>
      </Section>
    )
  }
  const { catalogue, body, files } = detail.tokens
  const largest = Math.max(catalogue, body, files)
  const bars: [string, number, string][] = [
    [skillWords.skillSections.catalogueLine, catalogue, 'var(--text-2)'],
    [skillWords.skillSections.whenLoaded, body, 'var(--accent)'],
    [skillWords.skillSections.filesOnDemand, files, 'var(--scope-plug)'],
  ]
  return (
    <Section title={skillWords.skillSections.costInContext}>
      {bars.map(([label, tokens, color]) => (
        <div
          key={label}
          className="row small skp-bar"
          title={skillWords.skillSections.aboutTokensEstimated(tokens)}
        >
          <span className="t2">{label}</span>
          <span className="skp-meter grow" aria-hidden="true">
            <span style={{ width: `${costShare(tokens, largest)}%`, background: color }} />
          </span>
          <span className="num r">{formatNumber(tokens)}</span>
        </div>
      ))}
      {detail.scripts > 0 && <p className="small t3">{skillWords.skillSections.scriptsAreRunNever}</p>}
    </Section>
  )
}

export function Contents({ detail }: { detail: SkillDetail }) {
  return (
    <Section title={skillWords.skillSections.contents}>
      <div className="col small skp-contents">
        {contents(detail).map((row) => (
          <ContentsLine key={row.name} row={row} />
        ))}
        {detail.fileListCut && <span className="t3">{skillWords.skillSections.andMoreOnlyThe}</span>}
      </div>
    </Section>
  )
}

/** Folder, whose it is, and what exactly is in it. */
export function Origin({ detail }: { detail: SkillDetail }) {
  const facts: [string, string | undefined][] = [
    [skillWords.skillSections.tool, detail.tool],
    [skillWords.skillSections.plugin, detail.package],
    [skillWords.skillSections.git, detail.origin],
    [skillWords.skillSections.author, detail.author],
    [skillWords.skillSections.license, detail.license],
  ]
  return (
    <Section title={skillWords.skillSections.whereItCameFrom}>
      <dl className="kv">
        <dt>{skillWords.skillSections.folder}</dt>
        <dd className="mono">
          <VisibleText text={detail.location} />
        </dd>
        {facts.map(([name, value]) => value !== undefined && <Fact key={name} name={name} value={value} />)}
        {detail.readOnly && (
          <>
            <dt>{skillWords.skillSections.changes}</dt>
            <dd className="row skp-readonly">
              <NotTrustedIcon size={14} />
              {skillWords.skillSections.readOnlySatchelWrites}
            </dd>
          </>
        )}
        <dt>{skillWords.skillSections.content}</dt>
        <dd>
          {detail.treeDigest === '' ? (
            skillWords.skillSections.cantBeRead
          ) : (
            <HashChip hash={detail.treeDigest} />
          )}
        </dd>
      </dl>
    </Section>
  )
}

export function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null
  return (
    <ul className="row skp-tags" aria-label={skillWords.skillSections.tags}>
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
