import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { composer, sendMessage, transcript } from '../helpers/chat'
import { expect, spawnSatchel, tempDir, test } from '../helpers/electron'
import { mountSmallDisk, whyNoDisk } from '../helpers/small-disk'

test('a damaged database is kept, the window says where, and the app works on a new one', async ({
  launch,
}) => {
  const home = tempDir()
  const dataDir = join(home, 'data')
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'satchel.db'), 'not a database, whatever its name says')
  const { page, logs } = await launch({ home })

  const [kept] = readdirSync(dataDir).filter((name) => name.startsWith('corrupt-'))
  const notice = page.locator('.notices')
  await expect(notice).toContainText('The database was damaged, so Satchel started with a new, empty one.')
  await expect(notice).toContainText(join(dataDir, kept!))
  expect(readFileSync(join(dataDir, kept!, 'satchel.db'), 'utf8')).toContain('whatever its name says')
  expect(logs().map(({ message }) => message)).toContain('The database was damaged; a new one was started')
  await sendMessage(page, 'Hello')
  await expect(transcript(page)).toContainText('Practice agent')
})

const REFUSED = [
  {
    what: 'a folder in the place of the database',
    make: (file: string) => mkdirSync(file),
    says: /satchel\.db is a folder, .* Move the folder away, or name another data folder in SATCHEL_HOME/,
  },
  {
    what: 'data of a newer Satchel',
    make(file: string) {
      const sql = new Database(file)
      sql.pragma('user_version = 999')
      sql.close()
    },
    says: /written by a newer Satchel\. Install the newer version, or start with another data folder/,
  },
]
for (const { what, make, says } of REFUSED) {
  test(`${what} ends the start with what to do, and nothing is touched`, async () => {
    const home = tempDir()
    const dataDir = join(home, 'data')
    mkdirSync(dataDir)
    make(join(dataDir, 'satchel.db'))

    const session = spawnSatchel({ home })
    expect(await session.exited).toBe(1)

    expect(session.stderr()).toMatch(says)
    expect(readdirSync(dataDir).filter((name) => /^satchel\.db$|corrupt/.test(name))).toEqual(['satchel.db'])
    if (what.startsWith('data of a newer')) expect(readdirSync(dataDir)).toEqual(['satchel.db'])
  })
}

test('a full disk: the message comes back into its box with what to do, and is sent when there is space', async ({
  launch,
}) => {
  const reason = whyNoDisk()
  test.skip(reason !== null, reason ?? '')
  const home = tempDir()
  const disk = mountSmallDisk(join(home, 'data'), { megabytes: 64 })
  try {
    const session = await launch({ home })
    const { page } = session
    await sendMessage(page, 'Hello there')
    await expect(transcript(page)).toContainText('Practice agent')
    disk.fill()
    const long = `Again, and longer: ${'word '.repeat(20_000)}`
    await sendMessage(page, long)
    await expect(page.locator('.comp')).toContainText('The disk is full. Free some space, then try again.')
    await expect(composer(page)).toHaveValue(long.trim())
    await expect(transcript(page)).toContainText('Hello there')

    disk.free()
    await composer(page).fill('Is there space now?')
    await composer(page).press('Enter')
    await expect(transcript(page)).toContainText('Is there space now?')
    await expect(page.locator('.comp')).not.toContainText('The disk is full')
    await session.close()
    const sql = new Database(join(disk.dir, 'satchel.db'), { readonly: true })
    expect(sql.pragma('integrity_check', { simple: true })).toBe('ok')
    sql.close()
  } finally {
    disk.remove()
  }
})

test('a lock that a crash left behind does not keep Satchel from starting, also when the computer was renamed', async ({
  launch,
}) => {
  const home = tempDir()
  const chromium = join(home, 'data', 'chromium')
  mkdirSync(chromium, { recursive: true })
  symlinkSync('the-old-name-of-this-computer-4242', join(chromium, 'SingletonLock'))
  const { page } = await launch({ home })
  await expect(composer(page)).toBeVisible()
})

test('after kill -9 the same data opens at once', async ({ launch }) => {
  const first = await launch()
  await sendMessage(first.page, 'Hello there')
  await expect(transcript(first.page)).toContainText('Practice agent')
  await first.kill9()
  const second = await launch({ home: first.home })
  await expect(transcript(second.page)).toContainText('Hello there')
})
