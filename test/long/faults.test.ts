import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { FaultPoint } from '../../src/main/lib/fault-point'
import { FAULT_KINDS, passedPoints, playCell, type Cell } from '../helpers/fault-matrix'
import { createRandom } from '../helpers/random'

/** Two at a time, each on data of its own: a cell waits more than it works. */
const AT_ONCE = 2
const DELAY_MS = 5000

test('whatever fails wherever it may, every promise is kept', { timeout: 3_600_000 }, async () => {
  const passed = await passedPoints()
  const random = createRandom(20_261_121)
  const points = Object.entries(passed) as [FaultPoint, number][]
  const queue = points.flatMap(([point, times]) =>
    FAULT_KINDS.map((kind) => ({ point, kind, nth: 1 + random.int(Math.min(times, 40)) })),
  )
  const cells: Cell[] = []
  const wanted = process.env['SATCHEL_FAULTS']?.split(',').filter(Boolean) ?? []
  const chosen = queue.filter(
    ({ point, kind }) =>
      wanted.length === 0 || [point, `${point}:${kind}`].some((one) => wanted.includes(one)),
  )
  const work = async () => {
    for (let next = chosen.shift(); next; next = chosen.shift()) {
      const cell = await playCell(next, DELAY_MS)
      cells.push(cell)
      console.log(`${cell.point} ${cell.kind} ${cell.nth}: ${cell.went} ${cell.faults.join('; ')}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const report = process.env['SATCHEL_FAULTS_REPORT']
  if (report) writeFileSync(report, JSON.stringify({ passed, cells }))
  expect(cells.length).toBeGreaterThan(0)
  expect(cells.filter(({ faults }) => faults.length > 0)).toEqual([])
})
