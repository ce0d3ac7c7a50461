import { expect, test } from 'vitest'
import { lookAlikes, visibleText } from '@shared/visible-text'
import { filterKeys } from '../../../src/main/runs/terminal-input'
import { asSeen } from '../../../src/main/runs/text'
import { createScreen } from '../../../src/renderer/chat/terminal/screen'
import { HIDDEN_CASES, PRINTED_CASES, TYPED_CASES } from '../../corpus/text-cases'

test.each(PRINTED_CASES)('$id $title: no more than text is left of it', ({ printed, shown, read }) => {
  const screen = createScreen()
  screen.write('out', printed)
  expect(screen.text()).toBe(shown)
  expect(asSeen(printed)).toBe(read)
})

test.each(TYPED_CASES)('$id $title is not typed into a script', ({ typed, goes }) => {
  expect(filterKeys(typed)).toEqual({ interrupt: false, text: goes })
})

test.each(HIDDEN_CASES)('$id $title: a person sees that it is there', ({ text, shown, lookAlike }) => {
  expect(visibleText(text)).toBe(shown ?? text)
  expect(lookAlikes(text)).toEqual(lookAlike ?? [])
  expect(shown !== undefined || lookAlike !== undefined).toBe(true)
})
