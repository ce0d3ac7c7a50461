import { afterEach, beforeEach, expect, test } from 'vitest'
import { catalogueFor } from '../../../../../src/main/sessions/instructions/catalogue-view'
import { catalogueOf } from '../../../../../src/main/sessions/instructions/compose'
import { getSession } from '../../../../../src/main/db/session-rows'
import { createKit, LOAD, type Kit } from '../kit'

let kit: Kit
beforeEach(async () => {
  kit = await createKit()
})
afterEach(() => kit.remove())

test('it is the catalogue of the next call of the chat', async () => {
  kit.answers.push({ calls: [LOAD] }, { text: 'Done.' })
  const id = kit.chat()
  await kit.say(id, 'make jam')
  const session = getSession(kit.deps.db.sql, id)!
  const { entries, omitted, tokens, shown } = catalogueOf(kit.deps, session)
  const told = await catalogueFor(kit.deps, session.projectDir, id)
  expect(told).toMatchObject({ entries, omitted, tokens, leftBy: null })
  expect(told.shown).toEqual(shown.map(({ name, why }) => ({ name, why })))
})

test('without a chat it is that of a new one, and no chat is made', async () => {
  const before = kit.deps.db.sql.prepare('SELECT count(*) AS n FROM sessions').get()
  const told = await catalogueFor(kit.deps, null, null)
  expect(told.agent).toBe('General')
  expect(told.shown.map(({ name }) => name)).toContain('jam')
  expect(kit.deps.db.sql.prepare('SELECT count(*) AS n FROM sessions').get()).toEqual(before)
})

test('a chat of another project does not answer for this one', async () => {
  const id = kit.chat()
  expect((await catalogueFor(kit.deps, '/elsewhere', id)).agent).toBe('General')
})
