import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createReadAhead } from '../../../../../src/main/skills/scan/read-ahead'
import type { Entry } from '../../../../../src/main/skills/scan/scan-state'
import { personal, scannerOf } from '../scan-support'
import { tempDir } from '../support'

let opened: string[] = []
const openFile: typeof open = (path, flags) => {
  opened.push(String(path))
  return open(path, flags)
}

const entry = (real: string, change: Partial<Entry> = {}): Entry => ({
  dir: real,
  real,
  link: false,
  depth: 1,
  parent: null,
  is: null,
  ...change,
})

function skillsIn(dir: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const folder = join(dir, `skill-${String(at).padStart(3, '0')}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'SKILL.md'), `---\nname: skill-${at}\ndescription: Does ${at}.\n---\n`)
    return folder
  })
}

describe('reading ahead', () => {
  it('is due when the disk is slow again and again, not when one answer is late', () => {
    const ahead = createReadAhead()
    for (const ms of [5, 0.05, 5, 0.05, 5, 0.05, 0.05]) ahead.probed(ms)
    expect(ahead.isDue()).toBe(false)
    for (const ms of [1, 1, 1, 1]) ahead.probed(ms)
    expect(ahead.isDue()).toBe(true)
  })

  it('asks for no file twice, however slow the disk stays', async () => {
    opened = []
    const dirs = skillsIn(tempDir(), 40)
    const stack = dirs.map((dir) => entry(dir)).reverse()
    const ahead = createReadAhead({ openFile })
    while (stack.length > 0) {
      stack.pop()
      ahead.probed(1)
      if (ahead.isDue()) await ahead.read(stack)
    }
    expect(opened.length).toBe(36)
    expect(new Set(opened).size).toBe(36)
  })

  it('leaves links and what is known alone, and waits for nothing that is no file', async () => {
    opened = []
    const dir = tempDir()
    const [plain] = skillsIn(dir, 1)
    const pipe = join(dir, 'pipe')
    mkdirSync(pipe)
    if (process.platform !== 'win32') execFileSync('mkfifo', [join(pipe, 'SKILL.md')])
    const linked = join(dir, 'linked')
    mkdirSync(linked)
    symlinkSync(join(plain!, 'SKILL.md'), join(linked, 'SKILL.md'))
    const link = entry(join(dir, 'link'), { link: true })
    const known = entry(join(dir, 'known'), {
      is: { kind: 'folder', real: '', sig: [0, 0, 0, 0], fresh: false, entries: [], cut: false, deep: false },
    })
    await createReadAhead({ openFile }).read([
      known,
      link,
      entry(join(dir, 'gone')),
      entry(linked),
      entry(pipe),
      entry(plain!),
    ])
    const folders = opened.map((path) => path.slice(dir.length + 1).split('/')[0])
    expect(new Set(folders)).toEqual(new Set(['gone', 'linked', 'pipe', 'skill-000']))
  })

  it('changes nothing of what a look finds', async () => {
    const dir = tempDir()
    const dirs = skillsIn(dir, 150)
    opened = []
    const slow = scannerOf([personal(dir)], { readAhead: { slowMs: 0, openFile } })
    await slow.look()
    expect(opened.length).toBe(146)
    const quick = scannerOf([personal(dir)], { readAhead: { slowMs: Infinity, openFile } })
    await quick.look()
    expect(opened.length).toBe(146)
    expect(slow.records()).toEqual(quick.records())
    expect(readFileSync(join(dirs[149]!, 'SKILL.md'), 'utf8')).toContain('Does 149.')
  })
})
