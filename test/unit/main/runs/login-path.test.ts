import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLogin } from '../../../../src/main/runs/login-path'
import { runProcess } from '../../../../src/main/lib/process'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'login-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** A shell of that text, called as a login shell is. */
function shell(text: string): string {
  mkdirSync(join(home, 'bin'))
  const file = join(home, 'bin/bash')
  writeFileSync(file, `#!/bin/sh\n${text}\n`)
  chmodSync(file, 0o755)
  return file
}

const loginOf = (file: string, timeoutMs?: number) =>
  createLogin({ SHELL: file, HOME: home, PATH: '/usr/bin:/bin' }, timeoutMs)()
const pathOf = async (file: string, timeoutMs?: number) => (await loginOf(file, timeoutMs))?.path ?? null

describe('the PATH of the login shell', () => {
  test('is what its start files make of it, whatever else they print', async () => {
    writeFileSync(
      join(home, '.bash_profile'),
      'echo Welcome; export PATH="/opt/my tools/bin:$PATH"; echo ready\n',
    )
    expect(await pathOf('/bin/bash')).toMatch(/^\/opt\/my tools\/bin:\//)
  })

  test('also of those that only an interactive shell reads', async () => {
    writeFileSync(join(home, '.bash_profile'), '. ~/.bashrc\n')
    writeFileSync(join(home, '.bashrc'), '[[ $- == *i* ]] || return\nexport PATH=/opt/version/bin:$PATH\n')
    expect(await pathOf('/bin/bash')).toMatch(/^\/opt\/version\/bin:\//)
  })

  test('comes with the variables that git reads there, and no others', async () => {
    writeFileSync(
      join(home, '.bash_profile'),
      'export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0="my hooks=x" OTHER_KEY=secret\n',
    )
    expect((await loginOf('/bin/bash'))?.git).toEqual({
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.hooksPath',
      GIT_CONFIG_VALUE_0: 'my hooks=x',
    })
  })

  test('is asked for once', async () => {
    const ask = createLogin({
      SHELL: shell(`echo x >> ${home}/asked; exec /bin/bash "$@"`),
      HOME: home,
      PATH: '/bin',
    })
    expect(await ask()).toBe(await ask())
    expect(
      (await runProcess('/usr/bin/wc', ['-l', join(home, 'asked')], { env: {}, timeoutMs: 5000 })).stdout,
    ).toMatch(/^1 /)
  })

  test('is unknown where the shell hangs, and nothing of it is left', async () => {
    expect(await pathOf(shell(`sleep 60 & echo $! > ${home}/pid; wait`), 300)).toBeNull()
    const { stdout } = await runProcess('/bin/sh', ['-c', `ps -o stat= -p $(cat ${home}/pid) | grep -v Z`], {
      env: { PATH: '/usr/bin:/bin' },
      timeoutMs: 5000,
    })
    expect(stdout.trim()).toBe('')
  })

  test('is unknown where the shell prints without end', async () => {
    expect(
      await pathOf(
        shell('while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done'),
        60_000,
      ),
    ).toBeNull()
  })

  test.each(['/usr/bin/python3', '/nonexistent/bash', '', 'bash'])(
    'of the shell %j is unknown',
    async (file) => {
      expect(await pathOf(file)).toBeNull()
    },
  )

  test('is unknown where the shell fails', async () => {
    expect(await pathOf(shell('exit 1'))).toBeNull()
  })
})
