import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { procText, startTimeOf, statFields } from '../../../../src/main/lib/proc'

describe('what Linux tells of a process', () => {
  test('the state follows a name, whatever signs the name has', async () => {
    const child = spawn('/bin/sh', ['-c', "printf ') Z 1 (' >/proc/$$/comm; echo named; read -r line"])
    await once(child.stdout, 'data')
    try {
      expect(procText(`/proc/${child.pid}/comm`)).toBe(') Z 1 (\n')
      expect(Number(statFields(child.pid!)[1])).toBe(process.pid)
    } finally {
      child.stdin.end()
      await once(child, 'exit')
    }
    expect([startTimeOf(child.pid!), statFields(child.pid!)]).toEqual([null, []])
  })

  test('a process that runs has one start time', () => {
    expect(startTimeOf(process.pid)).toMatch(/^\d+$/)
    expect(startTimeOf(process.pid)).toBe(startTimeOf(process.pid))
  })
})
