import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { composer } from '../helpers/chat'
import type { Session } from '../helpers/electron'
import { expect, networkOf, spawnSatchel, tempDir, test } from '../helpers/electron'
import { inPage, RAW_PORT } from '../helpers/raw-port'

const bounds = (session: Session) =>
  session.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getBounds())

const background = (session: Session) =>
  session.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getBackgroundColor())

const visible = (session: Session) =>
  session.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => window.isVisible()),
  )

const workArea = (session: Session) =>
  session.app.evaluate(({ screen }) => screen.getPrimaryDisplay().workArea)

test('the first start makes the data folder, private to the person, and opens one titled window', async ({
  launch,
}) => {
  const home = tempDir()
  const dataDir = join(home, 'not', 'there', 'yet')
  const session = await launch({ home, dataDir })

  expect(await session.page.title()).toBe('Satchel')
  expect(session.page.url()).toBe('app://bundle/index.html')
  expect(session.app.windows()).toHaveLength(1)
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  expect(existsSync(join(dataDir, 'chromium'))).toBe(true)
  const area = await workArea(session)
  const { width, height } = await bounds(session)
  expect([width, height]).toEqual([Math.min(1440, area.width), Math.min(900, area.height)])
})

test('without SATCHEL_HOME the data is in the folder that the platform has for Satchel', async ({
  launch,
}) => {
  const home = tempDir()
  const session = await launch({ home, env: { SATCHEL_HOME: undefined } })

  const userData = await session.app.evaluate(({ app }) => app.getPath('userData'))
  expect(userData).toBe(join(home, '.config', 'Satchel', 'chromium'))
})

/** Moves the window until it stays there: what is still on its way from the X server puts it back once more. */
async function moveWindow(session: Session, to: Electron.Rectangle): Promise<void> {
  await expect.poll(() => visible(session)).toEqual([true])
  let stayed = 0
  const settled = async () => {
    stayed = isDeepStrictEqual(await bounds(session), to) ? stayed + 1 : 0
    if (stayed === 0) await session.app.evaluate(setBounds, to)
    return stayed
  }
  await expect.poll(settled, { intervals: [100] }).toBeGreaterThan(5)
}

const setBounds = ({ BrowserWindow }: typeof Electron.CrossProcessExports, to: Electron.Rectangle) =>
  BrowserWindow.getAllWindows()[0]!.setBounds(to)

test('the window comes back where it was', async ({ launch }) => {
  const place = { x: 130, y: 90, width: 900, height: 640 }
  const first = await launch()
  await moveWindow(first, place)
  await first.close()

  const second = await launch({ home: first.home })
  expect(await bounds(second)).toEqual(place)
})

test('a window that was left outside of the screen comes back inside', async ({ launch }) => {
  const outside = { x: 9000, y: 7000, width: 700, height: 600 }
  const first = await launch()
  await moveWindow(first, outside)
  await first.close()

  const second = await launch({ home: first.home })
  const area = await workArea(second)
  const { x, y } = await bounds(second)
  expect([x, y]).toEqual([area.x + area.width - 700, area.y + area.height - 600])
})

test('a second start shows the window that is open, ignores its arguments and ends', async ({ launch }) => {
  const session = await launch()
  await session.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.hide())

  const before = await held(session)

  const second = spawnSatchel({ home: session.home, args: ['--settings={"theme":"dark"}', ...LINKS] })
  expect(await second.exited).toBe(0)

  expect(second.stderr()).toContain('Satchel is open already')
  await expect.poll(() => visible(session)).toEqual([true])
  await openAtOnce(session, 100)
  expect(await visible(session)).toEqual([true])
  expect(session.page.url()).toBe('app://bundle/index.html')
  expect(await held(session)).toEqual(before)
  await session.close()
  expect(networkOf(session)).toEqual({ requests: [], names: [], dnsQueries: 0, connections: [] })
})

/** Links as other programs would hand them over (A80 to A83 of the attack corpus). */
const LINKS = [
  'satchel://evil',
  'satchel://x?q=--settings={"hooks":{"SessionStart":"touch PWN"},"theme":"dark"}',
  'satchel://x?q=a\n--settings={"theme":"dark"}',
  'satchel://x?q=%0a"\'`$(touch PWN)`--theme=dark',
  'satchel://chat?text=Hello&send=1&baseUrl=https://evil.example/v1&model=evil',
]

/** What Electron tells of other starts, links and files, without a program for each. */
function openAtOnce({ app }: Session, times: number): Promise<void> {
  return app.evaluate(
    ({ app: electron }, { links, count }) => {
      for (let n = 0; n < count; n += 1) {
        const link = links[n % links.length]!
        const event = { preventDefault: () => undefined }
        electron.emit('second-instance', event, ['satchel', link], '/', null)
        electron.emit('open-url', event, link)
        electron.emit('open-file', event, link)
      }
    },
    { links: LINKS, count: times },
  )
}

/** Settings, providers and chats, as the app itself has them. */
function held({ page }: Session): Promise<unknown> {
  const calls = [
    ['settings.get', {}],
    ['sessions.list', {}],
    ['approvals.list', {}],
  ]
  return inPage(
    page,
    `${RAW_PORT} const port = await rawPort()
     const answers = []
     for (const [name, input] of ${JSON.stringify(calls)}) answers.push(await port.ask({ t: 'call', id: answers.length + 1, name, input }))
     return answers`,
  )
}

const badHomes = [
  {
    name: 'is a file',
    value: (home: string) => join(home, 'file'),
    says: /The data folder .*file can not be made/,
  },
  { name: 'is not absolute', value: () => 'data', says: /SATCHEL_HOME must be an absolute path, not "data"/ },
]
for (const { name, value, says } of badHomes) {
  test(`a data folder that ${name} ends the start with a sentence that says so`, async () => {
    const home = tempDir()
    writeFileSync(join(home, 'file'), '')

    const session = spawnSatchel({ home, dataDir: value(home) })
    expect(await session.exited).toBe(1)

    expect(session.stderr()).toMatch(says)
  })
}

test('the theme chosen in the menu colours the window now and at the next start', async ({ launch }) => {
  const first = await launch()
  await first.app.evaluate(({ Menu }) => Menu.getApplicationMenu()!.getMenuItemById('theme-dark')!.click())
  await expect.poll(() => background(first)).toBe('#1A1B19')
  expect(await first.app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('dark')
  await first.close()

  const second = await launch({ home: first.home })
  expect(await background(second)).toBe('#1A1B19')
  const checked = await second.app.evaluate(
    ({ Menu }) => Menu.getApplicationMenu()!.getMenuItemById('theme-dark')!.checked,
  )
  expect(checked).toBe(true)
})

test('a menu item reaches the page as an event', async ({ launch }) => {
  const session = await launch()
  await inPage(
    session.page,
    `${RAW_PORT} const port = await rawPort(); globalThis.seen = []
     port.post({ t: 'open', id: 1, name: 'events', input: {} })
     // Answered after the stream was opened, because requests are taken in order.
     await port.ask({ t: 'call', id: 2, name: 'settings.get', input: {} })
     const read = async () => { for (;;) globalThis.seen.push((await port.next()).value) }
     void read()`,
  )

  await session.app.evaluate(({ Menu }) => Menu.getApplicationMenu()!.getMenuItemById('settings')!.click())

  const seen = () => session.page.evaluate('globalThis.seen')
  await expect.poll(seen).toContainEqual({ t: 'command', name: 'settings' })
})

test('the menu has no reload and no developer tools', async ({ launch }) => {
  const session = await launch()
  const roles = await session.app.evaluate(({ Menu }) => {
    const all: string[] = []
    const walk = (menu: Electron.Menu | null | undefined) => {
      for (const item of menu?.items ?? []) {
        all.push((item.role ?? '').toLowerCase())
        walk(item.submenu)
      }
    }
    walk(Menu.getApplicationMenu())
    return all
  })
  expect(roles).toContain('copy')
  expect(roles.filter((role) => /reload|devtools/.test(role))).toEqual([])
})

test('a page that crashes is loaded again', async ({ launch }) => {
  const session = await launch()
  const mark = "typeof globalThis.mark + ' ' + typeof globalThis.satchel"
  const run = (code: string) =>
    session.app.evaluate(
      ({ BrowserWindow }, code) =>
        BrowserWindow.getAllWindows()[0]!.webContents.executeJavaScript(code) as unknown,
      code,
    )
  await run('globalThis.mark = 1; 0')

  await session.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!.webContents.forcefullyCrashRenderer(),
  )

  await expect.poll(() => session.logs().map((entry) => entry.message)).toContain('The page is gone')
  await expect.poll(() => run(mark)).toBe('undefined object')
})

test('the process ends by itself when the window is closed', async ({ launch }) => {
  const session = await launch()
  const code = new Promise((done) => session.app.process().once('exit', done))

  await session.app.evaluate(({ BrowserWindow }) => {
    setImmediate(() => BrowserWindow.getAllWindows()[0]!.close())
  })

  expect(await code).toBe(0)
})

test('after an exception that nobody caught main ends with 1, and the next start tells it in the log', async ({
  launch,
}) => {
  const first = await launch()
  first.allow(/planted/)
  const code = new Promise((done) => first.app.process().once('exit', done))
  await first.app.evaluate(() => {
    setImmediate(() => {
      throw new Error('planted')
    })
  })
  expect(await code).toBe(1)

  const second = await launch({ home: first.home })
  second.allow(/planted/)
  expect(second.logs().map((entry) => entry.message)).toContain('Satchel ended with an error last time')
})

test('what was typed just before quitting is there at the next start', async ({ launch }) => {
  const first = await launch()
  await first.page.getByRole('button', { name: 'New chat' }).first().click()
  await composer(first.page).fill('typed at the last moment')
  await first.close()

  const second = await launch({ home: first.home })
  await expect(composer(second.page)).toHaveValue('typed at the last moment')
})
