import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { surveyNested } from '../../../../src/main/runs/sandbox/nested'
import { settleNested } from '../../../../src/main/runs/sandbox/protected'
import { createQuarantine } from '../../../../src/main/runs/sandbox/quarantine'
import { createBench } from './harness'
import type { Bench } from './harness'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => bench.close())

const at = (path: string) => join(bench.workspace, path)
const quarantine = () => createQuarantine({ dir: join(bench.dir, 'kept'), clean: (path) => path })
const read = (path: string) => readFileSync(at(path), 'utf8')
const put = (path: string, text = '') => {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}
/** Runs git as a person's prompt does; the settings that a script made would leave the file `ran`. */
function prompt(folder: string): void {
  try {
    execFileSync('git', ['-C', at(folder), 'status', '-s'], { stdio: 'ignore' })
  } catch {
    // It is no repository: that is fine.
  }
}
const EVIL = (place: string) =>
  `[core]\\n\\trepositoryformatversion = 0\\n\\tfsmonitor = "touch ${place}/ran; false"\\n`

describe('what git trusts', () => {
  test('settings that are said to be elsewhere reach nothing (commondir)', async () => {
    execFileSync('git', ['init', '-q', bench.workspace])
    await bench.run(
      'tidy.sh',
      `mkdir build; cp -r .git/objects .git/refs build; printf '${EVIL(bench.workspace)}' > build/config
       echo ../build > .git/commondir; true`,
    )
    prompt('.')
    expect(existsSync(at('.git/commondir'))).toBe(false)
    expect(existsSync(at('ran'))).toBe(false)
  })

  test('a repository in a folder is read-only as the one at the root', async () => {
    execFileSync('git', ['init', '-q', at('deep/sub')])
    const before = read('deep/sub/.git/config')
    const { stderr } = await bench.run(
      'sub.sh',
      'cd deep/sub; echo evil >> .git/config; echo evil > .git/hooks/pre-commit; mv .git old; echo mine > own',
    )
    expect(read('deep/sub/.git/config')).toBe(before)
    expect(existsSync(at('deep/sub/.git/hooks/pre-commit'))).toBe(false)
    expect(read('deep/sub/own')).toBe('mine\n')
    expect(stderr).not.toContain('[Satchel')
  })

  test('one that is put where the real one was, by moving the folder around it, is moved away', async () => {
    execFileSync('git', ['init', '-q', at('sub')])
    const { stderr } = await bench.run(
      'swap.sh',
      'mv sub real; mkdir -p sub/.git; echo evil > sub/.git/config',
    )
    expect(stderr).toContain('[Satchel moved away what a script may not make in a project: sub/.git]')
    expect(existsSync(at('sub/.git'))).toBe(false)
    expect(existsSync(at('real/.git/HEAD'))).toBe(true)
    expect(bench.audit.at(-1)?.data['moved']).toEqual(['sub/.git'])
  })

  test('a new one at any depth is moved away and kept', async () => {
    const { stderr } = await bench.run('new.sh', 'mkdir -p a/b/c/.git; echo evil > a/b/c/.git/config')
    expect(stderr).toContain('a/b/c/.git')
    expect(existsSync(at('a/b/c/.git'))).toBe(false)
    const kept = join(bench.dataDir, 'quarantine', bench.claimed[0]!)
    expect(readFileSync(join(kept, '1/config'), 'utf8')).toBe('evil\n')
    expect(readFileSync(join(kept, 'index.jsonl'), 'utf8')).toBe('["1","a/b/c/.git"]\n')
  })

  test.each(['build', '.'])(
    'a folder that is a repository without .git is none afterwards: %s',
    async (folder) => {
      const { stderr } = await bench.run(
        'bare.sh',
        `mkdir -p ${folder}; cd ${folder}; mkdir -p objects refs/heads; echo 'ref: refs/heads/x' > HEAD; echo mine > own
       printf '${EVIL(bench.workspace)}\\tworktree = .\\n' > config; true`,
      )
      prompt(folder)
      expect(existsSync(at('ran'))).toBe(false)
      expect(stderr).toContain('HEAD]')
      expect(read(join(folder, 'own'))).toBe('mine\n')
    },
  )

  test('a project that is itself a repository without .git runs nothing that may write', async () => {
    execFileSync('git', ['init', '-q', '--bare', bench.workspace])
    const { run, statusText } = await bench.run('a.sh', 'echo evil >> config')
    expect([run.status, read('config').includes('evil')]).toEqual(['sandbox_failed', false])
    expect(statusText).toContain('without a folder of files')
  })

  test('what a link in the place of .git leads to is read-only', async () => {
    put('store/config', 'mine')
    symlinkSync('../store', at('link'))
    mkdirSync(at('sub'))
    symlinkSync('../store', at('sub/.git'))
    await bench.run('link.sh', 'echo evil > store/config; echo evil > sub/.git/config; true')
    expect(read('store/config')).toBe('mine')
    expect(readlinkSync(at('sub/.git'))).toBe('../store')
  })
})

test('settings of editors and shells in folders can not be changed or made', async () => {
  put('pkg/.vscode/tasks.json', 'mine')
  put('pkg/AGENTS.md', 'mine')
  const { stderr } = await bench.run(
    'edit.sh',
    `echo evil > pkg/.vscode/tasks.json; echo evil > pkg/AGENTS.md
     mkdir -p other/.VSCODE; echo evil > other/.VSCODE/tasks.json; echo evil > pkg/.envrc; echo ok > pkg/main.c`,
  )
  expect([read('pkg/.vscode/tasks.json'), read('pkg/AGENTS.md')]).toEqual(['mine', 'mine'])
  expect(existsSync(at('other/.VSCODE')) || existsSync(at('pkg/.envrc'))).toBe(false)
  expect(stderr).toMatch(/moved away .*: (other\/.VSCODE, pkg\/.envrc|pkg\/.envrc, other\/.VSCODE)\]/)
  expect(read('pkg/main.c')).toBe('ok\n')
})

test('in the folders that a skill may write alone the same holds', async () => {
  put('out/sub/.git/config', 'mine')
  const plan = await bench.runs.planScript(
    bench.script('a.sh', 'echo evil > out/sub/.git/config; mkdir -p out/new/.git; echo ok > out/ok'),
  )
  const { stderr } = await bench.execute({ ...plan, sandbox: { ...plan.sandbox, writable: [at('out')] } })
  expect(read('out/sub/.git/config')).toBe('mine')
  expect(existsSync(at('out/new/.git'))).toBe(false)
  expect(read('out/ok')).toBe('ok\n')
  expect(stderr).toContain('out/new/.git')
})

test("what one run made is not taken for the person's by a run that starts meanwhile", async () => {
  const first = bench.run('first.sh', 'mkdir -p a/.git; echo ready; read -r line', { interactive: true })
  await bench.seen(/ready/)
  await bench.run('second.sh', 'mv a b')
  expect(existsSync(at('b/.git'))).toBe(false)
  await bench.runs.input(bench.claimed[0]!, '\n')
  await first
  expect(existsSync(at('a/.git')) || existsSync(at('b/.git'))).toBe(false)
})

test('a link that was put in the way leads the clean-up nowhere else', async () => {
  const other = join(bench.dir, 'other')
  mkdirSync(join(other, '.git'), { recursive: true })
  await bench.run('link.sh', `ln -s ${other} sub`)
  expect(lstatSync(at('sub')).isSymbolicLink()).toBe(true)
  expect(existsSync(join(other, '.git'))).toBe(true)
})

test('in a project with too many folders it is said what was not looked at', () => {
  for (const name of ['a', 'b', 'c']) put(`${name}/x`)
  expect(surveyNested(bench.workspace, [bench.workspace], 4).complete).toBe(true)
  expect(surveyNested(bench.workspace, [bench.workspace], 3)).toEqual({
    found: [],
    complete: false,
    closed: [],
    byBytes: [],
  })
})

test('in a project that had too many folders before, what is older than the run stays', async () => {
  put('old/.git/config')
  put('new/.git/config')
  const looked = { before: [], roots: [bench.workspace], whole: false }
  const since = lstatSync(at('new')).birthtimeMs
  const later = await settleNested(bench.workspace, { ...looked, since: since + 60_000 }, quarantine())
  expect(later.moved).toEqual([])
  const now = await settleNested(bench.workspace, { ...looked, since: 0 }, quarantine())
  expect(now.moved.sort()).toEqual(['new/.git', 'old/.git'])
})

describe('what could not be looked at', () => {
  test('a look that fails is told as a failed run, never as a clean one', async () => {
    const running = bench.run('wait.sh', 'echo ready; read -r line; mkdir -p sub/.git', { interactive: true })
    await bench.seen(/ready/)
    // Where things are moved to stands a file: what the script makes can't be moved away.
    writeFileSync(join(bench.dataDir, 'quarantine'), '')
    await bench.runs.input(bench.claimed[0]!, '\n')
    const { run, statusText, stderr } = await running
    expect(run.status).toBe('failed')
    expect(statusText).toMatch(/^Satchel could not look at what it made\. Remove the folders/)
    expect(stderr).toContain('[Satchel could not check the protected paths')
  })

  test('folders that are deeper than any path are told as not looked at', async () => {
    const { run, statusText, stderr } = await bench.run(
      'deep.py',
      `import os
for _ in range(30):
    os.mkdir('d' * 200)
    os.chdir('d' * 200)
os.makedirs('sub/.git')`,
    )
    expect(run.status).toBe('failed')
    expect(statusText).toMatch(
      /^It closed folders, so that Satchel could not look into them\. Remove the folders/,
    )
    expect(stderr).toContain('[Satchel could not look into folders that the script closed')
  })

  test('other work goes on while many folders are looked through', async () => {
    for (let folder = 0; folder < 3000; folder += 1) mkdirSync(at(`many/${folder}`), { recursive: true })
    const looked = { before: [], roots: [bench.workspace], whole: true, since: 0 }
    const others = { turns: 0, over: false }
    const working = (async () => {
      while (!others.over) {
        await setImmediate()
        others.turns += 1
      }
    })()
    const { complete } = await settleNested(bench.workspace, looked, quarantine())
    others.over = true
    await working
    expect(complete).toBe(true)
    expect(others.turns).toBeGreaterThan(2)
  })
})
