import { expect, test } from 'vitest'
import { contract } from '@shared/ipc/contract'
import { ipcFuzz } from '../../helpers/ipc-fuzz'

test(
  '320 hostile calls get typed answers, run nothing, and the app goes on',
  { timeout: 300_000 },
  async () => {
    const report = await ipcFuzz({ calls: 320, seed: 20_261_121 })
    expect(report.faults).toEqual([])
    expect(report.calls).toBe(320)
    // Both kinds of answers were seen, over most of the contract.
    expect(report.answered).toBeGreaterThan(30)
    expect(report.refused['bad_input']).toBeGreaterThan(30)
    expect(report.names.size).toBeGreaterThan(Object.keys(contract).length * 0.8)
  },
)
