import { describe, expect, test } from 'vitest'
import { createTyping } from '../../../../src/cli/chat/typing'
import { call } from '../../renderer/chat-fixtures'

/** A core with one run, and what it was told. */
function around(isTTY: boolean, interactive: boolean) {
  const told: string[] = []
  const handlers = {
    'runs.get': async () => ({ interactive }),
    'runs.kill': async () => void told.push('killed'),
    'runs.input': async ({ data }: { data: string }) => void told.push(`typed ${data}`),
    async *'runs.output'() {
      yield { data: 'Name\u001b[2J? ' }
    },
  }
  const keys = (listener: (data: string) => void) => {
    listener('Ada')
    return () => void told.push('given back')
  }
  const typing = createTyping({
    app: { handlers } as never,
    world: { stdin: { isTTY, keys }, stderr: { write: (text: string) => void told.push(text) } } as never,
    teller: { notice: (message: string) => void told.push(message) } as never,
  })
  const running = call(1, 'skills_run_script', { state: 'running', runId: 'run_1', envelope: null })
  return { told, typing, running }
}

describe('a script that was allowed to be typed to', () => {
  test('is ended with a sentence where nobody can type', async () => {
    const { told, typing, running } = around(false, true)
    typing.follow(running)
    await typing.end()
    expect(told).toEqual([expect.stringMatching(/no terminal to type in, so it was ended/), 'killed'])
  })

  test('has the terminal until it ends, once, and nothing that it prints acts on it', async () => {
    const { told, typing, running } = around(true, true)
    typing.follow(running)
    typing.follow(running)
    await new Promise((done) => void setImmediate(done))
    await typing.end()
    expect(told).toEqual([
      expect.stringMatching(/^What you type/),
      'typed Ada',
      expect.stringContaining('␛[2J? '),
      '',
      'given back',
    ])
  })

  test('is no other script', async () => {
    const { told, typing, running } = around(false, false)
    typing.follow(running)
    await typing.end()
    expect(told).toEqual([])
  })
})
