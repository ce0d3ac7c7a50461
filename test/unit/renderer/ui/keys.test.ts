import { describe, expect, test } from 'vitest'
import { matches, shortcutLabel, shortcutSpoken } from '../../../../src/renderer/ui/keys'
import type { KeyPress } from '../../../../src/renderer/ui/keys'

function press(key: string, modifiers = '', code?: string): KeyPress {
  return {
    key,
    ...(code ? { code } : {}),
    ctrlKey: modifiers.includes('c'),
    metaKey: modifiers.includes('m'),
    shiftKey: modifiers.includes('s'),
    altKey: modifiers.includes('a'),
  }
}

describe('matches', () => {
  test.each<[string, string, KeyPress, 'mac' | 'other', boolean]>([
    ['Ctrl is Mod elsewhere', 'Mod+N', press('n', 'c'), 'other', true],
    ['Command is Mod on macOS', 'Mod+N', press('n', 'm'), 'mac', true],
    ['Ctrl is not Mod on macOS', 'Mod+N', press('n', 'c'), 'mac', false],
    ['a bare key is not the chord', 'Mod+N', press('n'), 'other', false],
    ['one modifier more is another chord', 'Mod+N', press('N', 'cs'), 'other', false],
    ['Shift gives a capital', 'Mod+Shift+A', press('A', 'cs'), 'other', true],
    ['Option makes another character, the key decides', 'Mod+Alt+B', press('∫', 'ma', 'KeyB'), 'mac', true],
    ['a digit by its key on another layout', 'Mod+1', press('&', 'c', 'Digit1'), 'other', true],
    ['F6 without anything', 'F6', press('F6'), 'other', true],
    ['F6 with Shift is another', 'F6', press('F6', 's'), 'other', false],
  ])('%s', (...[, shortcut, event, system, expected]) => {
    expect(matches(event, shortcut, system === 'mac')).toBe(expected)
  })
})

test('a shortcut is written as the platform writes it', () => {
  expect(shortcutLabel('Mod+Shift+A', true)).toBe('⌘⇧A')
  expect(shortcutLabel('Mod+Shift+A', false)).toBe('Ctrl+Shift+A')
  expect(shortcutLabel('Enter', false)).toBe('↵')
})

test('a shortcut is spoken in words', () => {
  expect(shortcutSpoken('Mod+Shift+A', true)).toBe('Command Shift A')
  expect(shortcutSpoken('Mod+Shift+A', false)).toBe('Control Shift A')
})
