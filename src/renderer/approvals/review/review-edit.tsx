import { useMemo, useState } from 'react'
import type { FileEditPlan } from '@shared/domain/approval'
import { visibleText } from '@shared/visible-text'
import { diffCounts } from '@shared/line-diff'
import { useSettings } from '../../stores/settings'
import { formatBytes, placeName } from '../../ui/format'
import { HashChip } from '../../ui/hash-chip'
import { LineList } from '../../ui/line-list'
import type { LineTarget } from '../../ui/line-list'
import { hunkRows } from '../../ui/hunk-rows'
import { PropertyList } from '../../ui/property-list'
import { words } from '../words'
import { reviewWords } from './review-strings'

export interface ReviewEditProps {
  plan: FileEditPlan
  target: LineTarget | undefined
  /** Called once the end of the change was on the screen. */
  onSeen: () => void
}

/** The change as a unified diff. Lines wrap, so that nothing of them is beside the screen. */
export function ReviewEdit({ plan, target, onSeen }: ReviewEditProps) {
  const rows = useMemo(() => hunkRows(plan.diff), [plan])
  const { added, removed } = diffCounts(plan.diff)
  const [wrap, setWrap] = useState(true)
  return (
    <div className="rv-edit">
      <div className="row rv-edit-head">
        <span className="mono m trunc">{visibleText(plan.path)}</span>
        <span className="num t2">{words.lines(added, removed)}</span>
        <span className="sp" />
        <button
          type="button"
          className={wrap ? 'chip on' : 'chip'}
          aria-pressed={wrap}
          onClick={() => setWrap(!wrap)}
        >
          {words.wrap}
        </button>
      </div>
      <div className="rv-panel">
        <LineList rows={rows} label={words.exactChange} wrap={wrap} target={target} onEnd={onSeen} />
      </div>
      <div className="row small t3 rv-hash">
        <HashChip hash={plan.after.sha256} />
        <span className="sp" />
        <span>{words.editExact}</span>
      </div>
    </div>
  )
}

/** Which file it is, and how it is before and after. */
export function EditFacts({ plan }: { plan: FileEditPlan }) {
  const places = useSettings((state) => state.view)
  return (
    <section>
      <h2>{words.about}</h2>
      <PropertyList
        rows={[
          [
            reviewWords.reviewEdit.file,
            <span key="file" className="mono">
              {visibleText(plan.path)}
            </span>,
          ],
          [
            reviewWords.reviewEdit.in,
            <span key="in" title={plan.workspace}>
              {visibleText(placeName(plan.workspace, places))}
            </span>,
          ],
          [
            reviewWords.reviewEdit.now,
            plan.before ? formatBytes(plan.before.bytes) : reviewWords.reviewEdit.thereIsNoSuch,
          ],
          [reviewWords.reviewEdit.after, formatBytes(plan.after.bytes)],
        ]}
      />
    </section>
  )
}
