import { redo, undo } from '@codemirror/commands'
import { memo, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { countCharacters, isLegalName } from '@shared/skill-md/skill-name'
import { Button } from '../../ui/button'
import { SelectField, TextArea, TextField } from '../../ui/field'
import { formatNumber } from '../../ui/format'
import { CheckIcon } from '../../ui/icons'
import { matches } from '../../ui/keys'
import { Note } from '../../ui/note'
import { StatusMark } from '../../ui/marks'
import { VisibleText } from '../../ui/visible-text'
import { changeText, documentOf, FORM_EVENT, textOf, viewOf } from '../documents'
import { fieldEdits, formValues, listChange, textChange, whoChanges } from './form-fields'
import type { FieldChange, FormValues, TextKey, WhoLoads } from './form-fields'
import { useTyped } from '../use-typed'
import { ToolField } from './tool-field'
import { words } from '../strings'

const MOST = 1024

export interface FormProps {
  id: string
  /** The text that the fields are read from. */
  text: string
  folderName: string
  readOnly: boolean
  /** Gives the folder this name too, after a look at what that changes. */
  onRename: (name: string) => void
}

/** The fields of a SKILL.md. They and the text below are one document with one history. */
export const Form = memo(function Form({ id, text, folderName, readOnly, onRename }: FormProps) {
  const [more, setMore] = useState(false)
  const [problem, setProblem] = useState('')
  const values = formValues(text, folderName)
  const change = (changes: readonly FieldChange[]): void => {
    const document = documentOf(id)
    if (!document || readOnly) return
    const changed = fieldEdits(textOf(document), changes)
    setProblem('problem' in changed ? changed.problem : '')
    if ('edits' in changed) changeText(id, changed.edits, FORM_EVENT)
  }
  const parts: PartProps = { values, change, readOnly, folderName }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- undo of the fields is undo of the document
    <div className="ed-form" onKeyDown={(event) => stepBack(event, id)}>
      {problem && <Note tone="warn">{problem}</Note>}
      <div className="ed-row">
        <NameField {...parts} onRename={onRename} />
        <SelectField
          label={words.whoLoads}
          value={values.who}
          disabled={readOnly}
          onChange={(event) => change(whoChanges(event.target.value as WhoLoads))}
        >
          {(Object.keys(words.who) as WhoLoads[]).map((who) => (
            <option key={who} value={who}>
              {words.who[who]}
            </option>
          ))}
        </SelectField>
      </div>
      <DescriptionField {...parts} />
      <div className="ed-row">
        <ToolField values={values} readOnly={readOnly} onChange={(one) => change([one])} />
        <OneText field="license" label={words.license} {...parts} />
      </div>
      <Button small variant="quiet" aria-expanded={more} onClick={() => setMore(!more)}>
        {more ? words.less : words.more}
      </Button>
      {more && <MoreFields {...parts} />}
    </div>
  )
})

interface PartProps {
  values: FormValues
  change: (changes: readonly FieldChange[]) => void
  readOnly: boolean
  folderName: string
}

/** Undo in a field is undo of the document, wherever its last change was made. */
function stepBack(event: KeyboardEvent, id: string): void {
  const view = viewOf(id)
  const back = matches(event, 'Mod+Z')
  const again = matches(event, 'Mod+Shift+Z') || matches(event, 'Mod+Y')
  if (!view || (!back && !again)) return
  event.preventDefault()
  if (back) undo(view)
  else redo(view)
}

function NameField(props: PartProps & Pick<FormProps, 'onRename'>) {
  const { values, change, readOnly, folderName, onRename } = props
  const typed = useTyped(values.texts.name, (value) => change([textChange('name', value)]))
  const { name } = values.texts
  const isSame = name === folderName
  return (
    <div className="ed-field">
      <span className="ed-aside">
        {isSame ? (
          <StatusMark tone="ok" icon={<CheckIcon size={14} aria-hidden="true" />}>
            {words.matchesFolder}
          </StatusMark>
        ) : (
          <StatusMark tone="warn">
            <VisibleText text={words.differsFromFolder(folderName)} />
          </StatusMark>
        )}
      </span>
      <TextField label={words.name} className="mono" readOnly={readOnly} {...typed} />
      {!isSame && !readOnly && isLegalName(name) && (
        <Button small variant="quiet" onClick={() => onRename(name)}>
          {words.renameBoth}
        </Button>
      )}
    </div>
  )
}

function DescriptionField({ values, change, readOnly }: PartProps) {
  const { description } = values.texts
  const typed = useTyped(description, (value) => change([textChange('description', value)]))
  const count = countCharacters(description)
  return (
    <div className="ed-field">
      <span className={count > MOST ? 'ed-aside st warn' : 'ed-aside small t3'}>
        {words.descriptionHint}
        <span className="num">{words.ofMost(formatNumber(count), formatNumber(MOST))}</span>
      </span>
      <TextArea label={words.description} rows={2} readOnly={readOnly} {...typed} />
    </div>
  )
}

function OneText(props: PartProps & { field: TextKey; label: string }) {
  const { field, label, values, change, readOnly } = props
  const typed = useTyped(values.texts[field], (value) => change([textChange(field, value)]))
  return <TextField label={label} readOnly={readOnly} {...typed} />
}

function MoreFields(props: PartProps) {
  const { values } = props
  return (
    <>
      <div className="ed-row">
        <OneText field="compatibility" label={words.compatibility} {...props} />
        <OneText field="argument-hint" label={words.argumentHint} {...props} />
      </div>
      <div className="ed-row">
        <OneText field="model" label={words.model} {...props} />
        <OneList field="tags" label={words.tags} items={values.tags} {...props} />
      </div>
      {values.requires && (
        <OneList field="requires" label={words.requires} items={values.requires} {...props} />
      )}
      <Metadata {...props} />
      <Others values={values} />
    </>
  )
}

function OneList(props: PartProps & { field: 'tags' | 'requires'; label: string; items: readonly string[] }) {
  const { field, label, items, change, readOnly } = props
  const typed = useTyped(items.join(', '), (value) => {
    const wanted = value.split(',').map((item) => item.trim())
    change([
      listChange(
        field,
        wanted.filter((item) => item !== ''),
      ),
    ])
  })
  return <TextField label={label} hint={words.listHint} readOnly={readOnly} {...typed} />
}

function Metadata({ values, change, readOnly }: PartProps) {
  if (values.metadata.length === 0) return null
  return (
    <fieldset className="ed-metadata">
      <legend className="small m t2">{words.metadata}</legend>
      {values.metadata.map((entry) => (
        <MetadataRow
          key={entry.key}
          entry={entry}
          readOnly={readOnly || entry.nested}
          onChange={(value) => change([{ key: `metadata.${entry.key}`, value }])}
        />
      ))}
    </fieldset>
  )
}

function MetadataRow(props: {
  entry: FormValues['metadata'][number]
  readOnly: boolean
  onChange: (value: string) => void
}) {
  const typed = useTyped(props.entry.value, props.onChange)
  return <TextField label={props.entry.key} readOnly={props.readOnly} {...typed} />
}

/** Keys that have no field here: shown as they are, changed in the text only. */
function Others({ values }: { values: FormValues }) {
  if (values.others.length === 0) return null
  return (
    <section>
      <h3 className="small m t2">{words.others}</h3>
      <dl className="kv">
        {values.others.map(({ key, value }) => (
          <div key={key} className="ed-other">
            <dt className="mono">
              <VisibleText text={key} />
            </dt>
            <dd className="mono">
              <VisibleText text={typeof value === 'string' ? value : JSON.stringify(value)} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
