import { useState } from 'react'
import type { SkillDetail, SkillSummary } from '@shared/domain/skill'
import { SCOPE_NAMES } from '@shared/scope-names'
import { visibleLine } from '@shared/visible-text'
import { api } from '../../api'
import { guarded } from '../../shell/actions'
import { useProject } from '../../stores/projects'
import { useSkillList } from '../../stores/skills'
import { ScopeMark, StatusMark } from '../../ui/marks'
import { VisibleText } from '../../ui/visible-text'
import { CopyCompare } from './copy-compare'
import { library } from '../library-strings'
import { statusWords } from '../preview/skill-facts'
import { Section } from '../preview/skill-sections'
import { skillWords } from '../skill-strings'

export interface CopyStackProps {
  detail: SkillDetail
  projectDir: string | null
}

/** A copy with what the list knows of it. */
export type Copy = SkillDetail['copies'][number] & { row: SkillSummary | undefined }

/** All copies with this name, in order; exactly one is used, or none. A person can choose another one for a project. */
export function CopyStack({ detail, projectDir }: CopyStackProps) {
  const rows = useSkillList(projectDir)?.skills ?? []
  const project = useProject(projectDir)
  const keys = new Set(detail.copies.map(({ key }) => key))
  const byKey = new Map(rows.filter(({ key }) => keys.has(key)).map((row) => [row.key, row]))
  const copies = detail.copies.map((copy) => ({ ...copy, row: byKey.get(copy.key) }))
  const pin = (key: string | null) => {
    if (projectDir === null) return
    void guarded(async () => void (await api.call('skills.pin', { projectDir, name: detail.name, key })))
  }
  const chosen = copies.some(({ row }) => row?.pinned)
  const [comparing, setComparing] = useState<Copy | null>(null)
  const [first, second, third] = copies
  return (
    <Section title={skillWords.copyStack.whichCopyIsUsed}>
      <ol className="skp-copies">
        {copies.map((copy, index) => (
          <CopyLine
            key={copy.key}
            copy={copy}
            number={index + 1}
            onUse={projectDir !== null && canUse(copy, copies) ? () => pin(copy.key) : undefined}
            onCompare={third && copy !== first ? () => setComparing(copy) : undefined}
          />
        ))}
      </ol>
      <p className="small t3">{visibleLine(copyReason(detail, copies, project?.name))}</p>
      <div className="row skp-copy-acts">
        {second && !third && (
          <button type="button" className="linklike small" onClick={() => setComparing(second)}>
            {library.compareTwo}
          </button>
        )}
        {chosen && projectDir !== null && (
          <button type="button" className="linklike small" onClick={() => pin(null)}>
            {skillWords.copyStack.undoChoice}
          </button>
        )}
      </div>
      {first && comparing && (
        <CopyCompare
          name={detail.name}
          projectDir={projectDir}
          left={first}
          right={comparing}
          onClose={() => setComparing(null)}
        />
      )}
    </Section>
  )
}

/** Another copy may be chosen if it would be used: nothing overrules the organisation's (product.md, decision 1). */
export function canUse({ used, row }: Copy, copies: readonly Copy[]): boolean {
  if (used || row?.status !== 'shadowed' || row.pinned) return false
  return !copies.some((copy) => copy.used && copy.scope === 'enterprise')
}

/** Why the used copy is the one, in one sentence: what decided between it and the next. */
export function copyReason(
  detail: Pick<SkillDetail, 'status' | 'statusReason'>,
  copies: readonly Copy[],
  project = skillWords.copyStack.thisProject,
): string {
  const used = copies.find((copy) => copy.used)
  if (used?.row?.pinned) return skillWords.copyStack.youChoseTheCopy(SCOPE_NAMES[used.scope], project)
  if (!used) return detail.statusReason || skillWords.copyStack.noCopyIsUsed
  if (copies.length < 2) return skillWords.copyStack.thereIsOnlyThis
  return nextReason(used, copies) || skillWords.copyStack.theCopyIsUsed(SCOPE_NAMES[used.scope])
}

/** Empty when no other copy could be used; without the place, which stands above it. */
function nextReason({ location }: Copy, copies: readonly Copy[]): string {
  const reason = copies.find(({ row }) => row?.status === 'shadowed')?.row?.statusReason ?? ''
  const place = `: ${location}`
  return reason.endsWith(place) ? `${reason.slice(0, -place.length)}.` : reason
}

function CopyLine(props: {
  copy: Copy
  number: number
  onUse: (() => void) | undefined
  /** With the first copy. */
  onCompare: (() => void) | undefined
}) {
  const { copy, number, onUse, onCompare } = props
  const words = copy.row ? statusWords(copy.row).word : skillWords.copyStack.notUsed
  return (
    <li className={copy.used ? 'on' : undefined} data-scope={copy.scope} data-effective={copy.used}>
      <div className="row">
        <span className="num small b">{number}</span>
        <ScopeMark scope={copy.scope} />
        <span className="sp" />
        {copy.used ? (
          <StatusMark tone="ok">{skillWords.copyStack.used}</StatusMark>
        ) : (
          <span className="small t3">
            {copy.row?.status === 'shadowed' ? skillWords.copyStack.shadowed : words}
          </span>
        )}
      </div>
      <div className="small mono skp-place">
        <VisibleText text={copy.location} />
      </div>
      {onUse && (
        <button type="button" className="linklike small skp-use" onClick={onUse}>
          {skillWords.copyStack.chooseThisCopy}
        </button>
      )}
      {onCompare && (
        <button type="button" className="linklike small skp-use" onClick={onCompare}>
          {library.compareWithFirst}
        </button>
      )}
    </li>
  )
}
