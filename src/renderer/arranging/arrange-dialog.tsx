import { useState } from 'react'
import type { ReactNode } from 'react'
import type { ArrangePlan, ArrangeRequest, SkillPlace } from '@shared/domain/arranging'
import type { SkillSummary } from '@shared/domain/skill'
import { visibleLine } from '@shared/visible-text'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { TextField } from '../ui/field'
import { Note } from '../ui/note'
import { otherPlace } from './other-place'
import { closeDialog, openArrange } from './arranging-store'
import type { Asked } from './arranging-store'
import { PlaceField } from './place-field'
import { PlanView } from './plan-view'
import { words } from './strings'
import { useAct } from './use-act'
import { usePlan } from './use-plan'

const FORM = 'arrange-form'

interface ArrangeDialogProps {
  kind: Asked
  skill: Pick<SkillSummary, 'key' | 'name' | 'scope'>
  projectDir: string | null
  /** The name that it begins with; left out: one of the dialog's own. */
  to?: string | undefined
  /** Where it is to go; null: that was not said. */
  place: SkillPlace | null
}

/** Duplicate, rename, move or copy a skill: its new name and place, and everything that this does, shown before. */
export function ArrangeDialog({ kind, skill, projectDir, to, place: said }: ArrangeDialogProps) {
  const [name, setName] = useState(to ?? (kind === 'duplicate' ? `${skill.name}-2` : skill.name))
  const [place, setPlace] = useState<SkillPlace>(said ?? otherPlace(skill.scope, projectDir))
  const { key } = skill
  const goes = kind === 'move' || kind === 'copy'
  const request: ArrangeRequest = goes ? { do: kind, key, place, name } : { do: kind, key, name }
  return (
    <ActDialog
      title={words.titles[kind](visibleLine(skill.name))}
      act={words.acts[kind]}
      request={request}
      projectDir={projectDir}
      moves={kind === 'move' || kind === 'rename'}
      onCopy={() => openArrange('copy', skill, projectDir)}
    >
      {goes && <PlaceField value={place} onChange={setPlace} projectDir={projectDir} />}
      <NameField value={name} onChange={setName} isFirst={!goes} />
    </ActDialog>
  )
}

/** Back from the trash, where its old name is taken by now; `why` says so. */
export function RestoreDialog({ trashId, name: was, why }: { trashId: string; name: string; why: string }) {
  const [name, setName] = useState(`${was}-2`)
  return (
    <ActDialog
      title={words.titles.restore(visibleLine(was))}
      act={words.acts.restore}
      request={{ do: 'restore', trashId, name }}
      projectDir={null}
      moves={false}
    >
      <Note tone="info">{visibleLine(why)}</Note>
      <NameField value={name} onChange={setName} isFirst />
    </ActDialog>
  )
}

/** Fields, what they lead to, and the one button that does it. */
function ActDialog(props: {
  title: string
  act: string
  request: ArrangeRequest
  projectDir: string | null
  moves: boolean
  onCopy?: () => void
  children: ReactNode
}) {
  const { request, projectDir, onCopy } = props
  const { plan, error } = usePlan(request, projectDir)
  const act = useAct(request, projectDir, plan)
  const wrong = act.error || error
  return (
    <Dialog
      open
      title={props.title}
      onClose={closeDialog}
      className="arr-dlg"
      footer={
        <>
          <Button onClick={closeDialog}>{words.cancel}</Button>
          {onCopy && isCopyOffered(plan) && <Button onClick={onCopy}>{words.copyInstead}</Button>}
          <Button variant="solid" type="submit" form={FORM} unavailable={whyNot(plan)}>
            {props.act}
          </Button>
        </>
      }
    >
      <form id={FORM} className="col arr-form" onSubmit={act.submit}>
        {props.children}
        {plan && <PlanView plan={plan} moves={props.moves} projectDir={projectDir} />}
        {wrong && <Note tone="bad">{visibleLine(wrong)}</Note>}
      </form>
    </Dialog>
  )
}

export function NameField(props: {
  value: string
  onChange: (name: string) => void
  /** The dialog begins in it. */
  isFirst: boolean
}) {
  const { value, onChange, isFirst } = props
  return (
    <TextField
      label={words.name}
      hint={words.nameHint}
      className="mono"
      value={value}
      maxLength={200}
      spellCheck={false}
      autoComplete="off"
      data-first={isFirst || undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** A button that does nothing says why (`ux.md` 5.4, rule 7). */
export function whyNot(plan: { refusal: string | null } | null): string | false {
  if (!plan) return words.notNow
  return plan.refusal === null ? false : visibleLine(plan.refusal)
}

function isCopyOffered(plan: ArrangePlan | null): boolean {
  return plan !== null && plan.refusal !== null && plan.offersCopy
}
