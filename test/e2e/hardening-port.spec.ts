import { attackedApp } from '../helpers/attacked-app'
import { expect, test } from '../helpers/electron'
import { inPage, RAW_PORT } from '../helpers/raw-port'

const session = attackedApp()

test.describe('the port', () => {
  const ask = (message: string) =>
    inPage<{ t: string; id: number; error?: { code: string; message: string } }>(
      session().page,
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
      session().page,
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
      session().page,
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
      session().page,
      `const frame = document.body.appendChild(document.createElement('iframe'))
       return typeof frame.contentWindow.satchel`,
    )
    expect(type).toBe('undefined')
  })

  const strangers = ['no frame', 'a sub frame', 'another WebContents'] as const
  for (const stranger of strangers) {
    test(`main gives no port to ${stranger}`, async () => {
      const closed = await session().app.evaluate(({ ipcMain, webContents }, who) => {
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
