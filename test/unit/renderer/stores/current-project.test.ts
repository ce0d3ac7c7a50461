import { describe, expect, test } from 'vitest'
import { chatOfWindow } from '../../../../src/renderer/stores/current-project'
import { detail, summary } from '../chat-fixtures'

const work = { projectDir: '/home/ada/ops', projectName: 'ops' }
const list = [summary('s1', work), summary('s2')]
const watched = (id: string, over = {}) =>
  ({ detail: detail({ id, ...over }) }) as NonNullable<Parameters<typeof chatOfWindow>[1]['chat']>

describe('the project of the window', () => {
  test('stays that of the current chat while another one, such as a trial, is watched', () => {
    expect(chatOfWindow('s1', { list, chat: watched('trial') })).toMatchObject(work)
  })

  test('is that of the current chat while it is not in the list yet', () => {
    expect(chatOfWindow('new', { list, chat: watched('new', work) })).toMatchObject(work)
  })

  test('is unknown before a chat is chosen, and before the list is there', () => {
    expect(chatOfWindow(null, { list, chat: undefined })).toBeUndefined()
    expect(chatOfWindow('s1', { list: null, chat: undefined })).toBeUndefined()
  })
})
