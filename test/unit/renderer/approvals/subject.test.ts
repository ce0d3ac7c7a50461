import { describe, expect, it } from 'vitest'
import {
  announcement,
  contentHash,
  isSameSubject,
  subjectOf,
} from '../../../../src/renderer/approvals/subject'
import { makeCall, makeEdit, makePlan, makeRequest } from './requests'

describe('subjectOf', () => {
  it('names a script, its skill and the act', () => {
    expect(subjectOf(makePlan())).toMatchObject({
      verb: 'Run',
      name: 'fill.py',
      question: 'Run this script?',
      skill: { name: 'pdf' },
    })
  })

  it('asks about a hook, a command, a change, a new file and a call in their own words', () => {
    const plans = [
      makePlan({ kind: 'hook' }),
      makePlan({ kind: 'shell', script: null, skill: null }),
      makePlan({ kind: 'prepare', script: null }),
      makeEdit(),
      makeEdit({ mode: 'create', before: null }),
      makeCall(),
    ]
    expect(plans.map((plan) => subjectOf(plan).question)).toEqual([
      'Run this hook?',
      'Run this command?',
      'Prepare packages?',
      'Change this file?',
      'Create this file?',
      'Call this MCP tool?',
    ])
  })
})

describe('isSameSubject', () => {
  it('compares a file by its path and a call by server and tool, whatever the contents are', () => {
    expect(isSameSubject(makeEdit(), makeEdit({ diff: [] }))).toBe(true)
    expect(isSameSubject(makeEdit(), makeEdit({ path: 'other.md' }))).toBe(false)
    expect(isSameSubject(makeCall(), makeCall({ arguments: {} }))).toBe(true)
    expect(isSameSubject(makeCall(), makeEdit())).toBe(false)
    expect(isSameSubject(makePlan(), makeEdit())).toBe(false)
  })
})

describe('contentHash', () => {
  it('is that of the new text of a file', () => {
    expect(contentHash(makeEdit())).toBe('4'.repeat(64))
    expect(contentHash(makeCall())).toBeUndefined()
  })
})

describe('announcement', () => {
  it('names the script, its skill and the key', () => {
    expect(announcement(makeRequest(), 'Command Shift A')).toBe(
      'Approval needed. Run fill.py from pdf. Press Command Shift A to review.',
    )
  })

  it('speaks of a command where there is no script', () => {
    const plan = makePlan({ kind: 'shell', script: null, skill: null })
    expect(announcement({ plan }, 'X')).toBe('Approval needed. Run a command. Press X to review.')
  })

  it('names the file of a change, and the server of a call', () => {
    expect(announcement({ plan: makeEdit() }, 'X')).toBe(
      'Approval needed. Change today.md. Press X to review.',
    )
    expect(announcement({ plan: makeCall() }, 'X')).toBe(
      'Approval needed. Call search from tickets. Press X to review.',
    )
  })
})
