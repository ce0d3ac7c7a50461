import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkExternal, createOpenExternal } from '../../../../src/main/electron/open-external'

const allowed = [
  ['https://docs.example/a?b=c#d', 'https://docs.example/a?b=c#d'],
  ['http://docs.example', 'http://docs.example/'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['HTTPS://DOCS.example/', 'https://docs.example/'],
  ['mailto:a@b.example?subject=Hi&body=there', 'mailto:a@b.example?subject=Hi&body=there'],
] as const
for (const [raw, opened] of allowed) {
  test(`${raw} is opened as ${opened}`, () => {
    expect(checkExternal(raw)).toBe(opened)
  })
}

const refused = [
  'file:///etc/passwd',
  'smb://host/share',
  '\\\\host\\share',
  'https:\\\\evil.example',
  'ms-msdt:/id',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\tscript:alert(1)',
  'vbscript:x',
  'data:text/html,x',
  'calculator:',
  'x-apple.systempreferences:',
  'satchel://x',
  'app://bundle/index.html',
  'https://user@evil.example/',
  'https://user:pass@evil.example/',
  'https://:pass@evil.example/',
  ' https://evil.example/',
  'https://evil.example/\n',
  'https://evil.example/\u202Egnp.exe',
  'https://evil\u200B.example/',
  'https://',
  'evil.example',
  '',
  'mailto:',
  'mailto:nobody',
  'mailto:a@b.example?attach=/etc/passwd',
  'mailto:a@b.example?ATTACHMENT=/etc/passwd',
  `https://evil.example/${'x'.repeat(2048)}`,
  `https://evil.example/${'ü'.repeat(400)}`,
]
for (const raw of refused) {
  test(`${JSON.stringify(raw.slice(0, 60))} is refused`, () => {
    expect(() => checkExternal(raw)).toThrow(/^This address was not opened: .+\.$/)
  })
}

test('whatever is let through is https, http or mailto and holds no user name', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webUrl(),
        fc.string(),
        fc.webUrl().map((url) => url.replace('//', '//u@')),
      ),
      (raw) => {
        let opened: string
        try {
          opened = checkExternal(raw)
        } catch {
          return // refused is always fine here
        }
        const url = new URL(opened)
        expect(['https:', 'http:', 'mailto:']).toContain(url.protocol)
        expect([url.username, url.password]).toEqual(['', ''])
      },
    ),
  )
})

test('at most one address is opened in a second', async () => {
  const opened: string[] = []
  let now = 5000
  const openExternal = createOpenExternal({
    open: (url) => {
      opened.push(url)
      return Promise.resolve()
    },
    now: () => now,
  })

  await openExternal('https://a.example/')
  now += 999
  await expect(openExternal('https://b.example/')).rejects.toMatchObject({ code: 'busy' })
  now += 1
  await openExternal('https://c.example/')

  expect(opened).toEqual(['https://a.example/', 'https://c.example/'])
})

test('a refused address does not count against the limit', async () => {
  const openExternal = createOpenExternal({ open: () => Promise.resolve(), now: () => 0 })
  await expect(openExternal('file:///x')).rejects.toMatchObject({ code: 'bad_input' })
  await expect(openExternal('https://a.example/')).resolves.toBeUndefined()
})
