import type { ReactNode } from 'react'
import type { RuleDraft } from '@shared/domain/rule'
import { ruleSentence, type SentencePart } from '@shared/rule-sentence'
import { visibleText } from '@shared/visible-text'
import { formatDay } from '../../ui/format'
import { useNow } from '../../ui/use-now'

/** A rule in words. Parts that can be changed are drawn by `edit`; without it they are plain. */
export function RuleSentence(props: { rule: RuleDraft; edit?: (part: SentencePart) => ReactNode }) {
  const now = useNow(60_000)
  const parts = ruleSentence(props.rule, (at) => formatDay(at, now))
  return (
    <span className="rule-sentence">
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts have no identity but their place
        <Part key={index} part={part} edit={props.edit} />
      ))}
    </span>
  )
}

function Part({ part, edit }: { part: SentencePart; edit: ((part: SentencePart) => ReactNode) | undefined }) {
  if (part.kind === 'words') return part.text
  const isOpen = part.kind === 'args' || part.kind === 'expiry'
  if (isOpen && edit) return edit(part)
  return <b>{visibleText(part.text)}</b>
}
