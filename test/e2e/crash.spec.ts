import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, tempDir, test } from '../helpers/electron'
import {
  allowInReview,
  allowOpenReview,
  composer,
  dock,
  review,
  sendMessage,
  step,
  transcript,
  writeSkill,
} from '../helpers/chat'

test('kill -9 while a request waits: it is there again, marked restored, and runs once after a new answer', async ({
  launch,
}) => {
  const first = await launch()
  await sendMessage(first.page, 'Count the words in sample.txt')
  await expect(dock(first.page)).toBeVisible()
  await first.kill9()

  const second = await launch({ home: first.home })
  await expect(dock(second.page)).toBeVisible()
  await expect(step(second.page, 'run-done')).toHaveCount(0)
  await second.page.keyboard.press('ControlOrMeta+Shift+A')
  await expect(review(second.page)).toContainText(/restored/i)
  await allowOpenReview(second.page)
  await expect(step(second.page, 'run-done')).toHaveAttribute('data-state', 'exit-0')
  await expect(step(second.page, 'run-done')).toHaveCount(1)
})

test('kill -9 during a run: no process survives, the run is interrupted and is not run again', async ({
  launch,
}) => {
  const home = tempDir()
  writeSkill(home, 'kettle', {
    'SKILL.md':
      '---\nname: kettle\ndescription: Boils water in a kettle, slowly.\n---\nRun `scripts/boil.sh`.\n',
    // Counts how often it was started, says its own id as the machine sees it, and never ends by itself.
    'scripts/boil.sh':
      '#!/usr/bin/env bash\necho x >> starts.txt\necho boiling\ntrap "" TERM HUP INT\nwhile :; do sleep 1; done\n',
  })
  const first = await launch({ home })
  await sendMessage(first.page, 'Boil the kettle')
  await expect(dock(first.page)).toBeVisible()
  await allowInReview(first.page)
  await expect(transcript(first.page)).toContainText('boiling')
  await first.kill9()
  await expect.poll(() => processesNaming(home)).toEqual([])

  const second = await launch({ home })
  const run = step(second.page, 'run-done')
  await expect(run).toContainText(/Interrupted: Satchel ended while .* ran\. It is not run again by itself\./)
  await expect(run.locator('.term')).toContainText('boiling')
  await expect(composer(second.page)).toBeEnabled()
  await sendMessage(second.page, 'Are you there?')
  await expect(transcript(second.page)).toContainText('Are you there?')
  const starts = await findStarts(second.dataDir)
  expect(readFileSync(starts, 'utf8')).toBe('x\n')
})

test('kill -9 right after going to another chat: that chat is open at the next start', async ({ launch }) => {
  const first = await launch()
  await sendMessage(first.page, 'Which chat is older?')
  await expect(transcript(first.page)).toContainText('Practice agent')
  await first.page.getByRole('button', { name: 'New chat', exact: true }).first().click()
  await composer(first.page).fill('the newer one')
  await expect.poll(() => first.page.getByRole('navigation').getByText('New chat').count()).toBe(2)
  await first.page.getByRole('navigation').getByText('Which chat is older?').click()
  await expect(transcript(first.page)).toContainText('Practice agent')
  await first.kill9()

  const second = await launch({ home: first.home })
  await expect(transcript(second.page)).toContainText('Practice agent')
  await expect(composer(second.page)).toHaveValue('')
})

/** Processes whose arguments name the folder, from /proc; the test's own is not among them. */
async function processesNaming(text: string): Promise<string[]> {
  const { readdirSync } = await import('node:fs')
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .filter((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        return line.includes(text) && line.includes('bwrap')
      } catch {
        return false // ended meanwhile
      }
    })
}

async function findStarts(dataDir: string): Promise<string> {
  const { readdirSync } = await import('node:fs')
  const workspaces = join(dataDir, 'workspaces')
  const found = readdirSync(workspaces)
    .map((name) => join(workspaces, name, 'starts.txt'))
    .find((path) => existsSync(path))
  if (!found) throw new Error('the script never started')
  return found
}
