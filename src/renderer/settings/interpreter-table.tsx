import { useEffect, useState } from 'react'
import type { InterpreterView, Settings } from '@shared/domain/settings'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { saveSettings } from '../stores/settings'
import { StatusMark } from '../ui/marks'
import { VisibleText } from '../ui/visible-text'
import { TypedField } from './typed-field'
import type { Typed } from './typed'
import { words } from './strings'

/** The table of interpreters: what a script is run with, found on this machine or set here. */
export function InterpreterTable({ chosen }: { chosen: Settings['interpreters'] }) {
  const [rows, setRows] = useState<InterpreterView[] | null>(null)
  useEffect(() => void guarded(async () => setRows(await api.call('runs.interpreters', {}))), [])
  const setProgram = async (kind: string, path: string) => {
    const { [kind]: _old, ...others } = chosen
    await saveSettings({ interpreters: path === '' ? others : { ...others, [kind]: path } })
    setRows(await api.call('runs.interpreters', {}))
  }
  return (
    <>
      <div className="row set-sub">
        <h3>{words.interpreterTable.interpreters}</h3>
      </div>
      <p className="small t3 set-lead">{words.interpreterTable.aScriptsFirstLine}</p>
      <table className="set-table" aria-label={words.interpreterTable.interpreters}>
        <thead>
          <tr className="small t3">
            <th scope="col">{words.interpreterTable.runs}</th>
            <th scope="col">{words.interpreterTable.program}</th>
            <th scope="col">{words.interpreterTable.setTo}</th>
          </tr>
        </thead>
        <tbody>
          {rows === null && (
            <tr>
              <td colSpan={3} className="small t3">
                {words.interpreterTable.lookingForThem}
              </td>
            </tr>
          )}
          {rows?.map((row) => (
            <InterpreterRow
              key={row.kind}
              row={row}
              chosen={chosen[row.kind] ?? ''}
              onSet={(path) => setProgram(row.kind, path)}
            />
          ))}
        </tbody>
      </table>
    </>
  )
}

function InterpreterRow(props: {
  row: InterpreterView
  chosen: string
  onSet: (path: string) => Promise<void>
}) {
  const { row, chosen, onSet } = props
  return (
    <tr>
      <th scope="row">
        <span className="m">{row.name}</span>
        <div className="small t3">{row.extensions.join(' ') || words.interpreterTable.byFirstLine}</div>
      </th>
      <td>
        {row.path === null ? (
          <>
            <StatusMark tone="off">{words.interpreterTable.notFound}</StatusMark>
            {row.chosen !== null && <div className="small t2">{row.problem}</div>}
          </>
        ) : (
          <>
            <code className="set-path selectable">
              <VisibleText text={row.path} />
            </code>
            <div className="small t3">{row.version || words.interpreterTable.versionUnknown}</div>
          </>
        )}
      </td>
      <td>
        <TypedField
          label={words.interpreterTable.programFor(row.name)}
          shown={chosen}
          read={programIn}
          onSave={onSet}
          input={{
            className: 'set-program mono',
            placeholder: words.interpreterTable.asFound,
            spellCheck: false,
          }}
        />
      </td>
    </tr>
  )
}

/** An absolute path, or nothing for the one that is found. */
function programIn(text: string): Typed<string> {
  const value = text.trim()
  return value === '' || value.startsWith('/') || /^[A-Za-z]:\\/.test(value)
    ? { value }
    : { problem: words.interpreterTable.enterTheWholePath }
}
