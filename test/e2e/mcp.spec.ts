import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, tempDir, test } from '../helpers/electron'
import { composer } from '../helpers/chat'
import { stdioEntry, writeServers } from '../helpers/mcp'

test('a person sees an MCP server with its tools, and why another one fails, and turns it off', async ({
  launch,
}) => {
  const home = tempDir()
  writeServers(home, { gone: { command: 'no-such-program' }, tickets: stdioEntry(home) })
  const { page } = await launch({ home })
  await expect(composer(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('button', { name: 'Tools', exact: true }).click()
  const servers = page.getByRole('list', { name: 'MCP servers' })
  await page.getByRole('button', { name: 'Test gone' }).click()
  await expect(servers).toContainText('The program was not found.')
  await page.getByRole('button', { name: 'Test tickets' }).click()
  await expect(servers).toContainText('9 tools: echo, env')
  await page.getByRole('switch', { name: 'Use tickets' }).click()
  await expect(servers.getByText('Off', { exact: true })).toBeVisible()
  await expect(servers).not.toContainText('echo')
})

test('a person adds a server with a key, which is not in the file, changes it, and removes it', async ({
  launch,
}) => {
  const home = tempDir()
  const { page, shot } = await launch({ home })
  await expect(composer(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('button', { name: 'Tools', exact: true }).click()
  await page.getByRole('button', { name: 'Add server' }).click()
  const form = page.getByRole('dialog', { name: 'Add MCP server' })
  const { command, args } = stdioEntry(home) as { command: string; args: string[] }
  await form.getByLabel('Name').fill('tickets')
  await form.getByLabel('Program').fill(command)
  await form.getByLabel('Arguments').fill(args.join('\n'))
  await form.getByLabel('Variables').fill('TICKETS_TOKEN=${TICKETS_TOKEN}')
  await form.getByLabel('TICKETS_TOKEN', { exact: true }).fill('secret-4711')
  await shot('mcp-form')
  await form.getByRole('button', { name: 'Save server' }).click()
  await page.getByRole('button', { name: 'Test tickets' }).click()
  const servers = page.getByRole('list', { name: 'MCP servers' })
  await expect(servers).toContainText('9 tools: echo, env')
  const file = () => readFileSync(join(home, '.satchel', 'mcp.json'), 'utf8')
  expect(file()).toContain('${TICKETS_TOKEN}')
  expect(file()).not.toContain('4711')
  await shot('mcp-servers')
  await page.getByRole('button', { name: 'More for tickets' }).click()
  await page.getByRole('menuitem', { name: 'Remove…' }).click()
  await page.getByRole('button', { name: 'Remove server' }).click()
  await expect(servers).toContainText('There is none yet.')
  expect(JSON.parse(file())).toEqual({ mcpServers: {} })
})
