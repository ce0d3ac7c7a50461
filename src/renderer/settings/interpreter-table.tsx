import { useEffect, useState } from 'react'
import type { InterpreterView, Settings } from '@shared/domain/settings'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { saveSettings } from '../stores/settings'
import { StatusMark } from '../ui/marks'
import { VisibleText } from '../ui/visible-text'
import { TypedField } from './typed-field'
import type { Typed } from './typed'

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
        <h3>Interpreters</h3>
      </div>
      <p className="small t3 set-lead">
        A script’s first line says which one it needs, else its ending. The first on the path of your login
        shell is used, unless you set another.
      </p>
      <table className="set-table" aria-label="Interpreters">
        <thead>
          <tr className="small t3">
            <th scope="col">Runs</th>
            <th scope="col">Program</th>
            <th scope="col">Set to</th>
          </tr>
        </thead>
        <tbody>
          {rows === null && (
            <tr>
              <td colSpan={3} className="small t3">
                Looking for them…
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
        <div className="small t3">{row.extensions.join(' ') || 'by first line'}</div>
      </th>
      <td>
        {row.path === null ? (
          <>
            <StatusMark tone="off">Not found</StatusMark>
            {row.chosen !== null && <div className="small t2">{row.problem}</div>}
          </>
        ) : (
          <>
            <code className="set-path selectable">
              <VisibleText text={row.path} />
            </code>
            <div className="small t3">{row.version || 'version unknown'}</div>
          </>
        )}
      </td>
      <td>
        <TypedField
          label={`Program for ${row.name}`}
          shown={chosen}
          read={programIn}
          onSave={onSet}
          input={{ className: 'set-program mono', placeholder: 'As found', spellCheck: false }}
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
    : { problem: 'Enter the whole path of the program, or nothing.' }
}
