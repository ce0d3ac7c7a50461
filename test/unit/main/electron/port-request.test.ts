import { expect, test } from 'vitest'
import { refusalOf } from '../../../../src/main/electron/port-request'

const page = { origin: 'app://bundle', url: 'app://bundle/index.html' }
const good = { frame: page, mainFrame: page, isOwnPage: true, portCount: 1 }
const request = (frame: { origin: string; url: string }) => ({ ...good, frame, mainFrame: frame })

test('the main frame of the own page gets a port', () => {
  expect(refusalOf(good)).toBeNull()
})

const refused = [
  ['a WebContents of somebody else', { ...good, isOwnPage: false }, 'not a page of this app'],
  ['a frame that has navigated meanwhile', { ...good, frame: null }, 'the frame is gone'],
  ['a sub frame of the same origin', { ...good, frame: { ...page } }, 'not the main frame'],
  ['another site', request({ origin: 'https://evil.example', url: 'app://bundle/' }), 'another origin'],
  ['another host of our scheme', request({ origin: 'app://other', url: 'app://other/' }), 'another origin'],
  ['an opaque origin', request({ origin: 'null', url: 'data:text/html,x' }), 'another origin'],
  ['about:blank with our origin', request({ origin: 'app://bundle', url: 'about:blank' }), 'another address'],
  ['a request without a port', { ...good, portCount: 0 }, 'not exactly one port'],
  ['a request with two ports', { ...good, portCount: 2 }, 'not exactly one port'],
] as const
for (const [who, what, reason] of refused) {
  test(`${who} gets none`, () => {
    expect(refusalOf(what)).toBe(reason)
  })
}
