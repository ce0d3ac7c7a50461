import { beforeEach, describe, expect, it } from 'vitest'
import {
  clearMarks,
  goToSkill,
  markAll,
  markTo,
  noteListed,
  placeStore,
  selectedKey,
  selectSkill,
  toggleMark,
} from '../../../../../src/renderer/skills/tree/skills-place'

const KEYS = ['a', 'b', 'c', 'd']
const marked = () => [...placeStore.getState().marked]

describe('marks', () => {
  beforeEach(() => selectSkill('b'))

  it('reach from where the range began to the row, in both directions', () => {
    markTo(KEYS, 'd')
    expect(marked()).toEqual(['b', 'c', 'd'])
    markTo(KEYS, 'a')
    expect(marked()).toEqual(['a', 'b'])
  })

  it('begin with the selected row when one more is marked, and one can be taken out', () => {
    toggleMark('d')
    expect(marked()).toEqual(['b', 'd'])
    toggleMark('b')
    expect(marked()).toEqual(['d'])
  })

  it('stay while the person only goes elsewhere, and go with the next selection', () => {
    markAll(KEYS)
    goToSkill('c')
    expect(marked()).toEqual(KEYS)
    selectSkill('c')
    expect(marked()).toEqual([])
  })

  it('can all be taken away', () => {
    markAll(KEYS)
    clearMarks()
    expect(marked()).toEqual([])
    expect(placeStore.getState().selected).toBe('b')
  })

  it('begin anew where the row that they began at is gone', () => {
    markTo(['c', 'd'], 'd')
    expect(marked()).toEqual(['d'])
  })
})

describe('the selected skill', () => {
  const shown = () => selectedKey(placeStore.getState())

  it('is shown nowhere while a search hides its row, and again once it is listed', () => {
    selectSkill('b')
    noteListed('b', false)
    expect(shown()).toBeNull()
    noteListed('b', true)
    expect(shown()).toBe('b')
  })

  it.each([
    ['a click', () => selectSkill('c')],
    ['the focus', () => goToSkill('c')],
    ['a mark', () => toggleMark('c')],
    ['a range', () => markTo(KEYS, 'c')],
  ])('is the row that %s goes to, even after one that is hidden', (_by, go) => {
    selectSkill('b')
    noteListed('b', false)
    go()
    expect(shown()).toBe('c')
  })
})
