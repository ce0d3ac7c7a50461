import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startFakeProvider, type FakeProvider } from '../../../helpers/fake-provider'
import {
  checkNetworkChoices,
  createNetworkFetch,
  type NetworkChoices,
} from '../../../../src/main/llm/network-fetch'
import { proxyFor, type Environment } from '../../../../src/main/llm/proxy'
import { collect, fakeTiming, llmFor, requestOf } from './llm-kit'
import { SELF_SIGNED } from './self-signed'

const OFF: NetworkChoices = { proxy: '', caFile: '' }
const REMOTE = 'http://models.example/v1'

let fake: FakeProvider
let dir: string
beforeEach(async () => {
  fake = await startFakeProvider()
  dir = mkdtempSync(join(tmpdir(), 'satchel-network-'))
})
afterEach(async () => {
  await fake.close()
  rmSync(dir, { recursive: true })
})

/** A proxy on 127.0.0.1 that takes every name for the fake provider. */
async function startProxy(status = 200) {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer().on('connect', (request, client: Socket) => {
    asked.push(`${request.url ?? ''} ${request.headers['proxy-authorization'] ?? ''}`.trim())
    sockets.add(client)
    client.on('error', () => undefined)
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\n\r\n`)
      return
    }
    const behind = connect(Number(new URL(fake.url).port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      behind.pipe(client).pipe(behind)
    })
    behind.on('error', () => client.destroy())
    sockets.add(behind)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { asked, url: `http://127.0.0.1:${port}`, close }
}

function fetchWith(choices: Partial<NetworkChoices>, env: Environment = {}): typeof fetch {
  return createNetworkFetch({ fetch: globalThis.fetch, env, choices: () => ({ ...OFF, ...choices }) })
}

function callOver(fetch: typeof globalThis.fetch, url = REMOTE) {
  return collect(llmFor('openai', url, { fetch, timing: fakeTiming() }).stream(requestOf()))
}

describe('a call through the network of the person', () => {
  it.each([
    ['the settings', (proxy: string) => fetchWith({ proxy })],
    ['HTTP_PROXY', (proxy: string) => fetchWith({}, { HTTP_PROXY: proxy })],
    ['all_proxy', (proxy: string) => fetchWith({}, { all_proxy: proxy })],
  ])('goes through the proxy of %s', async (_name, made) => {
    const proxy = await startProxy()
    fake.queue({ text: ['ok'] })
    const events = await callOver(made(proxy.url))
    proxy.close()
    expect(events[0]).toEqual({ type: 'text', text: 'ok' })
    expect(proxy.asked).toEqual(['models.example:80'])
  })

  it('gives the proxy the name and password of its address', async () => {
    const proxy = await startProxy()
    fake.queue({ text: ['ok'] })
    await callOver(fetchWith({ proxy: proxy.url.replace('//', '//me:pw@') }))
    proxy.close()
    expect(proxy.asked).toEqual([`models.example:80 Basic ${btoa('me:pw')}`])
  })

  it('never takes a server on this computer through it', async () => {
    const proxy = await startProxy()
    fake.queue({ text: ['ok'] })
    const events = await callOver(fetchWith({ proxy: proxy.url }), fake.url)
    proxy.close()
    expect(events[0]).toEqual({ type: 'text', text: 'ok' })
    expect(proxy.asked).toEqual([])
  })

  it('says what a proxy answers that lets nobody through', async () => {
    const proxy = await startProxy(407)
    const events = await callOver(fetchWith({ proxy: proxy.url }))
    proxy.close()
    expect(events).toEqual([
      {
        type: 'error',
        error: expect.objectContaining({ code: 'connection', message: expect.stringContaining('407') }),
      },
    ])
    expect(fake.requests).toEqual([])
  })

  it.each([
    [{ proxy: 'socks5://127.0.0.1:1' }, /The proxy is no http/],
    [{ caFile: '/nonexistent/ca.pem' }, /can't be read \(ENOENT\)/],
  ])('sends nothing with %j', async (choices, words) => {
    const [event] = await callOver(fetchWith(choices))
    expect(event).toMatchObject({
      type: 'error',
      error: { code: 'connection', message: expect.stringMatching(words) },
    })
  })

  it('sends nothing when the certificate file holds none', async () => {
    const caFile = join(dir, 'ca.pem')
    writeFileSync(caFile, 'not a certificate')
    const [event] = await callOver(fetchWith({ caFile }))
    expect(event).toMatchObject({ error: { message: expect.stringContaining('no certificate in PEM form') } })
  })

  it.each(['settings', 'SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'])(
    'trusts a further authority that %s names',
    async (from) => {
      const caFile = join(dir, 'ca.pem')
      writeFileSync(caFile, SELF_SIGNED.cert)
      const server = createTlsServer(SELF_SIGNED, (_request, response) => response.end('trusted'))
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const url = `https://localhost:${(server.address() as AddressInfo).port}/`
      const fetch = from === 'settings' ? fetchWith({ caFile }) : fetchWith({}, { [from]: caFile })
      const text = await (await fetch(url)).text()
      server.closeAllConnections()
      server.close()
      expect(text).toBe('trusted')
    },
  )

  it('leaves every call as it is where nothing is chosen', async () => {
    const calls: unknown[] = []
    const plain: typeof globalThis.fetch = (...call) => {
      calls.push(call)
      return Promise.resolve(new Response('ok'))
    }
    const init = { method: 'POST' }
    await createNetworkFetch({ fetch: plain, env: {}, choices: () => OFF })('https://a.example/', init)
    expect(calls).toEqual([['https://a.example/', init]])
  })
})

describe('checkNetworkChoices', () => {
  it('takes what is empty, left out, or can be used', async () => {
    const caFile = join(dir, 'ca.pem')
    writeFileSync(caFile, SELF_SIGNED.cert)
    await checkNetworkChoices({})
    await checkNetworkChoices(OFF)
    await expect(checkNetworkChoices({ proxy: 'http://proxy.example:3128', caFile })).resolves.toBeUndefined()
  })

  it.each([
    ['a proxy of another kind', { proxy: 'socks5://proxy.example' }, /^The proxy is no http/],
    [
      'a file that is not there',
      { caFile: 'gone.pem' },
      /gone\.pem can't be read \(ENOENT\)\. Enter another/,
    ],
    ['a file without a certificate', { caFile: 'text.pem' }, /text\.pem holds no certificate in PEM form\./],
    ['a damaged certificate', { caFile: 'cut.pem' }, /^The first certificate in .*cut\.pem is damaged\./],
  ])('refuses %s and says what to do', async (_what, { proxy, caFile }: Partial<NetworkChoices>, words) => {
    writeFileSync(join(dir, 'text.pem'), 'not a certificate')
    writeFileSync(join(dir, 'cut.pem'), SELF_SIGNED.cert.replace('MII', 'M'))
    const choices = { proxy, caFile: caFile && join(dir, caFile) }
    await expect(checkNetworkChoices(choices)).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringMatching(words),
    })
  })
})

describe('proxyFor', () => {
  const PROXY = { HTTPS_PROXY: 'http://proxy.example:3128' }
  const hostOf = (url: string, env: Environment, chosen = '') =>
    proxyFor(new URL(url), chosen, env)?.host ?? null

  it.each<[string, string, boolean]>([
    ['https://api.example/', '', true],
    ['https://api.example/', 'api.example', false],
    ['https://sub.api.example/', 'api.example', false],
    ['https://sub.api.example/', '.api.example', false],
    ['https://sub.api.example/', '*.api.example', false],
    ['https://notapi.example/', 'api.example', true],
    ['https://api.example/', 'other.example, API.example', false],
    ['https://api.example:8443/', 'api.example:443', true],
    ['https://api.example/', 'api.example:443', false],
    ['https://api.example/', '*', false],
    ['https://127.0.0.1/', '', false],
    ['https://localhost:1/', '', false],
  ])('for %s with NO_PROXY=%j: %j', (url, list, isProxied) => {
    expect(hostOf(url, { ...PROXY, NO_PROXY: list })).toBe(isProxied ? 'proxy.example:3128' : null)
  })

  it('puts the settings before the environment, and the protocol before ALL_PROXY', () => {
    const env = { ...PROXY, ALL_PROXY: 'http://all.example:1' }
    expect(hostOf('https://api.example/', env, 'http://chosen.example:2')).toBe('chosen.example:2')
    expect(hostOf('https://api.example/', env)).toBe('proxy.example:3128')
    expect(hostOf('http://api.example/', env)).toBe('all.example:1')
  })
})
