import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createBench } from './harness'
import type { Bench } from './harness'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => bench.close())

const at = (path: string) => join(bench.workspace, path)
const read = (path: string) => readFileSync(at(path), 'utf8')
const put = (path: string, text = '') => {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}
const link = (path: string, target: string) => {
  mkdirSync(dirname(at(path)), { recursive: true })
  symlinkSync(target, at(path))
}

describe('what a link in a trusted place leads to', () => {
  test.each(['.git/hooks/pre-commit', 'sub/.git/hooks/pre-commit', '.vscode/tasks.json'])(
    'is as closed as the place: %s',
    async (place) => {
      put('scripts/it', 'mine')
      link(place, join('../'.repeat(place.split('/').length - 1), 'scripts/it'))
      const { run } = await bench.run('w.sh', 'echo evil > scripts/it; echo ok > scripts/own')
      expect([run.status, read('scripts/it'), read('scripts/own')]).toEqual(['succeeded', 'mine', 'ok\n'])
    },
  )

  test('is moved away where a script makes it, or puts another in its place', async () => {
    link('.git/hooks/pre-commit', '../../scripts/new')
    put('conf/vscode/tasks.json', 'mine')
    link('.vscode', 'conf/vscode')
    put('shared/vscode/tasks.json', 'mine')
    link('sub/.vscode', '../shared/vscode')
    await bench.run(
      'w.sh',
      `mkdir -p scripts; echo evil > scripts/new
       for d in conf shared; do mv $d $d-old; mkdir -p $d/vscode; echo evil > $d/vscode/tasks.json; done`,
    )
    expect([existsSync(at('scripts/new')), existsSync(at('.vscode/tasks.json'))]).toEqual([false, false])
    expect(existsSync(at('sub/.vscode/tasks.json'))).toBe(false)
  })

  test('is not another one after the folder around the link was moved', async () => {
    put('shared/vscode/tasks.json', 'mine')
    link('sub/.vscode', '../shared/vscode')
    await bench.run(
      'w.sh',
      'mkdir -p evil/shared/vscode; echo evil > evil/shared/vscode/tasks.json; mv sub evil/sub',
    )
    expect(existsSync(at('evil/sub/.vscode/tasks.json'))).toBe(false)
  })
})

test.each(['../hooks', '../../hooks'])(
  'a repository that was moved is not led elsewhere by its relative settings: %s',
  async (path) => {
    put('sub/.git/HEAD')
    put('sub/.git/config', `[core]\n\thooksPath = ${path}\n`)
    const to = path === '../hooks' ? 'evil' : 'evil/er'
    await bench.run('w.sh', `mkdir -p ${to} evil/hooks; echo evil > evil/hooks/pre-commit; mv sub ${to}/sub`)
    expect(existsSync(at(`${to}/sub/.git/config`)) && existsSync(at('evil/hooks/pre-commit'))).toBe(false)
  },
)

test('a folder that can be entered and not listed hides no repository from the look', async () => {
  put('closed/sub/.git/config', 'mine')
  chmodSync(at('closed'), 0o311)
  await bench.run(
    'w.sh',
    'echo evil > closed/sub/.git/config; mkdir -p closed/new/.git; echo evil > closed/new/.git/config; true',
  )
  chmodSync(at('closed'), 0o711)
  expect([read('closed/sub/.git/config'), existsSync(at('closed/new/.git/config'))]).toEqual(['mine', false])
})

test('a trusted file that is saved anew while a script runs is not open to it', async () => {
  put('AGENTS.md', 'mine')
  const running = bench.run('w.sh', 'echo ready; read -r line; echo evil > AGENTS.md; true', {
    interactive: true,
  })
  await bench.seen(/ready/)
  put('anew', 'mine too')
  renameSync(at('anew'), at('AGENTS.md'))
  await bench.runs.input(bench.claimed[0]!, '\n')
  expect((await running).stderr).toContain(
    'what somebody replaced while the script ran, which could then write there: AGENTS.md. It is under "quarantine"',
  )
  expect(existsSync(at('AGENTS.md'))).toBe(false)
})

test('where the folder of hooks is a link to the project itself, no hook can be written there', async () => {
  put('.git/config', '')
  symlinkSync('..', at('.git/hooks'))
  put('pre-commit', 'mine')
  await bench.run('w.sh', 'echo evil > pre-commit; echo evil > pre-push; echo ok > plain; true')
  expect([read('pre-commit'), existsSync(at('pre-push')), read('plain')]).toEqual(['mine', false, 'ok\n'])
})
