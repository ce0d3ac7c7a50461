import { expect, tempDir, test } from '../helpers/electron'
import { allowOpenReview, composer, dock, review, sendMessage, step, writeSkill } from '../helpers/chat'
import { violations } from '../helpers/wcag'

/** It asks for a host that is not allowed only: nothing is resolved and nothing outside is contacted. */
const SKILL = {
  'SKILL.md':
    '---\nname: jar-post\ndescription: Posts jars of quince to the pantry.\nexecution:\n  network: [api.example.com]\n---\nRun `scripts/post.sh`.\n',
  'scripts/post.sh':
    '#!/bin/bash\nexec 3<>/dev/tcp/127.0.0.1/3128\nprintf \'CONNECT other.example.com:443 HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n\' >&3\nIFS= read -r line <&3; echo "$line"\n',
}

test('a host is given in the review, named in the next one, and what was refused is said with the run', async ({
  launch,
}) => {
  const home = tempDir()
  writeSkill(home, 'jar-post', SKILL)
  const { page } = await launch({ home })
  await expect(composer(page)).toBeVisible()
  await sendMessage(page, 'Post the jars of quince')
  await expect(dock(page)).toContainText('network off')
  await page.keyboard.press('ControlOrMeta+Shift+A')
  await expect(review(page)).toContainText('Off; the skill asks for api.example.com')
  await page.screenshot({ path: test.info().outputPath('asked.png') })
  await review(page)
    .getByRole('button', { name: 'Let it reach this host api.example.com, port 443' })
    .press('Enter')
  await expect(review(page)).toContainText('This run can reach it, by an encrypted connection')
  await expect(review(page)).toContainText('A run with network is never remembered.')
  await page.screenshot({ path: test.info().outputPath('given.png') })
  expect(await violations(page)).toEqual([])
  await allowOpenReview(page)
  await expect(step(page, 'run-done')).toContainText('other.example.com:443 was refused: it is not allowed')
  await page.screenshot({ path: test.info().outputPath('done.png') })
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('button', { name: 'Sandbox and runs', exact: true }).click()
  const hosts = page.getByRole('list', { name: 'Hosts that skills may reach' })
  await expect(hosts).toContainText('jar-post: api.example.com, port 443')
  await page.screenshot({ path: test.info().outputPath('settings.png') })
  await hosts
    .getByRole('button', { name: 'Take back api.example.com, port 443 from jar-post' })
    .press('Enter')
  await expect(hosts).toHaveCount(0)
})
