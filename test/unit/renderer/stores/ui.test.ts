import { beforeEach, describe, expect, test } from 'vitest'
import {
  addNotice,
  addSkillNotice,
  clampWidth,
  dismissNotice,
  goBack,
  goForward,
  goTo,
  keepPlace,
  keepUi,
  noticesIn,
  readKept,
  replaceChat,
  roomFor,
  showsInspector,
  showsSidebar,
  SIDEBAR,
  togglePane,
  uiStore,
} from '../../../../src/renderer/stores/ui'

beforeEach(() => uiStore.setState(uiStore.getInitialState(), true))

const place = () => [uiStore.getState().area, uiStore.getState().chatId]

describe('history', () => {
  test('Back and Forward walk over places', () => {
    goTo({ area: 'chats', chatId: 'a' })
    goTo({ area: 'skills' })
    goBack()
    expect(place()).toEqual(['chats', 'a'])
    goForward()
    expect(place()).toEqual(['skills', 'a'])
  })

  test('going where one is adds no step', () => {
    goTo({ area: 'chats' })
    expect(uiStore.getState().back).toEqual([])
  })

  test('a new step drops what was ahead', () => {
    goTo({ area: 'skills' })
    goBack()
    goTo({ area: 'approvals' })
    expect(uiStore.getState().forward).toEqual([])
  })

  test('Back at the beginning changes nothing', () => {
    const before = uiStore.getState()
    goBack()
    expect(uiStore.getState()).toBe(before)
  })
})

describe('panes', () => {
  test.each([
    [1440, 'wide'],
    [960, 'wide'],
    [959, 'medium'],
    [720, 'medium'],
    [719, 'small'],
  ] as const)('a window of %i pixels is %s', (width, room) => {
    expect(roomFor(width)).toBe(room)
  })

  test('in a wide window a toggle hides the pane for good', () => {
    togglePane('inspector')
    expect(showsInspector(uiStore.getState())).toBe(false)
    togglePane('inspector')
    expect(showsInspector(uiStore.getState())).toBe(true)
  })

  test('in a narrow window panes start closed, open over the rest and leave the wide choice alone', () => {
    uiStore.setState({ room: 'small' })
    expect([showsSidebar(uiStore.getState()), showsInspector(uiStore.getState())]).toEqual([false, false])
    togglePane('sidebar')
    expect(showsSidebar(uiStore.getState())).toBe(true)
    expect(uiStore.getState().sidebar).toBe(true)
    goTo({ area: 'skills' })
    expect(showsSidebar(uiStore.getState())).toBe(false)
  })

  test('a width stays between its limits', () => {
    expect([clampWidth(1, SIDEBAR), clampWidth(9999, SIDEBAR), clampWidth(200.4, SIDEBAR)]).toEqual([
      180, 360, 200,
    ])
  })
})

describe('what is kept', () => {
  test('what was kept is read again', () => {
    let kept = ''
    const stop = keepUi({ setItem: (_key, value) => void (kept = value) })
    uiStore.setState({ sidebarWidth: 300, inspector: false })
    stop()
    expect(readKept({ getItem: () => kept })).toMatchObject({ sidebarWidth: 300, inspector: false })
  })

  test('every move is told once, and nothing else is', () => {
    const told: object[] = []
    const stop = keepPlace((place) => told.push(place))
    goTo({ area: 'skills', chatId: 'c9' })
    goTo({ area: 'skills' })
    uiStore.setState({ sidebarWidth: 301 })
    replaceChat('c10')
    goBack()
    stop()
    goTo({ area: 'settings' })
    expect(told).toEqual([
      { area: 'skills', chatId: 'c9' },
      { area: 'skills', chatId: 'c10' },
      { area: 'chats', chatId: null },
    ])
  })

  test.each([
    ['nothing', null],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['wrong kinds', '{"sidebar":"yes","sidebarWidth":"wide"}'],
  ])('%s gives the first day', (_what, text) => {
    expect(readKept({ getItem: () => text })).toEqual({})
  })

  test('an absurd width is brought into its limits', () => {
    expect(readKept({ getItem: () => '{"sidebarWidth":99999}' })).toEqual({ sidebarWidth: 360 })
  })
})

describe('notices', () => {
  test('a notice gives way to a later one about the same', () => {
    uiStore.setState({ notices: [] })
    addNotice('info', 'Two skills are active.', 'branch c1')
    addNotice('info', 'Other chat.', 'branch c2')
    addNotice('info', 'One skill is active.', 'branch c1')
    const told = uiStore.getState().notices.map(({ message }) => message)
    expect(told).toEqual(['Other chat.', 'One skill is active.'])
    uiStore.setState({ notices: [] })
  })

  test('the same message is shown once', () => {
    addNotice('error', 'The disk is full.')
    addNotice('error', 'The disk is full.')
    expect(uiStore.getState().notices.map((notice) => notice.message)).toEqual(['The disk is full.'])
  })

  test('a notice of one chat is shown in that chat alone, one of the window everywhere', () => {
    uiStore.setState({ notices: [] })
    addNotice('warning', 'The agent was stopped.', undefined, 'c1')
    addNotice('warning', 'The agent was stopped.', undefined, 'c2')
    addNotice('error', 'The disk is full.')
    const shown = (chatId: string | null) =>
      noticesIn(uiStore.getState().notices, chatId).map((one) => one.chatId)
    expect(shown('c1')).toEqual(['c1', undefined])
    expect(shown('c2')).toEqual(['c2', undefined])
    expect(shown(null)).toEqual([undefined])
    uiStore.setState({ notices: [] })
  })

  test('a dismissed notice is gone', () => {
    addNotice('info', 'a')
    dismissNotice(uiStore.getState().notices[0]?.n ?? -1)
    expect(uiStore.getState().notices).toEqual([])
  })
})

test('what is said about one skill names it, and goes when another one is shown', () => {
  const said = () => uiStore.getState().notices.map(({ message }) => message)
  goTo({ area: 'skills', skill: 'personal:/home/skills/notes' })
  addNotice('info', 'Of the window.')
  addSkillNotice('warning', 'It is in use.', 'personal:/home/skills/notes')
  expect(said()).toEqual(['Of the window.', 'notes: It is in use.'])
  goTo({ skill: 'personal:/home/skills/pdf' })
  expect(said()).toEqual(['Of the window.'])
  addSkillNotice('warning', 'The folder of pdf is in use.', 'personal:/home/skills/pdf')
  expect(said()).toContain('The folder of pdf is in use.')
  goBack()
  expect(said()).toEqual(['Of the window.'])
})
