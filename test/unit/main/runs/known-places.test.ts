import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isChangedSince } from '../../../../src/main/runs/sandbox/changed'
import { foundAt, isSame, surveyNested } from '../../../../src/main/runs/sandbox/nested'
import { nestedMounts, settleNested } from '../../../../src/main/runs/sandbox/protected'
import { createQuarantine } from '../../../../src/main/runs/sandbox/quarantine'
import { createBench } from './harness'
import type { Bench } from './harness'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => bench.close())
const quarantine = () => createQuarantine({ dir: join(bench.dir, 'kept'), clean: (path) => path })

const at = (path: string) => join(bench.workspace, path)
const put = (path: string, text = '') => {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}
const found = (path: string) => foundAt(bench.workspace, path)

test('of many repositories in folders the last is as closed as the first', async () => {
  for (let index = 0; index < 520; index += 1) put(`p${index}/.git/config`, 'mine')
  const { run } = await bench.run(
    'all.sh',
    'for f in p*/.git/config; do echo evil > $f; done 2>/dev/null; echo ok > own',
  )
  const evil = readdirSync(bench.workspace).filter(
    (name) => name.startsWith('p') && readFileSync(at(`${name}/.git/config`), 'utf8') !== 'mine',
  )
  expect([run.status, evil, readFileSync(at('own'), 'utf8')]).toEqual(['succeeded', [], 'ok\n'])
})

test('with more places than can be closed nothing runs', () => {
  const places = Array.from({ length: 2001 }, (_, index) => ({ path: `p${index}/.git`, id: `1:${index}:` }))
  expect(() => nestedMounts(bench.workspace, places)).toThrow(
    /^This project holds 2001 places .* Nothing ran/,
  )
})

describe('a place that was known', () => {
  test('is another one where only its number came back', () => {
    put('a/.git/config')
    const was = found('a/.git')
    expect(isSame(was, found('a/.git'))).toBe(true)
    expect(isSame({ ...was, born: '1' }, found('a/.git'))).toBe(false)
  })

  test('is moved away where only its number came back', async () => {
    put('a/.git/config')
    const { found: before } = surveyNested(bench.workspace, [bench.workspace])
    const looked = { roots: [bench.workspace], whole: true, since: 0 }
    const reused = before.map((place) => ({ ...place, born: '1' }))
    expect((await settleNested(bench.workspace, { ...looked, before }, quarantine())).moved).toEqual([])
    const { moved } = await settleNested(bench.workspace, { ...looked, before: reused }, quarantine())
    expect(moved).toEqual(['a/.git'])
  })

  test('of a journal that did not say when it was made counts by its number', () => {
    put('a/.git/config')
    const { path, id } = found('a/.git')
    expect(isSame({ path, id }, found('a/.git'))).toBe(true)
  })

  test('may not move where settings lead from it to files that could stay behind', async () => {
    put('sub/.git/config', '[core]\n\thooksPath = hooks\n')
    put('sub/hooks/pre-commit', 'mine')
    const { stderr } = await bench.run(
      'move.sh',
      'mv sub/hooks sub/old; mv sub real; mkdir real/hooks; echo evil > real/hooks/pre-commit',
    )
    expect(existsSync(at('real/.git'))).toBe(false)
    expect(stderr).toContain('moved away what a script may not make in a project: real/.git]')
  })
})

describe('in a part that was not looked at before', () => {
  const looked = { before: [], roots: [] as string[], whole: false }
  const settle = async (since: number) => {
    const { moved } = await settleNested(
      bench.workspace,
      { ...looked, roots: [bench.workspace], since },
      quarantine(),
    )
    return moved
  }
  /** The next time that the file system gives, by its own clock. */
  const later = () => {
    put('clock')
    const was = statSync(at('clock')).ctimeMs
    let now = was
    for (let index = 0; now <= was; index += 1) {
      put('clock', String(index))
      now = statSync(at('clock')).ctimeMs
    }
    return now
  }

  test('what was renamed to a protected name is new, however old it is', async () => {
    put('old/plain/tasks.json')
    put('old/.git/config')
    const since = later()
    renameSync(at('old/plain'), at('old/.vscode'))
    expect(lstatSync(at('old/.vscode')).birthtimeMs).toBeLessThan(since)
    expect(await settle(since)).toEqual(['old/.vscode'])
  })

  test("settings that were changed where they stand are new, and what a commit changes is the person's", () => {
    put('old/.git/HEAD')
    put('old/.git/config')
    put('old/.git/hooks/a.sample')
    const since = later()
    put('old/.git/index')
    expect(isChangedSince(at('old/.git'), since)).toBe(false)
    put('old/.git/hooks/a.sample', 'evil')
    expect(isChangedSince(at('old/.git'), since)).toBe(true)
  })

  test('a folder that became a repository is new', () => {
    put('old/HEAD')
    const since = later()
    for (const name of ['objects', 'refs']) mkdirSync(at(`old/${name}`))
    put('old/config')
    expect(isChangedSince(at('old/HEAD'), since)).toBe(true)
  })
})
