import { expect, it } from 'vitest'
import { dollarsIn, numberIn, pathIn, proxyIn } from '../../../../src/renderer/settings/typed'

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
