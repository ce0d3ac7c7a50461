import { describe, expect, test } from 'vitest'
import { commandAdvice } from '../../../../src/cli/chat/advice'
import { describeError } from '../../../../src/main/llm/describe-error'
import { TransportFault, type FaultKind } from '../../../../src/main/llm/transport-fault'

const callee = { label: 'Server', model: 'm', host: 'server.example', key: null }
const oneOff = {
  id: 'openai-compatible',
  kind: 'openai-compatible',
  baseUrl: 'https://server.example',
} as const
const given = commandAdvice(oneOff, [])
const stored = commandAdvice(null, [
  {
    id: 'mine',
    label: 'Mine',
    kind: 'openai',
    models: ['m'],
    hasKey: true,
    keySource: 'env',
    keyEnv: 'MY_KEY',
    local: false,
  },
] as unknown as Parameters<typeof commandAdvice>[1])

const status = (statusCode: number) => describeError({ message: 'no', statusCode }, callee)
const fault = (kind: FaultKind) => describeError(new TransportFault(kind, ''), callee)

describe('commandAdvice', () => {
  test('a chat that is too long for the model can be summarised here', () => {
    expect(given(status(413), 'openai-compatible/m')).toContain(
      'Send /compact to have older messages summarised.',
    )
  })

  test('a key that was refused at --base-url is one of SATCHEL_API_KEY', () => {
    const words = given(status(401), 'openai-compatible/m')
    expect(words).toContain('Put the right key into SATCHEL_API_KEY')
    expect(words).toContain('takes keys from environment variables only')
    expect(words).not.toContain('Settings')
  })

  test.each([
    ['mine/m', 'MY_KEY'],
    ['anthropic/m', 'ANTHROPIC_API_KEY'],
    ['gone/m', 'the environment variable of this provider'],
  ])('a key that was refused for %s is one of %s', (model, variable) => {
    expect(stored(status(401), model)).toContain(`Put the right key into ${variable},`)
  })

  test('a missing key leads to its variable and not to Settings', () => {
    const failure = {
      code: 'no_key',
      message: 'There is no key for Mine: the environment variable MY_KEY is not set.',
      action: 'Set MY_KEY and start Satchel again, or enter a key in Settings, Models.',
    }
    expect(stored(failure, 'mine/m')).toMatch(
      /not set\. Put the right key into MY_KEY, then try again\. This/,
    )
  })

  test.each([
    ['404', status(404)],
    ['a web page', fault('html')],
    ['no stream', fault('not_stream')],
    ['an empty answer', fault('empty')],
    ['a redirect', fault('redirect')],
  ])('%s leads to --base-url where the address came from there', (_what, failure) => {
    const words = given(failure, 'openai-compatible/m')
    expect(words).toContain('--base-url')
    expect(words).not.toContain('Settings')
  })

  test('the address of a provider of Settings is changed in Settings', () => {
    expect(stored(status(404), 'mine/m')).toContain('the address in Settings, Models.')
  })

  test('what is about neither key nor address stays as it is', () => {
    const failure = status(429)
    expect(given(failure, 'openai-compatible/m')).toBe(`${failure.message} ${failure.action}`)
  })
})
