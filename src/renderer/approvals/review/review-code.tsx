import { useMemo, useState } from 'react'
import { runPlanOf, type RequestDetail } from '@shared/domain/approval'
import { diffCounts, lineDiff } from '@shared/line-diff'
import { visibleText } from '@shared/visible-text'
import { CodeView } from '../../ui/code-view'
import { CopyButton } from '../../ui/copy-button'
import { DiffView } from '../../ui/diff-view'
import { FileList } from '../../ui/file-list'
import { formatBytes, formatDay } from '../../ui/format'
import { HashChip } from '../../ui/hash-chip'
import type { LineTarget } from '../../ui/line-list'
import { TabPanel, Tabs } from '../../ui/tabs'
import type { TabSpec } from '../../ui/tabs'
import { useNow } from '../../ui/use-now'
import { flagLines } from './decision'
import { words } from '../words'
import { reviewWords } from './review-strings'

export interface ReviewCodeProps {
  detail: RequestDetail
  /** The text shown before it changed under the person; goes before the one that was allowed. */
  seenText: string | null
  target: LineTarget | undefined
}

/** The bytes that will run: what changed, all of it, and the rest of the skill. */
export function ReviewCode({ detail, seenText, target }: ReviewCodeProps) {
  const now = useNow(60_000)
  const text = detail.script?.text ?? null
  const changes = useChanges(detail, seenText)
  const [chosen, setChosen] = useState<string | undefined>()
  const [wrap, setWrap] = useState(false)
  const tabs: TabSpec[] = [
    ...(changes ? [{ value: 'changes', label: <ChangesLabel changes={changes} now={now} /> }] : []),
    { value: 'whole', label: <WholeLabel text={text} /> },
    ...(detail.otherFiles.length > 0 ? [{ value: 'others', label: <OthersLabel detail={detail} /> }] : []),
  ]
  return (
    <Tabs
      className="rv-tabs"
      chips
      label={reviewWords.reviewCode.script}
      tabs={tabs}
      value={chosen ?? (changes ? 'changes' : 'whole')}
      onChange={setChosen}
      extra={
        <CodeActions text={text} wrap={wrap} onWrap={setWrap} hint={historyHint(detail, changes !== null)} />
      }
    >
      <CodePanels detail={detail} changes={changes} wrap={wrap} target={target} />
      <div className="row small t3 rv-hash">
        {detail.script && <HashChip hash={detail.script.sha256} />}
        <span className="sp" />
        <span>{detail.script ? words.exactCopy[detail.onDisk] : words.noScript}</span>
      </div>
    </Tabs>
  )
}

interface Changes {
  before: string
  after: string
  added: number
  removed: number
  /** When the text before was allowed; null: it is what the person saw a moment ago. */
  since: number | null
}

/** What the script is compared with: what was on screen before it changed, else what was last allowed. */
function useChanges(detail: RequestDetail, seenText: string | null): Changes | null {
  const after = detail.script?.text ?? null
  const before = seenText ?? detail.previousText
  const since = seenText === null ? (detail.changed?.since ?? detail.before.lastDecision?.at ?? null) : null
  return useMemo(() => {
    if (before === null || after === null || before === after) return null
    return { before, after, since, ...diffCounts(lineDiff(before, after)) }
  }, [before, after, since])
}

function CodePanels(props: {
  detail: RequestDetail
  changes: Changes | null
  wrap: boolean
  target: LineTarget | undefined
}) {
  const { detail, changes, wrap, target } = props
  const flags = useMemo(() => flagLines(detail.findings), [detail])
  const text = detail.script?.text ?? null
  const path = runPlanOf(detail.plan)?.script?.path ?? 'command.sh'
  return (
    <>
      {changes && (
        <TabPanel value="changes" className="rv-panel" passFocus>
          <DiffView
            {...changes}
            path={path}
            label={reviewWords.reviewCode.changes}
            flags={flags}
            wrap={wrap}
            target={target}
          />
        </TabPanel>
      )}
      <TabPanel value="whole" className="rv-panel" passFocus={text !== null}>
        {text === null ? (
          <NoText detail={detail} />
        ) : (
          <CodeView text={text} path={path} label={words.whole} flags={flags} wrap={wrap} target={target} />
        )}
      </TabPanel>
      <TabPanel value="others" className="rv-panel" passFocus>
        <OtherFiles files={detail.otherFiles} wrap={wrap} />
      </TabPanel>
    </>
  )
}

function CodeActions(props: {
  text: string | null
  wrap: boolean
  onWrap: (on: boolean) => void
  hint: string
}) {
  return (
    <span className="row rv-code-acts">
      <span className="small t3">{props.hint}</span>
      <button
        type="button"
        className={props.wrap ? 'chip on' : 'chip'}
        aria-pressed={props.wrap}
        onClick={() => props.onWrap(!props.wrap)}
      >
        {words.wrap}
      </button>
      {props.text !== null && <CopyButton text={props.text} label={reviewWords.reviewCode.copyScript} />}
    </span>
  )
}

function NoText({ detail }: { detail: RequestDetail }) {
  const { script } = detail
  return (
    <p className="rv-binary">
      {script ? words.binary(formatBytes(script.bytes), script.sha256) : words.noScript}
    </p>
  )
}

/** Below a command: what it names of the skills that it can read. */
export function NamedFiles({ files }: { files: RequestDetail['otherFiles'] }) {
  return (
    <section aria-label={words.namedFiles}>
      <h3 className="small b">{words.namedFiles}</h3>
      <OtherFiles files={files} wrap={false} />
      <p className="small t3">{words.namedCopy}</p>
    </section>
  )
}

function OtherFiles({ files, wrap }: { files: RequestDetail['otherFiles']; wrap: boolean }) {
  const [path, setPath] = useState(files[0]?.path)
  const file = files.find((other) => other.path === path) ?? files[0]
  if (!file) return null
  return (
    <div className="rv-others">
      <FileList label={words.others} files={files} chosen={file.path} onChoose={setPath} />
      <div className="rv-other">
        <HashChip hash={file.sha256} />
        {file.text === null ? (
          <p className="rv-binary">{reviewWords.reviewCode.isNotTextOr(visibleText(file.path), file.size)}</p>
        ) : (
          <CodeView
            key={file.path}
            text={file.text}
            path={file.path}
            label={visibleText(file.path)}
            wrap={wrap}
          />
        )}
      </div>
    </div>
  )
}

function ChangesLabel({ changes, now }: { changes: Changes; now: number }) {
  return (
    <>
      {changes.since === null ? words.changesNow : words.changesSince(formatDay(changes.since, now))}
      <span className="num">{`+${changes.added} −${changes.removed}`}</span>
    </>
  )
}

function WholeLabel({ text }: { text: string | null }) {
  const lines = text === null ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  return (
    <>
      {words.whole}
      {text !== null && <span className="num t3">{reviewWords.reviewCode.lines(lines)}</span>}
    </>
  )
}

function OthersLabel({ detail }: { detail: RequestDetail }) {
  return (
    <>
      {words.others}
      <span className="num t3">{detail.otherFiles.length}</span>
    </>
  )
}

function historyHint(detail: RequestDetail, hasChanges: boolean): string {
  if (hasChanges || !detail.script) return ''
  return detail.before.lastDecision ? (detail.previousText === null ? '' : words.sameCopy) : words.firstTime
}
