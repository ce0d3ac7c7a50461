import { describe, expect, test } from 'vitest'
import { commandIn, commandsFor } from '../../../../../src/renderer/chat/composer/commands'
import { nameAtCaret } from '../../../../../src/renderer/chat/composer/completion'

describe('commands of the message box', () => {
  test.each(['/compact', ' /compact \n'])('%j is one', (text) => {
    expect(commandIn(text)?.command).toBe('compact')
  })

  test.each(['compact', '@compact', '/compact the jam', '/compacts', '/Compact', ''])(
    '%j is a message',
    (text) => {
      expect(commandIn(text)).toBeNull()
    },
  )

  test.each([
    ['/', ['compact']],
    ['/COM', ['compact']],
    ['/pact', []],
    ['@com', []],
  ])('%j lists those that begin with it', (text, expected) => {
    expect(commandsFor(nameAtCaret(text, text.length)!).map(({ command }) => command)).toEqual(expected)
  })
})
