import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findTerminal, openTerminal, type TerminalPlace } from '../../../../src/main/electron/terminal'

let dir: string
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-terminal-')))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const place = (
  platform: NodeJS.Platform,
  env: TerminalPlace['env'],
  ...files: readonly string[]
): TerminalPlace => ({ platform, env, canRun: (path) => files.includes(path) })

test.each([
  ['the person’s own', { TERMINAL: 'foot' }, ['/usr/bin/foot', '/usr/bin/xterm'], '/usr/bin/foot'],
  [
    'that of the system',
    {},
    ['/usr/bin/x-terminal-emulator', '/usr/bin/xterm'],
    '/usr/bin/x-terminal-emulator',
  ],
  ['another that is there', {}, ['/opt/bin/konsole'], '/opt/bin/konsole'],
  ['another where the own one is not there', { TERMINAL: '/opt/gone' }, ['/usr/bin/xterm'], '/usr/bin/xterm'],
  ['an own one by its path', { TERMINAL: '/opt/term' }, ['/opt/term', '/usr/bin/xterm'], '/opt/term'],
  ['none where there is none', {}, [], undefined],
  ['none beside the skill', { TERMINAL: './foot' }, ['./foot', 'foot', '/usr/bin/./foot'], undefined],
])('on Linux the terminal is %s', (_what, env, files, file) => {
  const found = findTerminal(place('linux', { PATH: '.:/opt/bin::/usr/bin', ...env }, ...files))
  expect(found?.file).toBe(file)
})

test('on macOS and Windows the terminal is that of the system', () => {
  expect(findTerminal(place('darwin', {}))).toEqual({ file: '/usr/bin/open', args: ['-a', 'Terminal', '.'] })
  const env = { LOCALAPPDATA: 'C:\\U\\Local', SystemRoot: 'C:\\Windows' }
  const [terminal, plain] = ['C:\\U\\Local\\Microsoft\\WindowsApps\\wt.exe', 'C:\\Windows\\System32\\cmd.exe']
  expect(findTerminal(place('win32', env, terminal, plain))?.file).toBe(terminal)
  expect(findTerminal(place('win32', env, plain))).toEqual({ file: plain, args: [] })
  expect(findTerminal(place('win32', {}, plain))).toBeNull()
})

test('a terminal starts in the folder, whatever the folder is called', async () => {
  const program = join(dir, 'terminal')
  const odd = realpathSync(mkdtempSync(join(dir, '-e $(touch x); ')))
  writeFileSync(
    program,
    `#!/bin/sh\nprintf '%s|%s' "$PWD" "$#" > '${dir}/told.part'\nmv '${dir}/told.part' '${dir}/told'\n`,
  )
  chmodSync(program, 0o755)
  await openTerminal(odd, () => ({ file: program, args: [] }))
  const told = await vi.waitFor(() => readFile(join(dir, 'told'), 'utf8'), { timeout: 10_000 })
  expect(told).toBe(`${odd}|0`)
})

test('where none is found, or it does not start, a sentence says so', async () => {
  await expect(openTerminal(dir, () => null)).rejects.toThrow('No terminal was found. Name yours in')
  const gone = { file: join(dir, 'gone'), args: [] }
  await expect(openTerminal(dir, () => gone)).rejects.toMatchObject({
    code: 'not_ready',
    message: expect.stringContaining('could not be started in that folder'),
  })
})
