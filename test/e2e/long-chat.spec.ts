import { join } from 'node:path'
import Database from 'better-sqlite3'
import { composer, sendMessage, transcript } from '../helpers/chat'
import { expect, test } from '../helpers/electron'

const COUNT = 10_000
const WORDS = 'A few words about the weather of that day. '.repeat(6)

/** Goes on with the only chat until it has so many messages, each the answer to the one before. */
function fill(dataDir: string): void {
  const db = new Database(join(dataDir, 'satchel.db'))
  const session = db.prepare('SELECT id, next_seq AS seq, leaf_id AS leaf, model FROM sessions').get() as {
    id: string
    seq: number
    leaf: string | null
    model: string
  }
  const insert = db.prepare(
    `INSERT INTO messages (id, session_id, seq, role, status, parts, model, created_at, parent_id)
     VALUES (@id, @session, @seq, @role, 'done', @parts, @model, @seq, @parent)`,
  )
  db.transaction(() => {
    let parent = session.leaf
    for (let n = 1; n <= COUNT; n += 1) {
      const isQuestion = n % 2 === 1
      const text = `Message ${n} of many. ${WORDS}`
      insert.run({
        id: `msg_${n}`,
        session: session.id,
        seq: session.seq + n,
        role: isQuestion ? 'user' : 'assistant',
        parts: JSON.stringify([{ type: 'text', text }]),
        model: isQuestion ? null : session.model,
        parent,
      })
      parent = `msg_${n}`
    }
    db.prepare('UPDATE sessions SET leaf_id = ?, next_seq = ?').run(parent, session.seq + COUNT + 1)
  })()
  db.close()
}

test('a chat of ten thousand messages opens at its end, is read up to its beginning and goes on', async ({
  launch,
}) => {
  const first = await launch()
  await expect(composer(first.page)).toBeVisible()
  await sendMessage(first.page, 'Hello there')
  await expect(transcript(first.page).locator('[data-role="assistant"][data-status="done"]')).not.toHaveCount(
    0,
  )
  await first.close()
  fill(first.dataDir)
  const { page } = await launch({ home: first.home })
  const log = transcript(page)
  await expect(log.getByText(`Message ${COUNT} of many.`)).toBeInViewport({ timeout: 60_000 })
  const drawn = () => log.locator('[data-index]').count()
  expect(await drawn()).toBeLessThanOrEqual(40)

  // What a button does is told on focus and on hover, and Escape takes it away.
  const copy = log.getByRole('button', { name: 'Copy message' }).last()
  const tip = page.getByRole('tooltip')
  await copy.focus()
  await expect(tip).toHaveText('Copy message')
  await expect(copy).toHaveAccessibleDescription('Copy message')
  await page.keyboard.press('Escape')
  await expect(tip).toHaveCount(0)
  await composer(page).focus()
  await copy.hover()
  await expect(tip).toHaveText('Copy message')
  await expect(copy).not.toBeFocused()

  // Reading on upwards: what stands in the middle of the window stays there while older turns arrive above it.
  await log.hover()
  for (let turn = 0; turn < 12; turn += 1) await page.mouse.wheel(0, -4000)
  const whole = await log.evaluate((box) => box.scrollHeight)
  await log.focus()
  await page.keyboard.press('Home')
  await expect(log.getByText('Hello there')).toBeInViewport({ timeout: 30_000 })
  await expect(log.getByText('Message 1 of many.')).toBeInViewport()
  expect(await drawn()).toBeLessThanOrEqual(40)
  // The length was known before the beginning was fetched.
  const now = await log.evaluate((box) => box.scrollHeight)
  expect(Math.abs(now - whole) / whole).toBeLessThan(0.1)

  await sendMessage(page, 'Are you still here?')
  await page.keyboard.press('ControlOrMeta+ArrowDown')
  await expect(log.getByText('Are you still here?')).toBeInViewport()
  await expect(log.locator('[data-role="assistant"][data-status="done"]').last()).toBeInViewport({
    timeout: 30_000,
  })
})
