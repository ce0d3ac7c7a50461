import type { ReactNode } from 'react'
import type { SkillSummary } from '@shared/domain/skill'
import { useIsUnsaved } from '../../stores/drafts'
import { useOrganisation } from '../../stores/settings'
import { ArrowElbowDownRightIcon as InsideIcon } from '@phosphor-icons/react/dist/csr/ArrowElbowDownRight'
import { PencilSimpleLineIcon as UnsavedIcon } from '@phosphor-icons/react/dist/csr/PencilSimpleLine'
import { EyeSlashIcon as HiddenIcon } from '@phosphor-icons/react/dist/csr/EyeSlash'
import { ToggleLeftIcon as OffIcon } from '@phosphor-icons/react/dist/csr/ToggleLeft'
import { ListDashesIcon as OutsideIcon } from '@phosphor-icons/react/dist/csr/ListDashes'
import { ArrowsOutIcon as TooLargeIcon } from '@phosphor-icons/react/dist/csr/ArrowsOut'
import { DeniedIcon, ModelIcon, NotTrustedIcon, ShadowedIcon, WarningIcon } from '../../ui/icons'
import { formatNumber } from '../../ui/format'
import { StatusMark } from '../../ui/marks'
import { library } from '../library-strings'
import { isTooLarge, statusWords } from '../preview/skill-facts'
import type { StatusWords } from '../preview/skill-facts'
import { skillWords } from '../skill-strings'

const ICON: Record<StatusWords['icon'], ReactNode> = {
  ok: undefined,
  bad: undefined,
  locked: <NotTrustedIcon size={14} />,
  shadowed: <ShadowedIcon size={14} />,
  off: <OffIcon size={14} />,
  unavailable: <DeniedIcon size={14} />,
  inside: <InsideIcon size={14} />,
  hidden: <HiddenIcon size={14} />,
  agent: <ModelIcon size={14} />,
  outside: <OutsideIcon size={14} />,
}

/** Icon and word of a skill's status; `outside` the catalogue. */
export function Status({ skill, outside = false }: { skill: SkillSummary; outside?: boolean }) {
  const { tone, icon, word } = statusWords(skill, outside)
  return (
    <>
      <StatusMark tone={tone} icon={ICON[icon]}>
        <span className="trunc">{word}</span>
      </StatusMark>
      <UnsavedMark skillKey={skill.key} />
    </>
  )
}

/** Something was typed in the editor that is not in its files yet. */
function UnsavedMark({ skillKey }: { skillKey: string }) {
  if (!useIsUnsaved(skillKey)) return null
  return (
    <span className="skg-unsaved">
      <StatusMark tone="warn" icon={<UnsavedIcon size={14} aria-hidden="true" />}>
        {skillWords.status.unsaved}
      </StatusMark>
    </span>
  )
}

/** How many problems a skill has that is used all the same; a broken one says so by its status. */
export function ProblemMark(props: { skill: Pick<SkillSummary, 'problems' | 'status'>; words?: boolean }) {
  const { skill, words = false } = props
  if (skill.problems === 0 || skill.status === 'broken') return null
  const text = skillWords.status.problem(skill.problems)
  return (
    <span className="st warn skg-problems" title={text}>
      <WarningIcon size={14} aria-hidden="true" />
      {words ? text : <span className="num">{formatNumber(skill.problems)}</span>}
      {!words && <span className="sr">{skillWords.status.problemsOnly(skill.problems)}</span>}
    </span>
  )
}

/** What holds beside the status: the organisation's copy, and a text that is longer than it should be. */
export function SideMarks({ skill }: { skill: SkillSummary }) {
  const organisation = useOrganisation()
  return (
    <>
      {skill.scope === 'enterprise' && (
        <span className="st off skg-problems" title={library.managedBy(organisation)}>
          <NotTrustedIcon size={14} aria-hidden="true" />
          <span className="sr">{library.locked}</span>
        </span>
      )}
      {isTooLarge(skill) && (
        <span className="st warn skg-problems" title={library.tooLargeHint(skill.tokens.body)}>
          <TooLargeIcon size={14} aria-hidden="true" />
          <span className="sr">{library.tooLarge}</span>
        </span>
      )}
    </>
  )
}
