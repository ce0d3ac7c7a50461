import { beforeEach, expect, it } from 'vitest'
import { actions } from '../../../../src/renderer/shell/actions'
import { commandList, shortcutOf } from '../../../../src/renderer/shell/commands'
import { bindings } from '../../../../src/renderer/shell/key-map'
import { shell } from '../../../../src/renderer/shell/strings'
import { sessionsStore } from '../../../../src/renderer/stores/sessions'
import { settingsStore } from '../../../../src/renderer/stores/settings'

beforeEach(() => {
  settingsStore.setState({ view: undefined })
  sessionsStore.setState({ chat: undefined })
})

it('gives every action of the shell a name, and every name an action', () => {
  expect(Object.keys(shell.commands).toSorted()).toEqual(Object.keys(actions).toSorted())
})

it('shows the key that the table of keys has, by the system', () => {
  expect(shortcutOf('newChat', false)).toBe('Mod+N')
  expect([shortcutOf('back', true), shortcutOf('back', false)]).toEqual(['Mod+[', 'Alt+ArrowLeft'])
})

it('has no two keys for different things on one system', () => {
  for (const mac of [true, false]) {
    const own = bindings.filter(({ on }) => (on ?? (mac ? 'mac' : 'other')) === (mac ? 'mac' : 'other'))
    expect(new Set(own.map(({ keys }) => keys)).size).toBe(own.length)
  }
})

it('says why a command does nothing now', () => {
  const stop = commandList().find(({ id }) => id === 'command:stop')
  expect(stop?.unavailable).toBe('Stop: nothing is running')
})

it('does not offer to open itself', () => {
  expect(commandList().map(({ id }) => id)).not.toContain('command:palette')
})
