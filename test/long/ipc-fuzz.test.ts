import { expect, test } from 'vitest'
import { contract } from '@shared/ipc/contract'
import { ipcFuzz } from '../helpers/ipc-fuzz'

test(
  '20,000 hostile calls get typed answers, run nothing, and the app goes on',
  { timeout: 1_200_000 },
  async () => {
    const report = await ipcFuzz({ calls: 20_000, seed: 2 })
    console.log(JSON.stringify({ ...report, names: report.names.size }))
    expect(report.faults).toEqual([])
    expect(report.calls).toBe(20_000)
    expect(report.answered).toBeGreaterThan(2000)
    expect(report.refused['bad_input']).toBeGreaterThan(2000)
    expect(report.names.size).toBe(Object.keys(contract).length)
  },
)
