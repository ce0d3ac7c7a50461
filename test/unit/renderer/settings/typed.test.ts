import { expect, it } from 'vitest'
import { dollarsIn, numberIn, pathIn, percentOf, proxyIn } from '../../../../src/renderer/settings/typed'

it.each([
  ['700', { value: 700 }],
  ['650.6', { value: 651 }],
  ['2000', { value: 2000 }],
  ['10', { problem: 'At least 300 ms.' }],
  ['9999', { problem: 'At most 2000 ms.' }],
  ['', { problem: 'Enter a number from 300 to 2000.' }],
  ['abc', { problem: 'Enter a number from 300 to 2000.' }],
])('reads the number %j as %j', (text, typed) => {
  expect(numberIn(text, { min: 300, max: 2000, unit: 'ms' })).toEqual(typed)
})

it.each([
  ['2', { value: 2 }],
  ['0.30', { value: 0.3 }],
  ['1.26', { value: 1.3 }],
  ['0.04', { problem: 'At least 0.1 %.' }],
  ['20.1', { problem: 'At most 20 %.' }],
])('reads the per cent %j with one digit after the point as %j', (text, typed) => {
  expect(numberIn(text, { min: 0.1, max: 20, unit: '%', digits: 1 })).toEqual(typed)
})

it('what is shown of a share and read again is the same share, at every step', () => {
  for (let tenths = 1; tenths <= 200; tenths += 1) {
    const share = tenths / 10 / 100
    const typed = numberIn(String(percentOf(share)), { min: 0.1, max: 20, unit: '%', digits: 1 })
    expect(typed).toEqual({ value: tenths / 10 })
  }
})

const NO_AMOUNT = { problem: 'Enter an amount such as 2.50, or nothing.' }

it.each([
  ['', { value: null }],
  ['  ', { value: null }],
  ['5', { value: 5 }],
  ['$2.50', { value: 2.5 }],
  ['2,5', { value: 2.5 }],
  ['.333', { value: 0.33 }],
  ['0', { value: 0 }],
  ['1e9', NO_AMOUNT],
  ['-1', NO_AMOUNT],
  ['a lot', NO_AMOUNT],
  ['100000', { value: 100_000 }],
  ['999999999', { problem: 'At most 100000 US$.' }],
])('reads the amount %j as %j', (text, typed) => {
  expect(dollarsIn(text)).toEqual(typed)
})

const NO_PROXY = { problem: 'Enter an address that begins with http:// or https://, or nothing.' }

it.each([
  ['', { value: '' }],
  [' http://proxy.example:3128 ', { value: 'http://proxy.example:3128' }],
  ['https://user:secret@proxy.example', { value: 'https://user:secret@proxy.example' }],
  ['proxy.example:3128', NO_PROXY],
  ['socks5://proxy.example:1080', NO_PROXY],
  ['http://', NO_PROXY],
  ['a proxy', NO_PROXY],
])('reads the proxy %j as %j', (text, typed) => {
  expect(proxyIn(text)).toEqual(typed)
})

const NO_PATH = { problem: 'Enter the whole path of the file, or nothing.' }

it.each([
  ['', { value: '' }],
  [' /etc/ssl/company.pem', { value: '/etc/ssl/company.pem' }],
  [String.raw`C:\certs\company.pem`, { value: String.raw`C:\certs\company.pem` }],
  [String.raw`\\server\certs\company.pem`, { value: String.raw`\\server\certs\company.pem` }],
  ['company.pem', NO_PATH],
  ['~/company.pem', NO_PATH],
])('reads the path %j as %j', (text, typed) => {
  expect(pathIn(text)).toEqual(typed)
})
