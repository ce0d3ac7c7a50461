import { clsx } from 'clsx'
import { useEffect, useMemo, useState } from 'react'
import type { ComparedFile } from '@shared/domain/skill'
import { lineDiff } from '@shared/line-diff'
import { visibleLine } from '@shared/visible-text'
import { api, messageOf } from '../../api'
import { useSkills } from '../../stores/skills'
import { DiffView } from '../../ui/diff-view'
import { Dialog } from '../../ui/dialog'
import { ScopeMark } from '../../ui/marks'
import { Note } from '../../ui/note'
import { FilterChip } from '../../ui/tabs'
import { VisibleText } from '../../ui/visible-text'
import type { Copy } from './copy-stack'
import './copy-compare.css'
import { library } from '../library-strings'
import { sideRows } from './side-rows'
import type { SideLine } from './side-rows'

export interface CopyCompareProps {
  name: string
  projectDir: string | null
  /** The one that stands first in the order. */
  left: Copy
  right: Copy
  onClose: () => void
}

/** Two copies of a skill, file by file and line by line, as they are on disk now. */
export function CopyCompare(props: CopyCompareProps) {
  const { files, cut, error } = useCompared(props)
  const [chosen, setChosen] = useState<string | null>(null)
  const [sides, setSides] = useState(false)
  const file = files?.find(({ path }) => path === chosen) ?? files?.[0]
  const differing = files?.filter(({ state }) => state !== 'same').length ?? 0
  return (
    <Dialog
      open
      bare
      onClose={props.onClose}
      className="cmp"
      title={library.compareTitle(visibleLine(props.name))}
      subtitle={files && <p className="small t2">{library.differing(differing, files.length)}</p>}
      headExtra={
        <>
          <FilterChip pressed={!sides} onPress={() => setSides(false)}>
            {library.unified}
          </FilterChip>
          <FilterChip pressed={sides} onPress={() => setSides(true)}>
            {library.sideBySide}
          </FilterChip>
        </>
      }
    >
      {error && <Note tone="bad">{error}</Note>}
      {cut && <Note tone="info">{library.comparedCut}</Note>}
      <div className="cmp-body">
        <FileList files={files ?? []} at={file} onChoose={setChosen} />
        <div className="cmp-text">
          <Copies {...props} />
          {file && <Texts {...props} file={file} sides={sides} />}
        </div>
      </div>
    </Dialog>
  )
}

function FileList(props: {
  files: readonly ComparedFile[]
  at: ComparedFile | undefined
  onChoose: (path: string) => void
}) {
  return (
    <nav className="cmp-files" aria-label={library.compareFiles}>
      {props.files.map((file) => (
        <button
          key={file.path}
          type="button"
          className={clsx('li', file === props.at && 'on')}
          aria-current={file === props.at}
          onClick={() => props.onChoose(file.path)}
        >
          <span className="grow mono small trunc" title={visibleLine(file.path)}>
            {visibleLine(file.path)}
          </span>
          <span className={clsx('tiny', file.state === 'same' ? 't3' : 't2')}>
            {library.compareState[file.state]}
          </span>
        </button>
      ))}
    </nav>
  )
}

function Copies({ left, right }: CopyCompareProps) {
  return (
    <div className="cmp-copies small">
      {[left, right].map((copy, at) => (
        <span key={copy.key} className="row">
          <span className="num b">{at + 1}</span>
          <ScopeMark scope={copy.scope} />
          <span className="mono trunc" title={visibleLine(copy.location)}>
            <VisibleText text={copy.location} />
          </span>
        </span>
      ))}
    </div>
  )
}

function Texts(props: CopyCompareProps & { file: ComparedFile; sides: boolean }) {
  const { file, sides, projectDir } = props
  const left = useText(projectDir, props.left.key, file.state === 'right-only' ? null : file.path)
  const right = useText(projectDir, props.right.key, file.state === 'left-only' ? null : file.path)
  if (left.error || right.error) return <Note tone="bad">{left.error || right.error}</Note>
  if (!left.value || !right.value) return null
  return <Difference file={file} sides={sides} before={left.value} after={right.value} />
}

function Difference(props: { file: ComparedFile; sides: boolean; before: Text; after: Text }) {
  const { file, sides, before, after } = props
  const label = visibleLine(file.path)
  const same = file.state === 'same'
  if (before.text === null || after.text === null) {
    return <p className="t2 cmp-note">{same ? library.sameText : library.noText}</p>
  }
  const texts = { before: before.text, after: after.text, label }
  return (
    <>
      {(before.cut || after.cut) && <Note tone="info">{library.startOnly}</Note>}
      {same && <p className="small t2 cmp-note">{library.sameText}</p>}
      {sides ? <SideBySide {...texts} /> : <DiffView key={file.path} {...texts} path={file.path} wrap />}
    </>
  )
}

function SideBySide({ before, after, label }: { before: string; after: string; label: string }) {
  const rows = useMemo(() => sideRows(lineDiff(before, after)), [before, after])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
    <section className="cmp-sides" aria-label={label} tabIndex={0}>
      <table>
        <tbody>
          {rows.map((row) =>
            row.kind === 'gap' ? (
              <tr key={row.key} className="gap">
                <td colSpan={4}>{library.unchangedLines(row.count)}</td>
              </tr>
            ) : (
              <tr key={row.key}>
                <Side line={row.left} sign="−" />
                <Side line={row.right} sign="+" />
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  )
}

function Side({ line, sign }: { line: SideLine | null; sign: string }) {
  const kind = line?.changed ? (sign === '+' ? 'add' : 'del') : ''
  return (
    <>
      <td className={clsx('cmp-n num', kind)}>{line?.number}</td>
      <td className={clsx('cmp-l', line ? kind : 'none')}>
        {line?.changed && <span className="cmp-sign">{sign}</span>}
        {line && <VisibleText text={line.text} />}
      </td>
    </>
  )
}

/** Compared again when something on disk changed. */
function useCompared({ projectDir, left, right }: CopyCompareProps) {
  const version = useSkills((state) => state.version)
  const [state, setState] = useState<{ files: ComparedFile[] | null; cut: boolean; error: string }>({
    files: null,
    cut: false,
    error: '',
  })
  const [from, to] = [left.key, right.key]
  useEffect(() => {
    let current = true
    api.call('skills.compare', { projectDir, left: from, right: to }).then(
      (found) => current && setState({ ...found, error: '' }),
      (error: unknown) => current && setState({ files: null, cut: false, error: messageOf(error) }),
    )
    return () => {
      current = false
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new version means: compare again
  }, [projectDir, from, to, version])
  return state
}

interface Text {
  text: string | null
  cut: boolean
}

/** The text of a file; empty where the copy has none. */
function useText(projectDir: string | null, key: string, path: string | null) {
  const version = useSkills((state) => state.version)
  const [state, setState] = useState<{ of: string | null; value: Text | null; error: string }>({
    of: null,
    value: null,
    error: '',
  })
  useEffect(() => {
    if (path === null) return undefined
    let current = true
    api.call('skills.readFile', { projectDir, key, path }).then(
      (value) => current && setState({ of: path, value, error: '' }),
      (error: unknown) => current && setState({ of: path, value: null, error: messageOf(error) }),
    )
    return () => {
      current = false
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new version means: read again
  }, [projectDir, key, path, version])
  if (path === null) return { value: NO_TEXT, error: '' }
  return state.of === path ? state : { value: null, error: '' }
}

const NO_TEXT: Text = { text: '', cut: false }
