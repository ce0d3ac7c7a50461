import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { surveyNested } from '../../../../src/main/runs/sandbox/nested'
import { settleNested } from '../../../../src/main/runs/sandbox/protected'
import { createQuarantine } from '../../../../src/main/runs/sandbox/quarantine'
import { protectedTwins } from '../../../../src/main/runs/sandbox/twins'
import { gitNamed } from '../../../../src/main/runs/sandbox/git-named'
import { createBench } from './harness'
import type { Bench } from './harness'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => bench.close())
const quarantine = () => createQuarantine({ dir: join(bench.dir, 'kept'), clean: (path) => path })

const at = (path: string) => join(bench.workspace, path)
/** A path of the project in which é is one byte, as Latin-1 has it. */
const bytes = (path: string) =>
  Buffer.concat([Buffer.from(`${bench.workspace}/`), Buffer.from(path, 'latin1')])
const REFUSED = /^The project holds a name that is not UTF-8: "/

describe('a name that is not UTF-8', () => {
  test.each(['café', 'deep/café'])(
    'keeps a project from running anything where it is a folder: %s',
    async (folder) => {
      mkdirSync(at('deep'))
      mkdirSync(bytes(folder))
      mkdirSync(bytes(`${folder}/.git`))
      const { run, statusText } = await bench.run(
        'a.py',
        `open(b'${folder.replace('é', '\\xe9')}/.git/config', 'w')`,
      )
      expect(run.status).toBe('sandbox_failed')
      expect(statusText).toContain(`not UTF-8: "${folder.replace('é', '\\xE9')}"`)
      expect(existsSync(bytes(`${folder}/.git/config`))).toBe(false)
    },
  )

  test('is no hindrance where it is a file', async () => {
    writeFileSync(bytes('café'), 'mine')
    const { run } = await bench.run('a.sh', 'echo ok > own')
    expect([run.status, readFileSync(at('own'), 'utf8')]).toEqual(['succeeded', 'ok\n'])
  })

  test('is moved away with what a script made in it', async () => {
    const { stderr } = await bench.run(
      'new.py',
      `import os
for name in (b'new\\xff', b'new\\xfe', b'a/v\\xff'):
    os.makedirs(name + b'/.git')
    open(name + b'/.git/config', 'w').write('evil')`,
    )
    expect(
      readdirSync(bench.workspace, { encoding: 'buffer' }).filter((name) => name.includes(0xff)),
    ).toEqual([])
    expect(readdirSync(at('a'))).toEqual([])
    expect(stderr).toContain('moved away what a script may not make in a project: ')
    const kept = join(bench.dataDir, 'quarantine', bench.claimed[0]!)
    const index = readFileSync(join(kept, 'index.jsonl'), 'utf8').trim().split('\n')
    const names = index.map((line) => JSON.parse(line) as [string, string])
    expect(names.map(([, name]) => name).sort()).toEqual(['a/v\\xFF', 'new\\xFE', 'new\\xFF'])
    for (const [number] of names) expect(readFileSync(join(kept, number, '.git/config'), 'utf8')).toBe('evil')
  })

  test('as it was in a part that was not looked at before stays, and one that was renamed goes', async () => {
    mkdirSync(bytes('old\xff'))
    const { byBytes } = surveyNested(bench.workspace, [bench.workspace])
    expect(byBytes.map(({ path }) => path)).toEqual(['old\\xFF'])
    const looked = { before: [], roots: [bench.workspace], whole: false }
    const stays = await settleNested(bench.workspace, { ...looked, since: Date.now() + 60_000 }, quarantine())
    expect(stays.moved).toEqual([])
    renameSync(bytes('old\xff'), bytes('new\xff'))
    const goes = await settleNested(bench.workspace, { ...looked, since: 0 }, quarantine())
    expect(goes.moved).toEqual(['new\\xFF'])
  })

  test.each(['.git', 'sub/.git'])(
    'that a link in the place of %s leads to keeps everything from running',
    async (link) => {
      mkdirSync(at('sub'))
      writeFileSync(bytes('sub/caf\xe9'), 'gitdir: /elsewhere')
      symlinkSync(bytes('sub/caf\xe9'), at(link))
      const { run, statusText } = await bench.run('a.sh', 'echo evil > own')
      expect([run.status, existsSync(at('own'))]).toEqual(['sandbox_failed', false])
      expect(statusText).toContain('not UTF-8')
    },
  )

  test('is found as another name of a protected file, and nothing runs', () => {
    mkdirSync(at('.git'))
    writeFileSync(at('.git/config'), '')
    linkSync(at('.git/config'), bytes('x\xff'))
    expect(() => protectedTwins(bench.workspace)).toThrow(REFUSED)
  })

  test('of a protected file itself is followed to its other names', () => {
    mkdirSync(at('.git'))
    writeFileSync(bytes('.git/h\xe9'), '')
    linkSync(bytes('.git/h\xe9'), at('alias'))
    expect(protectedTwins(bench.workspace)).toEqual(['alias'])
  })
})

describe('settings of git that are not UTF-8', () => {
  const outer = (text: string) => {
    const file = join(bench.dir, 'gitconfig')
    writeFileSync(file, Buffer.from(text, 'latin1'))
    return () => gitNamed(bench.workspace, [], { files: [file], settings: [] })
  }

  test.each([
    '[core]\nhooksPath = h\xe9/hooks\n',
    '[core]\nfsmonitor = ./h\xe9.sh\n',
    '[include]\npath = h\xe9\n',
  ])('keep everything from running where they lead somewhere: %j', (text) => {
    expect(outer(text)).toThrow(REFUSED)
  })

  test('count for nothing where they lead nowhere', () => {
    expect(outer('[user]\nname = Ren\xe9\n[alias]\nl = log --author=Ren\xe9\n')()).toEqual([])
  })

  test('keep everything from running where they say where a repository is', () => {
    writeFileSync(at('.git'), Buffer.from('gitdir: /elsewhere/caf\xe9\n', 'latin1'))
    expect(() => gitNamed(bench.workspace, [], { files: [], settings: [] })).toThrow(REFUSED)
  })
})
