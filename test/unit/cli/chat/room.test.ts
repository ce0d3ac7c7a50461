import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { commandEntry } from '../../../../scripts/lib/cli.mjs'
import { startFakeProvider } from '../../../helpers/fake-provider'
import { chatWorld } from '../chat-world'
import { root } from '../cli-world'

// Built once, so that no test measures or prints it.
beforeAll(() => commandEntry(root))

const LONG = 'Boil the quinces slowly and stir. '.repeat(150)

test('/compact summarises, and near the limit a message alone has older ones summarised first', async () => {
  // The window of a model that nobody knows is 32,768 tokens.
  const filled = (share: number, text = 'Yes.') => ({
    text: [text],
    usage: { input: Math.round(32_768 * share), output: 1 },
  })
  const fake = await startFakeProvider()
  onTestFinished(() => fake.close())
  fake.queue(filled(0.2, LONG), filled(0.3, LONG), filled(0.87))
  fake.queue({ text: ['They make jam.'] }, filled(0.96, LONG))
  fake.queue({ text: ['Still jam.'] }, filled(0.1, 'The last answer.'))
  const { terminal, chat } = chatWorld()
  const server = ['--base-url', fake.url, '--model', 'model-a']
  const { shows, type, ended } = terminal(...server)
  for (const text of ['One', 'Two', 'Three']) {
    await shows('› ')
    type(`${text}\r`)
  }
  await shows('This chat fills 87 % of what the model holds. /compact summarises older messages')
  await shows('› ')
  type('/compact\r')
  await shows('Earlier messages were summarised.')
  await shows('› ')
  expect(JSON.stringify(fake.requests.map(({ body }) => body))).not.toContain('/compact')
  type('Four\r')
  await shows('This chat fills 96 % of what the model holds.')
  await shows('› ')
  type('\u0004')
  const id = /Go on with: satchel chat --session (ses_\w+)/.exec((await ended).all)?.[1]
  const alone = await chat('-p', 'Five', '--session', id!, ...server)
  expect(alone).toMatchObject({ exit: 0, out: 'The last answer.\n' })
  expect(alone.err).toMatch(/fills 96 %.*are summarised first[\s\S]*Earlier messages were summarised\./)
  expect(JSON.stringify(fake.requests.at(-1)?.body)).toContain('Still jam.')
})

test('a model that no provider has and a newer version on disk are told once each', async () => {
  const world = chatWorld()
  const skill = (body: string) =>
    world.write(
      '.satchel/skills/jam/SKILL.md',
      `---\nname: jam\ndescription: Makes jam.\nmodel: nobody/has-this\n---\n${body}\n`,
    )
  skill('Stir it.')
  const first = await world.chat('-p', '/jam')
  const words = 'The skill "jam" prefers the model "nobody/has-this", which no provider here has'
  expect(first.err.split(words)).toHaveLength(2)
  expect(first.err).not.toContain('newer version')
  skill('Stir it twice.')
  const id = /Chat (ses_\w+)/.exec(first.err)?.[1]
  const second = await world.chat('-p', 'Hello', '--session', id!)
  expect(second.err.split('A newer version of "jam" is on disk.')).toHaveLength(2)
})
