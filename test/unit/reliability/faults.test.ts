import { expect, test } from 'vitest'
import { playCell } from '../../helpers/fault-matrix'
import type { PlantedFault } from '../../helpers/fault-core'

/** The whole matrix is `npm run faults`; here are those points between which most can go wrong. */
const SAMPLE: readonly PlantedFault[] = [
  { point: 'run.after-row', kind: 'kill', nth: 1 },
  { point: 'file.before-rename', kind: 'kill', nth: 2 },
  { point: 'snapshot.after-copy', kind: 'kill', nth: 1 },
  { point: 'decision.before-approve', kind: 'throw', nth: 1 },
  { point: 'db.before-durable-commit', kind: 'full', nth: 20 },
]

test('a fault at the points that matter most breaks no promise', { timeout: 300_000 }, async () => {
  for (const fault of SAMPLE) {
    const { point, kind, faults } = await playCell(fault, 0)
    expect(faults, `${point} ${kind}`).toEqual([])
  }
})
