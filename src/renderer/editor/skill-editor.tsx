import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import type { EditedSkill } from '@shared/domain/editing'
import type { SkillDetail } from '@shared/domain/skill'
import { openArrange } from '../arranging/arranging-store'
import { visibleLine } from '@shared/visible-text'
import { useAuthored } from '../stores/authors'
import { Button } from '../ui/button'
import { isMac, matches } from '../ui/keys'
import { Note } from '../ui/note'
import { Bar } from './bar'
import { ConflictBar } from './conflict'
import { documentId, saveDocument } from './documents'
import type { OpenDocument } from './documents'
import './editor.css'
import { Files } from './files/files'
import { Form } from './form/form'
import { ProblemStrip } from './problems/problem-strip'
import { SidePanel } from './side/side-panel'
import { SourcePane } from './text/source-pane'
import { words } from './strings'
import { refreshTrials, tryIt, useTrial } from './side/trials'
import { isMain } from './files/tree-rows'
import { Unopened } from './unopened'
import { useEditedSkill, useOpenDocument, useProblems } from './use-editor'
import { useProblemWalk } from './problems/use-problem-walk'

export interface SkillEditorProps {
  detail: SkillDetail
  projectDir: string | null
}

const TrialChat = lazy(async () => ({ default: (await import('./side/trial-chat')).TrialChat }))

/** The Edit tab: files, fields and text of one document, and what becomes of it. */
export function SkillEditor({ detail, projectDir }: SkillEditorProps) {
  const { key } = detail
  const { skill, error } = useEditedSkill(key)
  const [chosen, setPath] = useState<string | null>(null)
  const [side, setSide] = useState(true)
  const main = skill?.files.find(({ path }) => isMain(path))?.path ?? 'SKILL.md'
  const path = chosen ?? main
  const opened = useOpenDocument(skill, key, path)
  const trial = useTrial(key)
  useEffect(() => void refreshTrials(), [])
  const trySkill = skill?.whyNot === null ? () => void tryIt(key) : undefined
  useEditorKeys(documentId(key, path), () => setSide((shown) => !shown), trySkill)
  if (!skill) return error ? <Note tone="bad">{error}</Note> : null
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape closes parts of the editor, not the page
    <div className="ed" onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}>
      <Files skill={skill} skillKey={key} path={path} onPath={setPath} />
      <Middle
        {...opened}
        asked={path}
        detail={detail}
        skill={skill}
        side={side && !trial}
        projectDir={projectDir}
        onPath={setPath}
      />
      {trial && (
        <Suspense>
          <TrialChat key={trial.sessionId} trial={trial} />
        </Suspense>
      )}
    </div>
  )
}

interface MiddleProps extends SkillEditorProps {
  skill: EditedSkill
  document: OpenDocument | undefined
  /** The file that is to be open. */
  asked: string
  error: string
  side: boolean
  onPath: (path: string) => void
}

function Middle({ detail, skill, document, asked, error, side, projectDir, onPath }: MiddleProps) {
  const folderName = folderOf(detail)
  const problems = useProblems(document, folderName)
  const isAuthor = useAuthored().some(({ key }) => key === detail.key)
  const id = document ? documentId(document.key, document.path) : ''
  const { at, goNext, goTo } = useProblemWalk(id, problems)
  const rename = useCallback(
    (name: string) => openArrange('rename', detail, projectDir, name),
    [detail, projectDir],
  )
  const savedDoc = document?.saved
  const saved = useMemo(() => savedDoc?.toString() ?? '', [savedDoc])
  if (!document) {
    const unopened = { skill, skillKey: detail.key, path: asked, error, projectDir }
    return <div className="ed-main">{error && <Unopened {...unopened} />}</div>
  }
  const { path, whyNot, conflict, problem } = document
  const readOnly = whyNot !== null
  return (
    <>
      <div className="ed-main">
        <Bar id={id} document={document} isAuthor={isAuthor} />
        {whyNot && (
          <ReadOnly detail={detail} projectDir={projectDir} whyNot={whyNot} isWhole={skill.whyNot !== null} />
        )}
        {problem && <Note tone="bad">{problem}</Note>}
        {conflict && <ConflictBar id={id} path={path} conflict={conflict} />}
        <Text id={id} document={document} folderName={folderName} onRename={rename} />
        <ProblemStrip
          id={id}
          path={path}
          folderName={folderName}
          problems={problems}
          at={at}
          readOnly={readOnly}
          text={document.settled}
          onNext={goNext}
          onPlace={goTo}
        />
      </div>
      {side && (
        <SidePanel
          skillKey={document.key}
          path={path}
          folderName={folderName}
          projectDir={projectDir}
          text={document.settled}
          saved={saved}
          files={skill.files}
          onFile={onPath}
        />
      )}
    </>
  )
}

/** Why nothing can be changed, and the way to a copy that can. */
function ReadOnly(props: SkillEditorProps & { whyNot: string; isWhole: boolean }) {
  const { detail, projectDir, whyNot, isWhole } = props
  const isCopied = isWhole && detail.status !== 'not-trusted' && detail.status !== 'broken'
  const copy = () => openArrange('copy', detail, projectDir)
  return (
    <Note
      tone="info"
      title={words.readOnly}
      action={isCopied && <Button onClick={copy}>{words.copyToEdit}</Button>}
    >
      {whyNot}
    </Note>
  )
}

/** Fields above, text below; either can be folded away. */
function Text(props: {
  id: string
  document: OpenDocument
  folderName: string
  onRename: (name: string) => void
}) {
  const { id, document, folderName, onRename } = props
  const [shows, setShows] = useState({ form: true, source: true })
  const { path, settled, whyNot } = document
  if (!isMain(path)) return <SourcePane key={id} id={id} />
  return (
    <>
      <Fold label={words.form} open={shows.form} onToggle={() => setShows({ ...shows, form: !shows.form })} />
      {shows.form && (
        <Form id={id} text={settled} folderName={folderName} readOnly={whyNot !== null} onRename={onRename} />
      )}
      <Fold
        label={visibleLine(path)}
        hint={words.inStep}
        open={shows.source}
        onToggle={() => setShows({ ...shows, source: !shows.source })}
      />
      {shows.source && <SourcePane key={id} id={id} />}
    </>
  )
}

function Fold(props: { label: string; hint?: string; open: boolean; onToggle: () => void }) {
  return (
    <div className="row ed-fold">
      <h2>
        <button type="button" aria-expanded={props.open} onClick={props.onToggle}>
          {props.label}
        </button>
      </h2>
      <span className="sp" />
      {props.hint && <span className="small t3 trunc">{props.hint}</span>}
    </div>
  )
}

/** Save, a trial, and the panel beside the text (`ux.md` 2.6), from anywhere on the page. */
function useEditorKeys(id: string, toggleSide: () => void, trySkill: (() => void) | undefined): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector('[role="dialog"]')) return
      if (trySkill && matches(event, 'Mod+R', isMac())) trySkill()
      else if (matches(event, 'Mod+S', isMac())) void saveDocument(id)
      else if (matches(event, 'Mod+Shift+E', isMac())) toggleSide()
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  })
}

function folderOf({ location, name }: SkillDetail): string {
  return location.split('/').at(-1) ?? name
}
