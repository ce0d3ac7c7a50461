import { contract } from '@shared/ipc/contract'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAudit } from '../../../../src/main/audit/audit'
import { queryAudit } from '../../../../src/main/db/audit-rows'
import { openDb, type Db } from '../../../../src/main/db/open'
import { writeSetting } from '../../../../src/main/db/setting-rows'
import { createSettings, type SettingsStore } from '../../../../src/main/settings/settings'

let dir: string
let db: Db
let settings: SettingsStore

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-settings-'))
  db = openDb(join(dir, 'satchel.db'))
  settings = createSettings({ db, audit: createAudit({ db, now: () => 5 }) })
})
afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true })
})

const record = () => queryAudit(db.sql, { limit: 10 })

describe('settings', () => {
  test('are the defaults at first', () => {
    expect(settings.get()).toEqual({
      theme: 'system',
      defaultModel: 'practice/scripted',
      projectOverPersonal: false,
      writableTools: [],
      defaultStyle: 'runtime',
      catalogueMax: 50,
      catalogueShare: 0.02,
      maxActiveSkills: 5,
      armDelayMs: 600,
      runTimeoutMs: 120_000,
      spendingLimitChat: null,
      spendingLimitDay: null,
      mcpOff: [],
      proxy: '',
      caFile: '',
      defaultAgent: 'general',
      interpreters: {},
      runMemoryMb: 2048,
      runProcesses: 256,
      sandboxProfile: 'workspace-write',
      stopOnError: false,
      auditFile: '',
    })
  })

  test('that a page changes cross the port without the defaults of the others', () => {
    expect(contract['settings.set'].input.parse({ theme: 'dark' })).toEqual({ theme: 'dark' })
  })

  test('keep what is left out or undefined', () => {
    settings.set({ theme: 'dark' })
    settings.set({ maxActiveSkills: 3, theme: undefined })
    expect(settings.get()).toMatchObject({ theme: 'dark', maxActiveSkills: 3 })
  })

  test.each([{ armDelayMs: 0 }, { maxActiveSkills: 11 }, { runTimeoutMs: 1.5 }, { defaultModel: 'none' }])(
    'refuse %j and change nothing',
    (change) => {
      const before = settings.get()
      expect(() => settings.set(change)).toThrow()
      expect(settings.get()).toEqual(before)
      expect(record()).toEqual([])
    },
  )

  test('put on record what changes safety, and nothing else', () => {
    settings.set({ theme: 'light', armDelayMs: 600 })
    expect(record()).toEqual([])
    settings.set({ projectOverPersonal: true })
    expect(record()).toMatchObject([
      { action: 'settings.changed', target: 'projectOverPersonal', data: { before: false, after: true } },
    ])
  })

  test.each([
    ['not JSON', 'theme'],
    ['another shape', '[1]'],
  ])('that are damaged (%s) are the defaults', (_what, value) => {
    db.sql.prepare(`INSERT INTO settings (key, value) VALUES ('settings', ?)`).run(value)
    expect(settings.get().maxActiveSkills).toBe(5)
  })

  test('one damaged value does not cost the others', async () => {
    writeSetting(db.sql, 'settings', { ...settings.get(), theme: 'plaid', maxActiveSkills: 3 })
    // What others write is seen in the next piece of work.
    await Promise.resolve()
    expect(settings.get()).toMatchObject({ theme: 'system', maxActiveSkills: 3 })
  })
})

describe('the place of the window', () => {
  test('is nothing at first, then what was saved', () => {
    expect(settings.windowState.get()).toBeNull()
    const state = { x: -5, y: 0, width: 900, height: 700, maximized: true }
    settings.windowState.set(state)
    expect(settings.windowState.get()).toEqual(state)
  })

  test('that is damaged is nothing', () => {
    writeSetting(db.sql, 'window', { x: 'left' })
    expect(settings.windowState.get()).toBeNull()
  })
})

describe('where a person was', () => {
  test('is nothing at first, then what was saved', () => {
    expect(settings.place.get()).toBeNull()
    settings.place.set({ area: 'skills', chatId: 'ses_1' })
    expect(settings.place.get()).toEqual({ area: 'skills', chatId: 'ses_1' })
  })

  test('that is damaged is nothing', () => {
    writeSetting(db.sql, 'place', { area: 'moon' })
    expect(settings.place.get()).toBeNull()
  })
})
