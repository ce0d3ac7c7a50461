import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setApi } from '../../../../../src/renderer/api'
import type { Api } from '../../../../../src/renderer/api'
import { dragOut, forgetDragged, isBackAgain } from '../../../../../src/renderer/editor/files/drag-out'
import { uiStore } from '../../../../../src/renderer/stores/ui'

const FILE = { key: 'personal:/skills/notes', path: 'scripts/run.sh' }
let asked: unknown[]
let refusal: Error | null

beforeEach(() => {
  asked = []
  refusal = null
  vi.stubGlobal('window', { addEventListener: () => undefined, removeEventListener: () => undefined })
  uiStore.setState({ notices: [] })
  setApi({
    call: async (name: string, input: unknown) => {
      asked.push([name, input])
      if (refusal) throw refusal
      return {}
    },
  } as unknown as Api)
})
afterEach(() => {
  forgetDragged({ buttons: 0 })
  vi.unstubAllGlobals()
})

const notices = () => uiStore.getState().notices.map(({ level, message }) => [level, message])
const file = (name: string) => ({ name })

test('main is asked to go on with the drag; nothing is said of a file that is saved', async () => {
  await dragOut(FILE, false)
  expect(asked).toEqual([['editor.dragOut', FILE]])
  expect(notices()).toEqual([])
})

test('what is typed and not saved is said not to be in it', async () => {
  await dragOut(FILE, true)
  expect(notices()).toEqual([
    [
      'info',
      'notes: scripts/run.sh is dragged as it is on disk. What you typed and did not save is not in it.',
    ],
  ])
})

test('a refusal is told, and nothing counts as dragged', async () => {
  refusal = new Error('"scripts/run.sh" leads out of the skill.')
  await dragOut(FILE, true)
  expect(notices().map(([level]) => level)).toEqual(['error'])
  expect(isBackAgain(FILE.key, [file('run.sh')], 'scripts')).toBe(false)
})

test('a file that is let go where it came from is not added again; every other is', async () => {
  await dragOut(FILE, false)
  expect(isBackAgain(FILE.key, [file('run.sh')], 'scripts')).toBe(true)
  expect(isBackAgain(FILE.key, [file('run.sh')], '')).toBe(false)
  expect(isBackAgain(FILE.key, [file('other.sh')], 'scripts')).toBe(false)
  expect(isBackAgain(FILE.key, [file('run.sh'), file('other.sh')], 'scripts')).toBe(false)
  expect(isBackAgain('personal:/skills/other', [file('run.sh')], 'scripts')).toBe(false)
})

test('the drag is over when the pointer moves with no button pressed', async () => {
  await dragOut(FILE, false)
  forgetDragged({ buttons: 1 })
  expect(isBackAgain(FILE.key, [file('run.sh')], 'scripts')).toBe(true)
  forgetDragged({ buttons: 0 })
  expect(isBackAgain(FILE.key, [file('run.sh')], 'scripts')).toBe(false)
})
