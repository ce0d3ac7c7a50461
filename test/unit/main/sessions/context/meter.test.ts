import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SessionDetail } from '@shared/domain/session'
import { estimateTokens } from '@shared/tokens'
import { updateSession } from '../../../../../src/main/db/session-rows'
import { toDetail } from '../../../../../src/main/sessions/history/detail'
import { createKit, LOAD, READ, type Kit } from '../kit'

let kit: Kit
beforeEach(async () => {
  kit = await createKit()
})
afterEach(() => kit.remove())

/** A chat with a model whose calls a provider counts. */
function counted(model = 'anthropic/claude-sonnet-4-5'): string {
  const id = kit.chat()
  updateSession(kit.deps.db.sql, id, { model })
  return id
}
const detail = (id: string): SessionDetail => toDetail(kit.deps, kit.row(id))
const sum = ({ rules, catalogue, activeSkills, filesRead, conversation }: SessionDetail['context']) =>
  rules + catalogue + activeSkills + filesRead + conversation

test('before the first call everything is estimated', () => {
  const { context, spent } = detail(counted())
  expect(context).toMatchObject({ used: sum(context), counted: false, conversation: 0 })
  expect(spent).toEqual({
    inputTokens: 0,
    outputTokens: 0,
    costUsd: 0,
    unpriced: 0,
    estimated: 0,
    local: true,
  })
})

test('after an answer it says what the provider counted', async () => {
  kit.answers.push({ text: 'It is jam.', usage: { inputTokens: 3000, outputTokens: 40 } })
  const id = counted()
  await kit.say(id, 'what is it?')
  expect(detail(id).context).toMatchObject({ used: 3040, counted: true })
})

test('what came since is added as an estimate, and said to be one', async () => {
  kit.answers.push({ text: 'It is jam.', usage: { inputTokens: 3000, outputTokens: 40 } })
  const id = counted()
  await kit.say(id, 'what is it?')
  await kit.sessions.loadSkill(id, 'jam')
  const { activeSkills, context } = detail(id)
  expect(context).toMatchObject({ used: 3040 + activeSkills[0]!.tokens, counted: false })
})

test('the practice agent only estimates', async () => {
  const id = kit.chat()
  await kit.say(id, 'what is it?')
  const { context } = detail(id)
  expect(context).toMatchObject({ used: sum(context), counted: false })
})

test('what a skill file brought is told apart from the conversation', async () => {
  kit.answers.push({ calls: [LOAD] }, { calls: [READ] })
  const id = counted()
  await kit.say(id, 'make jam')
  const { filesRead, conversation } = detail(id).context
  const read = kit.calls(id).find(({ name }) => name === 'skills_read')!
  expect(filesRead).toBe(estimateTokens(JSON.stringify(read.envelope)))
  expect(conversation).toBeGreaterThan(0)
})

test('the cost is the list price of what was counted; answers without a price are said', async () => {
  kit.answers.push(
    { text: 'one', usage: { inputTokens: 1_000_000, outputTokens: 100_000 } },
    { text: 'two', usage: { inputTokens: 10, outputTokens: 1 } },
  )
  const id = counted()
  await kit.say(id, 'first')
  expect(detail(id).spent).toMatchObject({ costUsd: 4.5, unpriced: 0, local: false })
  updateSession(kit.deps.db.sql, id, { model: 'anthropic/never-heard-of' })
  await kit.say(id, 'second')
  expect(detail(id).spent).toEqual({
    inputTokens: 1_000_010,
    outputTokens: 100_001,
    costUsd: 4.5,
    unpriced: 1,
    estimated: 0,
    local: false,
  })
})
