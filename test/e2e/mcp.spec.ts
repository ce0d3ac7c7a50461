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
  await page.getByRole('button', { name: 'Start gone' }).click()
  await expect(servers).toContainText('The program was not found.')
  await page.getByRole('button', { name: 'Start tickets' }).click()
  await expect(servers).toContainText('9 tools: echo, env')
  await page.getByRole('switch', { name: 'Use tickets' }).click()
  await expect(servers.getByText('Off', { exact: true })).toBeVisible()
  await expect(servers).not.toContainText('echo')
})
