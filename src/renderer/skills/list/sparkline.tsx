import { formatNumber } from '../../ui/format'
import { library } from '../library-strings'

const BAR = 5
const STEP = 7
const HEIGHT = 18

/** Runs of the last 30 days: bars, the newest at the right, and the number. */
export function Sparkline({ runs }: { runs: readonly number[] }) {
  const total = runs.reduce((sum, count) => sum + count, 0)
  const most = Math.max(1, ...runs)
  return (
    <span className="spark" title={library.runsIn30Days(total)}>
      {total > 0 && (
        <svg width={runs.length * STEP} height={HEIGHT} aria-hidden="true">
          {runs.map((count, at) => {
            const height = count === 0 ? 1 : Math.max(3, Math.round((count / most) * HEIGHT))
            // oxlint-disable-next-line react/no-array-index-key -- the place is the time
            return <rect key={at} x={at * STEP} y={HEIGHT - height} width={BAR} height={height} />
          })}
        </svg>
      )}
      <span className="num">{formatNumber(total)}</span>
    </span>
  )
}
