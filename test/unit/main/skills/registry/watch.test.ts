import type { watch as fsWatch } from 'node:fs'
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createWatcher } from '../../../../../src/main/skills/registry/watch'
import type { ScannerDeps } from '../../../../../src/main/skills/scan/scanner-state'
import { scannerOf } from '../scan-support'
import { later, makeSkill, rootFor, tempDir, until, write } from '../support'

const skillMd = (description: string) => `---\nname: pdf\ndescription: ${description}\n---\n`

/** A scanner that looks by itself only after events. */
async function watched(change: Partial<ScannerDeps> = {}) {
  const root = join(tempDir(), 'skills')
  const skill = makeSkill(join(root, 'pdf'), 'pdf', { 'scripts/run.py': 'print(1)\n' })
  const all = scannerOf([rootFor(root)], { watch: true, pollMs: 3_600_000, ...change })
  await all.look()
  const record = () => all.records().find(({ folder }) => folder === 'pdf')
  return {
    ...all,
    dir: root,
    skill,
    file: join(skill, 'SKILL.md'),
    record,
    text: () => record()?.description,
  }
}

type Watched = Awaited<ReturnType<typeof watched>>

describe('every way to save SKILL.md is seen', () => {
  const styles: [string, (at: Watched) => void][] = [
    ['in place', ({ file }) => writeFileSync(file, skillMd('New.'))],
    [
      'truncated, then written',
      ({ file }) => {
        const fd = openSync(file, 'r+')
        ftruncateSync(fd, 0)
        writeSync(fd, skillMd('New.'))
        closeSync(fd)
      },
    ],
    [
      'by a rename over it',
      ({ file }) => {
        writeFileSync(`${file}.tmp`, skillMd('New.'))
        renameSync(`${file}.tmp`, file)
      },
    ],
    [
      'deleted and made again',
      ({ file }) => {
        rmSync(file)
        writeFileSync(file, skillMd('New.'))
      },
    ],
    [
      'by a folder that takes the place of the old one',
      ({ dir, skill }) => {
        write(join(dir, '..', 'next', 'SKILL.md'), skillMd('New.'))
        rmSync(skill, { recursive: true })
        renameSync(join(dir, '..', 'next'), skill)
      },
    ],
    [
      'by a link that leads elsewhere',
      ({ dir, skill }) => {
        const next = join(dir, '..', 'elsewhere')
        write(join(next, 'SKILL.md'), skillMd('New.'))
        rmSync(skill, { recursive: true })
        symlinkSync(next, skill)
      },
    ],
    [
      'with the time and size that it had',
      ({ file }) => {
        const before = readFileSync(file, 'utf8')
        writeFileSync(file, before.replace('Does pdf.', 'New. 4567'))
        utimesSync(file, 1_000_000, 1_000_000)
      },
    ],
  ]
  it.each(styles)('%s, and so is a second save', async (_style, save) => {
    const at = await watched()
    utimesSync(at.file, 1_000_000, 1_000_000)
    save(at)
    await until('the new description', () => at.text()?.startsWith('New.') === true)
    writeFileSync(at.file, skillMd('Second.'))
    await until('the second one', () => at.text() === 'Second.')
  })

  it('but a save that changes nothing is not told, nor is a new time', async () => {
    const { file, dir, deltas, records } = await watched()
    const told = deltas.length
    writeFileSync(file, readFileSync(file))
    utimesSync(file, new Date(), new Date())
    makeSkill(join(dir, 'zip'), 'zip')
    await until('what comes after it', () => records().some(({ folder }) => folder === 'zip'))
    const upserts = deltas.slice(told).flatMap(({ upsert }) => upsert.map(({ folder }) => folder))
    expect(new Set(upserts)).toEqual(new Set(['zip']))
  })
})

describe('what else changes is seen', () => {
  it('a file beside SKILL.md, and a new one in a sub-folder at the next look', async () => {
    const { skill, record, scanner } = await watched()
    writeFileSync(join(skill, 'more.md'), 'x')
    await until('the file', () => record()?.files === 3)
    writeFileSync(join(skill, 'scripts', 'next.py'), 'x')
    await scanner.refresh()
    expect(record()?.files).toBe(4)
  })

  it('a script edited in place in a sub-folder, within a second where the skill is in use', async () => {
    const { skill, record, scanner } = await watched()
    const before = record()!
    scanner.deepen([before.key])
    writeFileSync(join(skill, 'scripts', 'run.py'), 'print(2)\n')
    await until('another stamp', () => record()?.stamp !== before.stamp)
  })

  it('the same of a skill that is not in use, in the round of regular looks', async () => {
    const { skill, record } = await watched({ pollMs: 10 })
    const before = record()!
    writeFileSync(join(skill, 'scripts', 'run.py'), 'print(2)\n')
    await until('another stamp', () => record()?.stamp !== before.stamp)
  })

  it('a skill that moves, with its edits at the new place', async () => {
    const { dir, skill, records } = await watched()
    renameSync(skill, join(dir, 'moved'))
    await until(
      'the new place',
      () =>
        records()
          .map(({ folder }) => folder)
          .join() === 'moved',
    )
    writeFileSync(join(dir, 'moved', 'SKILL.md'), skillMd('New.'))
    await until('the edit', () => records()[0]?.description === 'New.')
  })

  it('where a link leads, when a folder on its way is another one', async () => {
    const at = await watched()
    const [one, two] = [join(at.dir, '..', 'one'), join(at.dir, '..', 'two')]
    makeSkill(join(one, 'csv'), 'csv')
    write(join(two, 'csv', 'SKILL.md'), skillMd('Two.'))
    symlinkSync(join(one, 'csv'), join(at.dir, 'linked'))
    await at.scanner.refresh()
    renameSync(one, `${one}-old`)
    renameSync(two, one)
    await at.scanner.refresh()
    expect(at.records().find(({ folder }) => folder === 'linked')?.description).toBe('Two.')
  })

  it('every skill of a burst of 1,000 new ones and of 500 moves, and edits after that', async () => {
    const { dir, records } = await watched()
    for (let at = 0; at < 1000; at++) makeSkill(join(dir, `s${at}`), `s${at}`)
    await until('all new ones', () => records().length === 1001, 30_000)
    for (let at = 0; at < 500; at++) renameSync(join(dir, `s${at}`), join(dir, `m${at}`))
    await until(
      'all moves',
      () => records().filter(({ folder }) => folder.startsWith('m')).length === 500,
      30_000,
    )
    writeFileSync(join(dir, 'm7', 'SKILL.md'), skillMd('Edited.'))
    await until('the edit', () => records().some(({ description }) => description === 'Edited.'))
  })
})

describe('watches', () => {
  const throwing = (code: string, after: number) => {
    const made = { count: 0 }
    const watch = (() => {
      made.count += 1
      if (made.count > after) throw Object.assign(new Error('no more'), { code })
      return { on: () => undefined, close: () => undefined }
    }) as unknown as typeof fsWatch
    return { watch, made }
  }

  it.each(['EMFILE', 'ENOSPC'])(
    'run out with %s: the roots say so, and regular looks see changes',
    async (code) => {
      const { watch } = throwing(code, 1)
      const all = await watched({ fsWatch: watch, pollMs: 20 })
      expect(all.root().live).toBe('limited')
      writeFileSync(all.file, skillMd('New.'))
      await until('the new description', () => all.text() === 'New.')
      writeFileSync(join(all.skill, 'scripts', 'next.py'), 'x')
      await until('the new file', () => all.record()?.files === 3)
    },
  )

  it('are not made on another machine: regular looks see changes there', async () => {
    const { watch, made } = throwing('never', Infinity)
    const all = await watched({ fsWatch: watch, isRemote: () => true, pollMs: 20 })
    expect(all.root().live).toBe('remote')
    expect(made.count).toBe(0)
    writeFileSync(all.file, skillMd('New.'))
    await until('the new description', () => all.text() === 'New.')
    writeFileSync(join(all.skill, 'scripts', 'next.py'), 'x')
    await until('the new file', () => all.record()?.files === 3)
  })

  it('are one for each skill, one for the root and two above it', async () => {
    const { watch, made } = throwing('never', Infinity)
    const root = tempDir()
    for (let at = 0; at < 100; at++) {
      makeSkill(join(root, `s${at}`), `s${at}`, { 'scripts/a.py': 'x', 'references/b.md': 'x' })
    }
    const { look } = scannerOf([rootFor(root)], { watch: true, fsWatch: watch })
    await look()
    expect(made.count).toBe(103)
  })

  it.each(['names', 'folders'] as const)(
    'follow a folder that went and came back between two looks, for its %s',
    async (kind) => {
      const dir = join(tempDir(), 'home')
      mkdirSync(dir)
      const file = join(dir, 'sources.json')
      const places = { always: [], names: [], folders: [], [kind]: [kind === 'names' ? file : dir] }
      const seen: string[] = []
      const others: boolean[] = []
      const watcher = createWatcher({
        onEvent(path) {
          seen.push(path)
          others.push(watcher.near(places))
        },
      })
      later(() => watcher.close())
      watcher.near(places)
      rmSync(dir, { recursive: true })
      mkdirSync(dir)
      await until('that another one is watched', () => others.includes(true))
      writeFileSync(file, '{}')
      await until('the file in it', () => seen.includes(file))
    },
  )

  it.runIf(process.platform === 'linux')('end with the scanner', async () => {
    const before = inotifyWatches()
    const { scanner } = await watched()
    expect(inotifyWatches()).toBeGreaterThan(before)
    scanner.close()
    expect(inotifyWatches()).toBe(before)
  })
})

function inotifyWatches(): number {
  return readdirSync('/proc/self/fdinfo')
    .map((fd) => {
      try {
        return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')
      } catch {
        return '' // closed since it was listed
      }
    })
    .reduce((sum, text) => sum + (text.match(/^inotify /gm)?.length ?? 0), 0)
}
