import { useId, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { parseAllowedTools } from '@shared/allowed-tools'
import { visibleLine } from '@shared/visible-text'
import { Button, IconButton } from '../../ui/button'
import { TextField } from '../../ui/field'
import { CloseIcon } from '../../ui/icons'
import { TOOL_NAMES } from '../text/complete'
import { toolsChange } from './form-fields'
import type { FieldChange, FormValues } from './form-fields'
import { words } from '../strings'
import { useTyped } from '../use-typed'

interface ToolFieldProps {
  values: FormValues
  readOnly: boolean
  onChange: (change: FieldChange) => void
}

/** `allowed-tools` as chips, or as the text that the file has. */
export function ToolField({ values, readOnly, onChange }: ToolFieldProps) {
  const [raw, setRaw] = useState(false)
  const { frontmatter } = values.parsed
  const set = (tools: readonly string[]) => onChange(toolsChange(frontmatter, tools))
  return (
    <div className="ed-field">
      <span className="ed-aside">
        <Button small variant="quiet" onClick={() => setRaw(!raw)}>
          {raw ? words.toolsChips : words.toolsRaw}
        </Button>
      </span>
      {raw ? (
        <RawTools tools={values.tools} readOnly={readOnly} onSet={set} />
      ) : (
        <ToolChips tools={values.tools} readOnly={readOnly} onSet={set} />
      )}
    </div>
  )
}

interface ToolsProps {
  tools: readonly string[]
  readOnly: boolean
  onSet: (tools: readonly string[]) => void
}

function RawTools({ tools, readOnly, onSet }: ToolsProps) {
  const typed = useTyped(tools.join(' '), (value) => onSet(parseAllowedTools(value)))
  return <TextField label={words.tools} className="mono" readOnly={readOnly} {...typed} />
}

function ToolChips({ tools, readOnly, onSet }: ToolsProps) {
  const id = useId()
  const [text, setText] = useState('')
  const add = (): void => {
    const added = parseAllowedTools(text)
    if (added.length > 0) onSet([...new Set([...tools, ...added])])
    setText('')
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault()
      add()
    } else if (event.key === 'Backspace' && text === '' && tools.length > 0) onSet(tools.slice(0, -1))
  }
  return (
    <div className="fld">
      <label htmlFor={id}>{words.tools}</label>
      <div className="inp ed-chips">
        {tools.map((tool) => (
          <span key={tool} className="tag mono">
            {visibleLine(tool)}
            {!readOnly && (
              <IconButton
                tiny
                label={words.toolField.remove(visibleLine(tool))}
                onClick={() => onSet(tools.filter((other) => other !== tool))}
              >
                <CloseIcon size={12} />
              </IconButton>
            )}
          </span>
        ))}
        <input
          id={id}
          className="mono grow"
          list={`${id}-names`}
          value={text}
          readOnly={readOnly}
          placeholder={tools.length === 0 ? words.anyTool : words.addTool}
          title={words.toolsHint}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={add}
        />
        <datalist id={`${id}-names`}>
          {TOOL_NAMES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </datalist>
      </div>
    </div>
  )
}
