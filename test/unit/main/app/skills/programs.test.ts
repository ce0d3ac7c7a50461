import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestApp, listSkills, type TestApp } from '../../../../helpers/app'

const SKILL = {
  'SKILL.md': '---\nname: quince\ndescription: Boils quince.\n---\nRun `scripts/boil.lua`.\n',
  'scripts/boil.lua': 'print("boiled")\n',
}

let home: string
let app: TestApp | undefined

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-programs-')))
})
afterEach(async () => {
  await app?.stop()
  rmSync(home, { recursive: true, force: true })
  app = undefined
})

/** A stand-in for Lua where no PATH of the app leads. */
function makeLua(): string {
  const file = join(home, 'own-programs', 'lua')
  mkdirSync(join(home, 'own-programs'))
  writeFileSync(file, '#!/bin/sh\necho Lua 5.4.6\n')
  chmodSync(file, 0o755)
  return file
}

async function codes(): Promise<string[]> {
  const { skills } = await listSkills(app!.app, null)
  const skill = skills.find(({ name }) => name === 'quince')
  const { diagnostics } = await app!.app.handlers['skills.get']({ key: skill!.key, projectDir: null })
  return diagnostics.map(({ code }) => code)
}

const env = () => ({ PATH: '/usr/bin:/bin', HOME: home, SHELL: '/bin/bash' })

test('a program that the login shell finds is not missing to a skill either', async () => {
  makeLua()
  writeFileSync(join(home, '.bash_profile'), 'export PATH="$HOME/own-programs:$PATH"\n')
  app = await createTestApp({ home, skills: { quince: SKILL }, deps: { env: env(), asksLoginShell: true } })
  await vi.waitUntil(async () => !(await codes()).includes('interpreter-missing'), { timeout: 20_000 })
})

test('an interpreter that is set in Settings is not missing, one that is set wrongly is', async () => {
  app = await createTestApp({ home, skills: { quince: SKILL }, deps: { env: env() } })
  expect(await codes()).toContain('interpreter-missing')
  await app.app.handlers['settings.set']({ interpreters: { lua: makeLua() } })
  expect(await codes()).not.toContain('interpreter-missing')
  await app.app.handlers['settings.set']({ interpreters: { lua: '/nowhere/lua' } })
  expect(await codes()).toContain('interpreter-missing')
})
