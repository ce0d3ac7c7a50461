import { beforeEach, expect, test } from 'vitest'
import { actions, guarded, nextRequest } from '../../../../src/renderer/shell/actions'
import { approvalsStore } from '../../../../src/renderer/stores/approvals'
import { goTo, showInDock, uiStore } from '../../../../src/renderer/stores/ui'
import { makeRequest } from '../approvals/requests'

const pending = [
  makeRequest({ id: 'old', sessionId: 'a' }),
  makeRequest({ id: 'b1', sessionId: 'b' }),
  makeRequest({ id: 'b2', sessionId: 'b' }),
]

beforeEach(() => {
  uiStore.setState(uiStore.getInitialState(), true)
  approvalsStore.setState({ pending })
})

const shown = () => {
  const { area, chatId, reviewing } = uiStore.getState()
  return [area, chatId, reviewing?.requestId]
}

test('the key that the dock in view names opens the request of that dock', () => {
  goTo({ area: 'chats', chatId: 'b' })
  nextRequest()
  expect(shown()).toEqual(['chats', 'b', 'b1'])
})

test('it opens the one that the dock was led to', () => {
  showInDock({ id: 'b2', sessionId: 'b' })
  nextRequest()
  expect(shown()).toEqual(['chats', 'b', 'b2'])
})

test('a notification opens the request that it told of, whichever chat is in view', () => {
  goTo({ area: 'chats', chatId: 'a' })
  nextRequest('b2')
  expect(shown()).toEqual(['chats', 'b', 'b2'])
})

test('the key of the skills leads from a skill’s page to the list, and from elsewhere back to that page', () => {
  goTo({ area: 'skills', skill: 'skill/personal/pdf' })
  goTo({ area: 'chats' })
  actions.areaSkills()
  expect(uiStore.getState().skill).toBe('skill/personal/pdf')
  actions.areaSkills()
  expect(uiStore.getState()).toMatchObject({ area: 'skills', skill: null })
})

test('a notification of a request that was decided meanwhile leads to what waits', () => {
  goTo({ area: 'skills', chatId: 'b' })
  nextRequest('decided')
  expect(shown()).toEqual(['chats', 'a', 'old'])
})

test.each([
  ['in a chat where nothing waits', { area: 'chats', chatId: 'c' }],
  ['in another area', { area: 'skills', chatId: 'b' }],
] as const)('%s it goes to the oldest', (_where, place) => {
  goTo(place)
  nextRequest()
  expect(shown()).toEqual(['chats', 'a', 'old'])
})

const told = () => uiStore.getState().notices.map(({ chatId }) => chatId)
const fails = () => Promise.reject(new Error('no'))

test('what fails in a chat is told in that chat alone', async () => {
  goTo({ area: 'chats', chatId: 'a' })
  await guarded(fails)
  expect(told()).toEqual(['a'])
})

test('what fails after the person went to another chat, or outside of chats, is told in the window', async () => {
  goTo({ area: 'chats', chatId: 'a' })
  await guarded(async () => {
    goTo({ area: 'chats', chatId: 'b' })
    await fails()
  })
  expect(told()).toEqual([undefined])
  uiStore.setState({ notices: [] })
  goTo({ area: 'settings' })
  await guarded(fails)
  expect(told()).toEqual([undefined])
})
