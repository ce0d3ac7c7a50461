import type { SkillDetail, SkillList, SkillStatus } from '@shared/domain/skill'
import { visibleLine } from '@shared/visible-text'
import { guarded } from '../../shell/actions'
import { Button } from '../../ui/button'
import { formatNumber } from '../../ui/format'
import { TryIcon, WriteIcon } from '../../ui/icons'
import { ScopeMark } from '../../ui/marks'
import { Note } from '../../ui/note'
import { VisibleText } from '../../ui/visible-text'
import { CopyStack } from '../copies/copy-stack'
import { library } from '../library-strings'
import type { PageTab } from '../page/skill-address'
import { SkillMenu, SkillSwitch } from './skill-actions'
import { asCounted } from './skill-facts'
import { ProblemsShort } from './skill-problems'
import { Contents, CostBars, Origin, Tags } from './skill-sections'
import { ProblemMark, Status } from '../list/status'
import { outsideReason } from '../use-catalogue'
import type { Outside } from '../use-catalogue'
import type { Loaded } from '../use-skills'
import { skillWords } from '../skill-strings'

export interface SkillPreviewProps {
  loaded: Loaded<SkillDetail>
  list: SkillList
  projectDir: string | null
  outside: Outside
  onOpen: (key: string, tab?: PageTab) => void
}

/** The selected skill in short: what it is, what is wrong with it, which copy is used, and what it costs. */
export function SkillPreview({ loaded, list, projectDir, outside, onOpen }: SkillPreviewProps) {
  const detail = loaded.value
  if (!detail) return <PreviewCounts list={list} error={loaded.error} />
  return (
    <aside className="insp skp" aria-label={visibleLine(detail.name)} data-pane="details">
      <PreviewHead detail={detail} projectDir={projectDir} outside={outside} onOpen={onOpen} />
      <div className="skp-body">
        <ProblemsShort detail={detail} onAll={() => onOpen(detail.key, 'problems')} />
        <CopyStack detail={detail} projectDir={projectDir} />
        <CostBars detail={detail} />
        <Contents detail={detail} />
        <Origin detail={detail} />
      </div>
    </aside>
  )
}

function PreviewHead(
  props: Pick<SkillPreviewProps, 'projectDir' | 'outside' | 'onOpen'> & { detail: SkillDetail },
) {
  const { detail, projectDir, onOpen } = props
  const why = outsideReason(detail, props.outside)
  const reason = detail.statusReason || why
  return (
    <div className="skp-head">
      <div className="row">
        <h2 className="mono b skp-name grow">
          <VisibleText text={detail.name} />
        </h2>
        <SkillMenu detail={detail} projectDir={projectDir} />
      </div>
      <div className="row skp-marks">
        <ScopeMark scope={detail.scope} />
        <Status skill={detail} outside={why !== ''} />
        <ProblemMark skill={asCounted(detail)} words />
        {detail.license && <span className="small t3">{visibleLine(detail.license)}</span>}
      </div>
      {reason && (
        <p className="small t2">
          <VisibleText text={reason} />
        </p>
      )}
      <p className="skp-desc">
        <VisibleText text={detail.description} />
      </p>
      <Tags tags={detail.tags} />
      <div className="row skp-acts">
        <Button small variant="solid" onClick={() => onOpen(detail.key)}>
          {library.open}
        </Button>
        {!detail.readOnly && (
          <Button small icon={<TryIcon size={14} />} onClick={() => tryIn(detail.key, onOpen)}>
            {library.tryIt}
          </Button>
        )}
        <Button small icon={<WriteIcon size={14} />} onClick={() => onOpen(detail.key, 'edit')}>
          {library.edit}
        </Button>
        <SkillSwitch detail={detail} projectDir={projectDir} />
      </div>
    </div>
  )
}

/** A chat that tries it, beside its text; the editor is read with it. */
function tryIn(key: string, onOpen: SkillPreviewProps['onOpen']): void {
  onOpen(key, 'edit')
  void guarded(async () => (await import('../../editor/side/trials')).tryIt(key))
}

const COUNTED: [SkillStatus, string][] = [
  ['effective', skillWords.skillPreview.effective],
  ['shadowed', skillWords.skillPreview.shadowed],
  ['off', skillWords.skillPreview.off],
  ['unavailable', skillWords.skillPreview.notAvailable],
  ['broken', skillWords.skillPreview.wontLoad],
  ['not-trusted', skillWords.skillPreview.notTrusted],
]

/** Nothing selected: numbers of the list, or why the skill can't be shown. */
function PreviewCounts({ list, error }: { list: SkillList; error: string }) {
  const counts = new Map<SkillStatus, number>()
  for (const { status } of list.skills) counts.set(status, (counts.get(status) ?? 0) + 1)
  return (
    <aside className="insp skp" aria-label={skillWords.skillPreview.details} data-pane="details">
      <div className="skp-body">
        {error && <Note tone="bad">{error}</Note>}
        <dl className="kv">
          {COUNTED.filter(([status]) => status === 'effective' || counts.has(status)).map(
            ([status, word]) => (
              <div key={status} className="skp-count">
                <dt>{word}</dt>
                <dd className="num">{formatNumber(counts.get(status) ?? 0)}</dd>
              </div>
            ),
          )}
        </dl>
        <p className="small t3">{skillWords.skillPreview.chooseASkillTo}</p>
      </div>
    </aside>
  )
}
