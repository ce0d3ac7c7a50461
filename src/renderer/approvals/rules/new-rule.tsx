import { useState } from 'react'
import type { FormEvent } from 'react'
import type { NewRule } from '@shared/domain/rule'
import { api } from '../../api'
import { guarded } from '../../shell/actions'
import { refreshRules } from '../../stores/rules'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { SelectField, TextField } from '../../ui/field'
import { words } from '../words'

type About = 'command' | 'tool' | 'skill'

/** A rule that denies or asks, made by hand; those that allow are made in a review only. */
export function NewRuleForm() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.newRule}</Button>
      {open && <NewRuleDialog onDone={() => setOpen(false)} />}
    </>
  )
}

function NewRuleDialog({ onDone }: { onDone: () => void }) {
  const [effect, setEffect] = useState<NewRule['effect']>('deny')
  const [about, setAbout] = useState<About>('command')
  const [text, setText] = useState('')
  const save = (event: FormEvent): void => {
    event.preventDefault()
    const match = matchOf(about, text.trim())
    if (!match) return
    onDone()
    void guarded(async () => {
      await api.call('rules.create', { effect, match, projectDir: null })
      await refreshRules()
    })
  }
  return (
    <Dialog open title={words.newRuleTitle} onClose={onDone} footer={<NewRuleButtons onDone={onDone} />}>
      <form id={FORM} className="col new-rule" onSubmit={save}>
        <SelectField
          label={words.whatToDo}
          value={effect}
          onChange={(event) => setEffect(event.target.value === 'ask' ? 'ask' : 'deny')}
        >
          <option value="deny">{words.effectDeny}</option>
          <option value="ask">{words.effectAsk}</option>
        </SelectField>
        <SelectField
          label={words.aboutWhat}
          value={about}
          onChange={(event) => setAbout(aboutOf(event.target.value))}
        >
          <option value="command">{words.aboutCommand}</option>
          <option value="tool">{words.aboutTool}</option>
          <option value="skill">{words.aboutSkill}</option>
        </SelectField>
        <TextField
          label={words.aboutName}
          hint={words.aboutHints[about]}
          value={text}
          maxLength={200}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </Dialog>
  )
}

const FORM = 'new-rule'

function NewRuleButtons({ onDone }: { onDone: () => void }) {
  return (
    <>
      <Button onClick={onDone}>{words.keep}</Button>
      <Button variant="solid" type="submit" form={FORM}>
        {words.saveRule}
      </Button>
    </>
  )
}

function aboutOf(value: string): About {
  return value === 'tool' || value === 'skill' ? value : 'command'
}

function matchOf(about: About, text: string): NewRule['match'] | null {
  if (text === '') return null
  if (about === 'command') return { shape: 'command', words: text.split(/\s+/) }
  return about === 'tool' ? { shape: 'tool', tool: text } : { shape: 'skill', skill: text }
}
