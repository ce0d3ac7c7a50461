import { useEffect, useState } from 'react'
import type { ArrangeRequest, SkillPlace, SkillTemplate } from '@shared/domain/arranging'
import { namedSkillMd } from '@shared/skill-md/new-skill'
import { visibleLine } from '@shared/visible-text'
import { api, messageOf } from '../api'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { SelectField, TextArea } from '../ui/field'
import { Note } from '../ui/note'
import { NameField, whyNot } from './arrange-dialog'
import { closeDialog, type GoneText } from './arranging-store'
import { PlaceField } from './place-field'
import { PlanView } from './plan-view'
import { words } from './strings'
import { useAct } from './use-act'
import { usePlan } from './use-plan'

const FORM = 'new-skill-form'

interface NewSkillProps {
  projectDir: string | null
  /** Unsaved text of a skill that is gone, which this one takes over. */
  text?: GoneText | undefined
}

/** A new skill from a template, with what is in it and where it goes before anything is made (`ux.md` 3.3, Create). */
export function NewSkillDialog({ projectDir, text }: NewSkillProps) {
  const { templates, error: notRead } = useTemplates()
  const [name, setName] = useState(text?.name ?? '')
  const [place, setPlace] = useState<SkillPlace>(projectDir === null ? 'personal' : 'project')
  const [template, setTemplate] = useState('blank')
  const [description, setDescription] = useState('')
  const request: ArrangeRequest = { do: 'create', name, place, template, description }
  const { plan, error } = usePlan(request, projectDir)
  const act = useAct(request, projectDir, plan, text)
  const chosen = templates.find(({ id }) => id === template)
  const wrong = act.error || error || notRead
  return (
    <Dialog
      open
      title={words.newSkill}
      onClose={closeDialog}
      className="arr-dlg arr-new"
      footer={
        <>
          <Button onClick={closeDialog}>{words.cancel}</Button>
          <Button variant="solid" type="submit" form={FORM} unavailable={whyNot(plan)}>
            {words.create}
          </Button>
        </>
      }
    >
      <div className="arr-cols">
        <form id={FORM} className="col arr-form" onSubmit={act.submit}>
          <NameField value={name} onChange={setName} isFirst />
          <PlaceField value={place} onChange={setPlace} projectDir={projectDir} />
          <SelectField
            label={words.template}
            hint={chosen?.about}
            value={template}
            onChange={(event) => setTemplate(event.target.value)}
          >
            {templates.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </SelectField>
          <TextArea
            label={words.description}
            hint={words.descriptionHint}
            rows={3}
            maxLength={5000}
            value={description}
            placeholder={chosen?.description}
            onChange={(event) => setDescription(event.target.value)}
          />
          <Takes text={text} />
          {plan && name !== '' && <PlanView plan={plan} moves={false} projectDir={projectDir} />}
          {wrong && <Note tone="bad">{visibleLine(wrong)}</Note>}
        </form>
        {chosen && <LookInside template={chosen} skill={{ name, description }} />}
      </div>
    </Dialog>
  )
}

function Takes({ text }: Pick<NewSkillProps, 'text'>) {
  return text ? <Note tone="info">{words.takesText(visibleLine(text.name))}</Note> : null
}

/** The files of a template, as they will be written. */
function LookInside(props: { template: SkillTemplate; skill: { name: string; description: string } }) {
  const { template, skill } = props
  return (
    <section className="arr-inside" aria-label={words.inside}>
      <h3 className="sec">{words.inside}</h3>
      {template.files.map(({ path, text }) => (
        <details key={`${template.id}/${path}`} open={path === 'SKILL.md'}>
          <summary className="mono small">{path}</summary>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
          <pre className="mono tiny" tabIndex={0} aria-label={path}>
            {path === 'SKILL.md' && skill.name !== '' ? namedSkillMd(text, skill) : text}
          </pre>
        </details>
      ))}
    </section>
  )
}

function useTemplates(): { templates: readonly SkillTemplate[]; error: string } {
  const [state, setState] = useState<{ templates: readonly SkillTemplate[]; error: string }>({
    templates: [],
    error: '',
  })
  useEffect(() => {
    api.call('arrange.templates', {}).then(
      (templates) => setState({ templates, error: '' }),
      (error: unknown) => setState({ templates: [], error: messageOf(error) }),
    )
  }, [])
  return state
}
