import { expect, it, vi } from 'vitest'

vi.stubGlobal('localStorage', undefined)
const { actions } = await import('../../../../src/renderer/shell/actions')
const { commandList, shortcutOf } = await import('../../../../src/renderer/shell/commands')
const { bindings } = await import('../../../../src/renderer/shell/key-map')
const { shell } = await import('../../../../src/renderer/shell/strings')

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
