import type { Project } from '@shared/domain/project'
import { describe, expect, test } from 'vitest'
import { groupChats } from '../../../../src/renderer/shell/chat-groups'
import { bindingFor, bindings } from '../../../../src/renderer/shell/key-map'
import { nextPane } from '../../../../src/renderer/shell/panes'
import { resolveTheme } from '../../../../src/renderer/shell/theme'
import { summary } from '../chat-fixtures'

function project(dir: string, over: Partial<Project> = {}): Project {
  return {
    dir,
    name: dir.slice(1),
    trusted: true,
    exists: true,
    skills: 0,
    instructions: null,
    openedAt: 0,
    ...over,
  }
}

describe('groupChats', () => {
  test('chats are grouped by project, newest first, those without a project last', () => {
    const groups = groupChats(
      [
        summary('loose', { updatedAt: 99 }),
        summary('old', { projectDir: '/a', updatedAt: 1 }),
        summary('new', { projectDir: '/a', updatedAt: 5 }),
        summary('b', { projectDir: '/b', updatedAt: 7 }),
      ],
      [project('/a'), project('/b')],
      'No project',
    )
    expect(groups.map((group) => [group.name, group.chats.map((chat) => chat.id)])).toEqual([
      ['b', ['b']],
      ['a', ['new', 'old']],
      ['No project', ['loose']],
    ])
  })

  test('a project without chats is listed, a chat of an unknown project keeps its name', () => {
    const groups = groupChats(
      [summary('x', { projectDir: '/gone', projectName: 'gone', updatedAt: 2 })],
      [project('/empty', { openedAt: 3, exists: false })],
      'No project',
    )
    expect(groups.map((group) => [group.name, group.exists, group.chats.length])).toEqual([
      ['empty', false, 0],
      ['gone', true, 1],
    ])
  })

  test('without chats and projects there is no group', () => {
    expect(groupChats([], [], 'No project')).toEqual([])
  })
})

describe('key map', () => {
  const press = (key: string, over = {}) => ({
    key,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    ...over,
  })

  test.each(['y', 'a', 'n', 'Enter', ' ', '1', 'Escape', 'Delete'])('the bare key %j does nothing', (key) => {
    expect(bindingFor(press(key), false)).toBeUndefined()
  })

  test('Ctrl+Enter does nothing outside of the review', () => {
    expect(bindingFor(press('Enter', { ctrlKey: true }), false)).toBeUndefined()
  })

  test.each([
    ['Alt+ArrowLeft', false, true],
    ['Alt+ArrowLeft', true, false],
    ['Mod+[', true, true],
    ['Mod+[', false, false],
  ])('%s on macOS %s is bound: %s', (keys, mac, bound) => {
    const event = keys.startsWith('Alt')
      ? press('ArrowLeft', { altKey: true })
      : press('[', mac ? { metaKey: true } : { ctrlKey: true })
    expect(bindingFor(event, mac)?.keys).toBe(bound ? keys : undefined)
  })

  test('no two bindings share a key', () => {
    const keys = bindings.map((binding) => binding.keys)
    expect(new Set(keys).size).toBe(keys.length)
  })
})

test.each([
  ['dark', { dark: false, moreContrast: true }, 'dark'],
  ['hc-light', { dark: true, moreContrast: false }, 'hc-light'],
  ['system', { dark: false, moreContrast: false }, 'light'],
  ['system', { dark: true, moreContrast: false }, 'dark'],
  ['system', { dark: true, moreContrast: true }, 'hc-dark'],
] as const)('the setting %s on a system %o draws %s', (setting, system, theme) => {
  expect(resolveTheme(setting, system)).toBe(theme)
})

test.each([
  ['yyyy', -1, 1, 0],
  ['yyyy', -1, -1, 3],
  ['yyyy', 3, 1, 0],
  ['yyyy', 0, -1, 3],
  ['', -1, 1, -1],
  ['ynny', 0, 1, 3],
  ['ynny', 3, -1, 0],
  ['nnny', 3, 1, -1],
  ['nnnn', -1, -1, -1],
  ['ynnn', 2, 1, 0],
] as const)(
  'of the panes %s (n: nothing to focus), from %i by %i, F6 goes to %i',
  (panes, current, step, next) => {
    const focusable = panes.split('').map((pane) => pane === 'y')
    expect(nextPane(focusable, current, step)).toBe(next)
  },
)
