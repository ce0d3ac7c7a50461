import { mkdirSync, readFileSync, readdirSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { AppEvent } from '@shared/events'
import type { App } from '../../../src/main/app'
import { createTestApp, watchChat, type TestApp } from '../../helpers/app'

let open: TestApp | undefined

afterEach(async () => {
  await open?.remove()
  open = undefined
})

async function firstEvent(app: App): Promise<AppEvent> {
  const closing = new AbortController()
  for await (const event of app.handlers['events']({}, closing.signal)) {
    closing.abort()
    return event
  }
  throw new Error('no event came')
}

test('a damaged database is kept, and every page is told where, also one that is loaded later', async () => {
  open = await createTestApp()
  await open.app.handlers['sessions.create']({ projectDir: null })
  const { home, dataDir } = open
  await open.stop()
  writeFileSync(join(dataDir, 'satchel.db'), 'no database at all')

  open = await createTestApp({ home })

  const [kept] = readdirSync(dataDir).filter((name) => name.startsWith('corrupt-'))
  expect(readFileSync(join(dataDir, kept!, 'satchel.db'), 'utf8')).toBe('no database at all')
  for (const page of ['first', 'after a reload']) {
    const event = await firstEvent(open.app)
    expect([page, event]).toEqual([page, { t: 'notice', level: 'error', message: expect.any(String) }])
    expect((event as { message: string }).message).toContain(`is kept unchanged in ${join(dataDir, kept!)}`)
  }
  const { id } = await open.app.handlers['sessions.create']({ projectDir: null })
  const chat = watchChat(open.app, id)
  await open.app.handlers['sessions.send']({ sessionId: id, text: 'Hello' })
  await chat.state('idle')
  chat.close()
})

test('a change that is noticed after the data was closed reaches nobody who would read it', async () => {
  open = await createTestApp()
  await open.app.handlers['sessions.create']({ projectDir: null })
  await open.stop()
  open.app.emit({ t: 'skills.changed' })
  open.app.emit({ t: 'agents.changed' })
  expect(open.errors).toEqual([])
})

test('of two window apps on the same data the second is refused, and the first is not disturbed', async () => {
  open = await createTestApp({ deps: { ownsData: true } })
  const { id } = await open.app.handlers['sessions.create']({ projectDir: null })
  const chat = watchChat(open.app, id)

  await expect(createTestApp({ home: open.home, deps: { ownsData: true } })).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining('Another Satchel has this data open'),
  })

  await open.app.handlers['sessions.send']({ sessionId: id, text: 'Hello' })
  await chat.state('idle')
  chat.close()
})

test('after the first one is closed the next may have the data', async () => {
  const first = await createTestApp({ deps: { ownsData: true } })
  await first.stop()
  open = await createTestApp({ home: first.home, deps: { ownsData: true } })
  expect(await open.app.handlers['sessions.list']({})).toEqual([])
})

test('a start that fails lets go of the data', async () => {
  const { home, dataDir, stop } = await createTestApp()
  await stop()
  const file = join(dataDir, 'satchel.db')
  renameSync(file, `${file}.away`)
  mkdirSync(file)
  await expect(createTestApp({ home, deps: { ownsData: true } })).rejects.toThrow('is a folder')

  rmdirSync(file)
  renameSync(`${file}.away`, file)
  open = await createTestApp({ home, deps: { ownsData: true } })
  expect(await open.app.handlers['sessions.list']({})).toEqual([])
})

test('a program that shares the data on purpose, such as the command, starts beside the window', async () => {
  open = await createTestApp({ deps: { ownsData: true } })
  const beside = await createTestApp({ home: open.home })
  expect(await beside.app.handlers['sessions.list']({})).toEqual([])
  await beside.stop()
})
