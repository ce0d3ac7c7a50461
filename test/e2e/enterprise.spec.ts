import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { composer, sendMessage, step } from '../helpers/chat'
import { sha256 } from '../../src/main/lib/hash'
import { treeDigest } from '../../src/main/skills/store/tree-digest'
import { expect, tempDir, test } from '../helpers/electron'
import { violations } from '../helpers/wcag'

const skill = (whose: string): string =>
  `---\nname: data-handling\ndescription: Handles customer data of the ${whose}.\n---\nFollow the rules of the ${whose}.\n`

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const digestOf = (text: string): string =>
  treeDigest([{ path: 'SKILL.md', size: Buffer.byteLength(text), sha256: sha256(text), executable: false }])

// A folder counts as the organisation's only where an administrator alone can write it.
test.skip(process.getuid?.() !== 0, 'needs an administrator')

test('J3: the organisation’s skill is used, and nobody here edits, deletes, turns off or replaces it', async ({
  launch,
}) => {
  const [home, policy] = [tempDir(), tempDir('satchel-policy-')]
  write(join(policy, 'policy.json'), JSON.stringify({ version: 1, organisation: 'Northwind IT' }))
  write(join(policy, 'skills/data-handling/SKILL.md'), skill('enterprise'))
  const project = join(home, 'northwind')
  write(join(project, '.satchel/skills/data-handling/SKILL.md'), skill('project'))
  const { app, page } = await launch({ home, env: { SATCHEL_POLICY_DIR: policy } })
  await expect(composer(page)).toBeVisible()
  await app.evaluate(({ dialog }, dir) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [dir] })
  }, project)
  await page.keyboard.press('ControlOrMeta+O')
  await page.getByRole('button', { name: 'Review…' }).click()
  await page.getByRole('button', { name: 'Trust folder' }).click()

  await sendMessage(page, 'Handle the customer data')
  await expect(step(page, 'skill-loaded')).toContainText('Enterprise')
  const loaded = page.locator('.skill-chip[data-skill="data-handling"]')
  await expect(loaded).toHaveAttribute('data-hash', digestOf(skill('enterprise')))

  await page.keyboard.press('ControlOrMeta+2')
  const rows = page.getByRole('grid', { name: 'Skills' }).locator('[data-skill="data-handling"]')
  const shadowed = rows.and(page.locator('[data-scope="project"]'))
  await expect(shadowed).toHaveAttribute('data-state', 'shadowed')
  await shadowed.click()
  await expect(page.getByRole('heading', { name: 'Which copy is used' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Use this copy here' })).toHaveCount(0)

  await rows.and(page.locator('[data-scope="enterprise"]')).dblclick()
  const off = page.getByRole('button', { name: 'Turn off' })
  await expect(off).toHaveAttribute('aria-disabled', 'true')
  await off.focus()
  await expect(off).toHaveAccessibleDescription(/^Managed by Northwind IT\./)
  await page.getByRole('tab', { name: 'Edit' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Edit' })).toContainText('Managed by Northwind IT')
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByText(/Managed by Northwind IT/).nth(1)).toBeAttached()

  // The record lists when it was loaded, and by which agent.
  await page.keyboard.press('ControlOrMeta+6')
  await page.getByRole('button', { name: 'Skill', exact: true }).press('Enter')
  await page.getByRole('menuitemcheckbox', { name: 'data-handling' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Skill: data-handling' })).toBeVisible()
  const entry = page.getByRole('grid', { name: 'Audit log' }).getByRole('row', { name: /Skill loaded/ })
  await expect(entry).toContainText('data-handling')
  await expect(entry).toContainText('general')
  await expect(entry).toContainText(/\d\d:\d\d/)
})
