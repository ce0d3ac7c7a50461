import type { MenuItemConstructorOptions } from 'electron'
import { expect, test } from 'vitest'
import { menuTemplate, undoLabel } from '../../../../src/main/electron/menu'
import { reloadBudget } from '../../../../src/main/electron/reload-budget'
import { backgroundOf, nativeThemeOf } from '../../../../src/main/electron/theme'
import { webPreferences } from '../../../../src/main/electron/web-preferences'

test('a page may be loaded again three times in a minute', () => {
  let now = 0
  const mayReload = reloadBudget(() => now)
  expect([mayReload(), mayReload(), mayReload(), mayReload()]).toEqual([true, true, true, false])
  now = 59_999
  expect(mayReload()).toBe(false)
  now = 60_001
  expect(mayReload()).toBe(true)
})

// What a page can't do with the others is shown in the real window (test/e2e/hardening.spec.ts).
test.each([true, false])('the page has developer tools only where it is told so: %s', (hasDevTools) => {
  expect(webPreferences('/preload.cjs', hasDevTools).devTools).toBe(hasDevTools)
})

const plain = { shouldUseDarkColors: false, shouldUseHighContrastColors: false }
const backgrounds = [
  ['light', { ...plain, shouldUseDarkColors: true }, '#FAF9F6'],
  ['dark', plain, '#1A1B19'],
  ['hc-light', plain, '#FFFFFF'],
  ['hc-dark', plain, '#000000'],
  ['system', plain, '#FAF9F6'],
  ['system', { ...plain, shouldUseDarkColors: true }, '#1A1B19'],
  ['system', { shouldUseDarkColors: true, shouldUseHighContrastColors: true }, '#000000'],
  ['system', { shouldUseDarkColors: false, shouldUseHighContrastColors: true }, '#FFFFFF'],
] as const
for (const [preference, system, colour] of backgrounds) {
  test(`the window of "${preference}" is ${colour} where the system is ${JSON.stringify(system)}`, () => {
    expect(backgroundOf(preference, system)).toBe(colour)
  })
}

test('high contrast follows its lighter or darker side in native parts', () => {
  expect(
    ['system', 'light', 'dark', 'hc-light', 'hc-dark'].map((each) => nativeThemeOf(each as 'dark')),
  ).toEqual(['system', 'light', 'dark', 'light', 'dark'])
})

function items(template: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return template.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? items(item.submenu) : [])])
}

for (const platform of ['linux', 'darwin', 'win32'] as const) {
  test(`the menu of ${platform} sends each command and holds no key twice`, () => {
    const sent: string[] = []
    const send = (command: string) => void sent.push(command)
    const all = items(
      menuTemplate({
        platform,
        theme: 'dark',
        lastChange: null,
        send,
        setTheme: (theme) => void sent.push(theme),
        openLogs: () => send('logs'),
      }),
    )

    for (const item of all) (item.click as (() => void) | undefined)?.()

    expect(sent.sort()).toEqual(
      [
        'new-chat',
        'palette',
        'shortcuts',
        'area-agents',
        'open-project',
        'new-skill',
        'skill-duplicate',
        'skill-rename',
        'skill-move',
        'skill-copy',
        'skill-delete',
        'skill-undo',
        'settings',
        'area-audit',
        'area-chats',
        'area-skills',
        'toggle-sidebar',
        'toggle-inspector',
        'stop',
        'go-to-next-request',
        'pause-agents',
        'system',
        'light',
        'dark',
        'hc-light',
        'hc-dark',
        'logs',
      ].sort(),
    )
    const keys = all.map((item) => item.accelerator).filter(Boolean)
    expect(new Set(keys).size).toBe(keys.length)
    expect(all.filter((item) => item.checked).map((item) => item.label)).toEqual(['Dark'])
    expect(all.map((item) => item.role).filter((role) => /reload|devtools/i.test(role ?? ''))).toEqual([])
  })
}

test.each([
  [{ kind: 'delete', name: 'sql-explain' }, 'Undo delete of sql-explain', true],
  [{ kind: 'move', name: 'a & b' }, 'Undo move of a && b', true],
  [null, 'Undo change of a skill folder', false],
] as const)('Edit › Undo says what it takes back: %j', (lastChange, label, enabled) => {
  const nothing = () => undefined
  const template = menuTemplate({
    platform: 'linux',
    theme: 'dark',
    lastChange,
    send: nothing,
    setTheme: nothing,
    openLogs: nothing,
  })
  const edit = template.find((menu) => menu.label === '&Edit')
  expect(items([edit!]).find(({ id }) => id === 'skill-undo')).toMatchObject({ label, enabled })
  expect(undoLabel(lastChange)).toBe(label)
})
