import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { attackedApp, blocked, webContentsCount } from '../helpers/attacked-app'
import { expect, test } from '../helpers/electron'
import { inPage, RAW_PORT } from '../helpers/raw-port'

const session = attackedApp()

test.describe('leaving the page', () => {
  const targets = [
    'https://evil.example/',
    'http://127.0.0.1:1/',
    'file:///etc/passwd',
    'javascript:globalThis.pwned=1',
    'data:text/html,<b>x</b>',
    'app://other/index.html',
    'app://bundle/other.html',
    'satchel://skill/install?source=https://evil.example',
  ]
  for (const target of targets) {
    test(`${target} is not navigated to, by address, link or window.open`, async () => {
      const { page } = session()
      await page.evaluate('globalThis.mark = "same page"')
      const opened = await inPage(
        page,
        `const url = ${JSON.stringify(target)}
         const link = document.body.appendChild(Object.assign(document.createElement('a'), { href: url, textContent: 'x' }))
         const attempt = (act) => { try { return act() } catch { return null } }
         attempt(() => link.click())
         link.target = '_blank'
         attempt(() => link.click())
         attempt(() => link.dispatchEvent(new MouseEvent('auxclick', { button: 1, bubbles: true })))
         const window1 = attempt(() => window.open(url))
         const window2 = attempt(() => window.open(url, '_top'))
         attempt(() => { location.href = url })
         return [window1 === null, window2 === null || window2 === window]`,
      )
      expect(opened).toEqual([true, true])
      // Both processes have worked off what was begun.
      await session().app.evaluate(({ webContents }) =>
        webContents.getAllWebContents().map((each) => each.getURL()),
      )
      expect(await inPage(page, 'return [location.href, globalThis.mark, globalThis.pwned ?? null]')).toEqual(
        ['app://bundle/index.html', 'same page', null],
      )
      expect(await webContentsCount(session())).toBe(1)
    })
  }

  test('what is dropped on the window leads nowhere, and no menu opens a link', async () => {
    const { page, app } = session()
    await inPage(
      page,
      `globalThis.mark = 'same page'
       document.body.append(Object.assign(document.createElement('a'), { href: 'https://evil.example/', textContent: 'a link' }))`,
    )
    await app.evaluate(({ Menu }) => {
      const popped: unknown[] = []
      Object.assign(globalThis, { popped })
      Menu.prototype.popup = () => void popped.push('a menu')
    })
    const mouse = await page.context().newCDPSession(page)
    const drop = async (items: { mimeType: string; data: string }[], files: string[] = []) => {
      const data = { items, files, dragOperationsMask: 19 }
      for (const [x, y] of [
        [120, 300],
        [700, 300],
        [700, 560],
      ] as const)
        for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
          await mouse.send('Input.dispatchDragEvent', { type, x, y, data })
    }
    for (const target of targets)
      await drop(['text/uri-list', 'text/plain'].map((mimeType) => ({ mimeType, data: target })))
    await drop([], ['/etc/passwd'])
    await page.getByText('a link', { exact: true }).click({ button: 'right', force: true })
    for (const key of ['Shift+F10', 'ArrowDown', 'Enter', 'Escape']) await page.keyboard.press(key)
    expect(await app.evaluate(() => (globalThis as unknown as { popped: unknown[] }).popped)).toEqual([])
    expect(await inPage(page, 'return [location.href, globalThis.mark, globalThis.pwned ?? null]')).toEqual([
      'app://bundle/index.html',
      'same page',
      null,
    ])
    expect(await webContentsCount(session())).toBe(1)
  })

  for (const target of ['about:blank', 'about:srcdoc']) {
    test(`after ${target}, for which Electron asks nobody, the page is brought back`, async () => {
      // The page of the test before may still be on its way back.
      await expect(() => session().page.evaluate('globalThis.mark = "the page before"')).toPass()
      await session().page.evaluate(`void setTimeout(() => { location.href = ${JSON.stringify(target)} })`)
      const state = () =>
        session().app.evaluate(
          ({ webContents }) =>
            webContents
              .getAllWebContents()[0]!
              .executeJavaScript(
                '[location.href, typeof globalThis.mark, typeof satchel.connect].join()',
              ) as Promise<string>,
        )
      await expect.poll(state).toBe('app://bundle/index.html,undefined,function')
      expect(blocked(session(), 'navigation')).toContain('about:')
    })
  }

  test('a refused navigation stands in the log without its path', async () => {
    await inPage(session().page, `location.href = 'https://logged.example/?secret'`)
    await expect.poll(() => blocked(session(), 'navigation')).toContain('https://logged.example')
    expect(readFileSync(join(session().dataDir, 'logs', 'satchel.log'), 'utf8')).not.toContain('?secret')
  })

  test('a webview is an unknown element', async () => {
    const found = await inPage(
      session().page,
      `const view = document.createElement('webview')
       view.src = 'https://evil.example/'
       document.body.append(view)
       return [view.constructor.name, view.shadowRoot, typeof view.loadURL]`,
    )
    expect(found).toEqual([expect.stringMatching(/^HTML(Unknown)?Element$/), null, 'undefined'])
    expect(await webContentsCount(session())).toBe(1)
  })

  test('a download is refused', async () => {
    await inPage(
      session().page,
      `const link = Object.assign(document.createElement('a'), { href: 'data:,x', download: 'x.sh' })
       document.body.append(link)
       link.click()`,
    )
    await expect.poll(() => blocked(session(), 'download')).toContain('data:')
  })
})

test.describe('the second wall', () => {
  const addresses = ['https://evil.example/x', 'http://127.0.0.1:1/', 'ws://evil.example/']
  for (const address of addresses) {
    test(`${address} is stopped in the session even where no policy of a page applies`, async () => {
      const answer = await session().app.evaluate(
        ({ session }, url) =>
          session.defaultSession.fetch(url).then(
            (response) => `answered ${response.status}`,
            (error: Error) => error.message,
          ),
        address,
      )
      expect(answer).toMatch(/ERR_BLOCKED_BY_CLIENT|ERR_UNKNOWN_URL_SCHEME|scheme|not supported/i)
    })
  }

  test('file: answers nothing, whoever asks', async () => {
    const status = await session().app.evaluate(
      async ({ session }) => (await session.defaultSession.fetch('file:///etc/passwd')).status,
    )
    expect(status).toBe(403)
  })

  test('the person is told of a request that was stopped', async () => {
    await inPage(
      session().page,
      `${RAW_PORT} const port = await rawPort(); globalThis.notice = port.ask({ t: 'open', id: 1, name: 'events', input: {} })
       await window.satchel`,
    )
    const told = session().page.evaluate<{ value: unknown }>('globalThis.notice')
    await session().app.evaluate(({ session }) =>
      session.defaultSession.fetch('https://told.example/').catch(() => 0),
    )
    expect((await told).value).toEqual({
      t: 'notice',
      level: 'warning',
      message: 'Satchel blocked a hidden request to https://told.example.',
    })
  })
})

test.describe('opening addresses outside', () => {
  const openExternal = (url: string) =>
    inPage<{ t: string; error?: { code: string } }>(
      session().page,
      `${RAW_PORT} const port = await rawPort()
       return port.ask({ t: 'call', id: 1, name: 'desktop.openExternal', input: { url: ${JSON.stringify(url)} } })`,
    )
  const opened = () =>
    session().app.evaluate(() => (globalThis as unknown as { opened?: string[] }).opened ?? [])

  test.beforeEach(async () => {
    await session().app.evaluate(({ shell }) => {
      const urls: string[] = []
      Object.assign(globalThis, { opened: urls })
      shell.openExternal = (url) => {
        urls.push(url)
        return Promise.resolve()
      }
    })
  })

  const refused = [
    'file:///etc/passwd',
    'smb://host/share',
    '\\\\host\\share',
    'ms-msdt:/id',
    'javascript:alert(1)',
    'vbscript:x',
    'data:text/html,x',
    'calculator:',
    'x-apple.systempreferences:',
    'satchel://x',
    'https://user:pass@evil.example/',
    'https:/\tevil.example',
    'mailto:a@b.example?attach=/etc/passwd',
    `https://evil.example/?${'q'.repeat(3000)}`,
  ]
  for (const url of refused) {
    test(`${url.slice(0, 60)} is refused`, async () => {
      expect(await openExternal(url)).toMatchObject({ t: 'error', error: { code: 'bad_input' } })
      expect(await opened()).toEqual([])
    })
  }

  test('an https address is opened, and a second one within a second is not', async () => {
    const answers = await inPage<{ t: string }[]>(
      session().page,
      `${RAW_PORT} const port = await rawPort()
       const ask = (id, url) => port.ask({ t: 'call', id, name: 'desktop.openExternal', input: { url } })
       return [await ask(1, 'https://docs.example/'), await ask(2, 'https://docs.example/2')]`,
    )
    expect(answers).toMatchObject([{ t: 'result' }, { t: 'error', error: { code: 'busy' } }])
    expect(await opened()).toEqual(['https://docs.example/'])
  })
})
