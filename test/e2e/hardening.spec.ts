import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { attackedApp, STRICT_PREFERENCES } from '../helpers/attacked-app'
import type { PlainSession } from '../helpers/electron'
import { APP_DIR, electronPath, expect, networkOf, spawnSatchel, tempDir, test } from '../helpers/electron'
import { commandLine, openServerSockets, processTree, statusOf } from '../helpers/process-tree'
import { inPage, RAW_PORT } from '../helpers/raw-port'

const session = attackedApp()

test.describe('what the page is given', () => {
  test('every WebContents has the strict preferences', async () => {
    const all = await session().app.evaluate(({ webContents }) =>
      webContents
        .getAllWebContents()
        .map((contents) =>
          (contents as unknown as { getLastWebPreferences(): unknown }).getLastWebPreferences(),
        ),
    )
    expect(all.length).toBeGreaterThan(0)
    for (const preferences of all) {
      expect(preferences).toMatchObject(STRICT_PREFERENCES)
      expect((preferences as { enableBlinkFeatures?: string }).enableBlinkFeatures ?? '').toBe('')
    }
  })

  test('the process of the page was started with what the preferences do not tell', async () => {
    const renderers = processTree(session().pid).filter((pid) => commandLine(pid).includes('--type=renderer'))
    expect(renderers.length).toBeGreaterThan(0)
    for (const pid of renderers) {
      expect(commandLine(pid)).toContain('--disable-blink-features=Auxclick')
      expect(commandLine(pid).join(' ')).not.toMatch(/--node-integration-in-worker|--enable-blink-features/)
    }
    expect(
      await session().app.evaluate(({ session }) => session.defaultSession.isSpellCheckerEnabled()),
    ).toBe(false)
  })

  test('nothing of Node is in the page or in a frame of it', async () => {
    const types = await inPage(
      session().page,
      `const frame = document.body.appendChild(document.createElement('iframe'))
       const names = ['require', 'process', 'module', 'global', 'Buffer', 'electron', 'ipcRenderer', '__dirname']
       return [window, frame.contentWindow].map((w) => names.filter((name) => typeof w[name] !== 'undefined'))`,
    )
    expect(types).toEqual([[], []])
  })

  test('the page can start no worker of its own making', async () => {
    const answer = await inPage(
      session().page,
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
      session().page,
      `const before = window.satchel.connect
       try { window.satchel.connect = () => 'mine' } catch {}
       try { window.satchel = {} } catch {}
       return [Object.keys(window.satchel), window.satchel.connect === before, Object.isFrozen(window.satchel)]`,
    )
    expect(found).toEqual([['connect', 'getPathForFile'], true, true])
  })

  test('a page that has overwritten the built-in prototypes gets the same answers', async ({ launch }) => {
    const own = await launch()
    // The page's own scripts stumble over what this test does to it.
    own.allow(/^(page|console): /)
    const answer = await inPage(
      own.page,
      `${RAW_PORT}
       const stolen = []
       const spy = function (...args) { stolen.push([this, ...args]); return 'polluted' }
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
       // React calls these methods too; what must not be among it is our message or anything of Electron's.
       const isTelling = (value) => value?.name === 'no.such' || typeof value?.invoke === 'function'
       return { answer, stolen: stolen.flat().filter(isTelling).length }`,
    )
    expect(answer).toMatchObject({ answer: { t: 'error', id: 7, error: { code: 'bad_input' } }, stolen: 0 })
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
        session().page,
        `const response = await fetch('app://bundle/' + ${JSON.stringify(path)}); return [response.status, await response.text()]`,
      )
      expect(answer).toEqual([status, ''])
    })
  }

  test('every answer carries the policy', async () => {
    const headers = await inPage<Record<string, string>>(
      session().page,
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
      session().page,
      `return (await fetch('/index.html', { method: 'POST' })).status`,
    )
    expect(status).toBe(405)
  })
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
