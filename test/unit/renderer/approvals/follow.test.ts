import { describe, expect, it } from 'vitest'
import { follow } from '../../../../src/renderer/approvals/review/use-review'
import { makeRequest } from './requests'

const nothing = { detail: undefined, error: 'old', notice: 'none', seenText: null } as const

describe('follow', () => {
  it('starts a review without a notice', () => {
    expect(follow(nothing, makeRequest())).toMatchObject({ error: '', notice: 'none', seenText: null })
  })

  it('keeps the text that was seen when the plan changes under the person', () => {
    const before = follow(nothing, makeRequest())
    const after = makeRequest({
      revision: 2,
      planHash: 'b'.repeat(64),
      script: { text: 'new', bytes: 3, sha256: '3'.repeat(64) },
    })
    expect(follow(before, after)).toEqual({
      detail: after,
      error: '',
      notice: 'revised',
      seenText: 'print(1)\n',
    })
  })

  it('tells nothing when only the state around the plan changed', () => {
    const before = follow(nothing, makeRequest())
    expect(follow(before, makeRequest({ onDisk: 'changed' })).notice).toBe('none')
  })

  it('forgets the notice of another request', () => {
    const before = { detail: makeRequest({ id: 'r0' }), error: '', notice: 'revised', seenText: 'x' } as const
    expect(follow(before, makeRequest())).toMatchObject({ notice: 'none', seenText: null })
  })
})
