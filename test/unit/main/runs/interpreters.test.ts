import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sha256 } from '../../../../src/main/lib/hash'
import { createInterpreters } from '../../../../src/main/runs/interpreters'
import { DEFAULT_LIMITS } from '../../../../src/main/runs/limits'
import { installationPrefix } from '../../../../src/main/runs/workdir'
import { createBench } from './harness'

let dir: string
let bin: string
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'interpreters-')))
  bin = join(dir, 'tools/v1/bin')
  mkdirSync(bin, { recursive: true })
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

function program(path: string, text: string): string {
  writeFileSync(path, text)
  chmodSync(path, 0o755)
  return path
}

const find = (kind: 'node' | 'bash' | 'python3' | 'ruby', path: string, workspace = '/nonexistent') =>
  createInterpreters({ env: { PATH: path, HOME: '/nonexistent' } }).find(kind, workspace)

describe('finding an interpreter', () => {
  test('a program of the system is taken with its real path and version', async () => {
    const found = await find('bash', '/usr/bin')
    expect(found).toMatchObject({ name: 'bash', path: '/usr/bin/bash', prefixes: [] })
    expect(found.version).toMatch(/^\d+\.\d+/)
  })

  test('a missing one is said with its name', async () => {
    await expect(find('ruby', bin)).rejects.toMatchObject({
      code: 'no_interpreter',
      message: expect.stringContaining("Ruby (ruby) isn't installed"),
    })
  })

  test('a shim is asked for the program behind it', async () => {
    const shim = program(join(bin, 'node'), `#!/bin/sh\nexec ${process.execPath} "$@"\n`)
    const found = await find('node', bin)
    expect(found.path).toBe(realpathSync(process.execPath))
    expect(found.path).not.toBe(shim)
    expect(found.version).toBe(process.versions.node)
  })

  test.each(['mise', 'volta-shim', 'asdf'])(
    'a link to the version manager %s is asked, not taken for the program',
    async (manager) => {
      // As these managers do it: one program under many names, which looks at the name it was called with.
      const itself = program(join(dir, manager), `#!/bin/sh\nexec ${process.execPath} "$@"\n`)
      symlinkSync(itself, join(bin, 'node'))
      const found = await find('node', bin)
      expect(found.path).toBe(realpathSync(process.execPath))
    },
  )

  test('only the installation that a version manager chose is mounted, not what is around it', async () => {
    const version = join(dir, '.tools/versions/3.9/bin')
    mkdirSync(version, { recursive: true })
    const real = join(version, 'python3')
    copyFileSync('/usr/bin/true', real)
    program(join(bin, 'python3'), `#!/bin/sh\necho ${real}\n`)
    const { find: findAt } = createInterpreters({ env: { PATH: bin, HOME: dir } })
    expect(await findAt('python3', '/nonexistent')).toMatchObject({
      path: real,
      prefixes: [join(dir, '.tools/versions/3.9')],
    })
  })

  test('the digest is that of the file, and is taken anew when the file changed', async () => {
    const file = join(bin, 'lua')
    copyFileSync('/usr/bin/true', file)
    const interpreters = createInterpreters({ env: { PATH: bin, HOME: '/nonexistent' } })
    const found = await interpreters.find('lua', '/nonexistent')
    expect(found.sha256).toBe(sha256(readFileSync(file)))
    expect(await interpreters.verify(file, found.sha256)).toBe(true)
    const { atime, mtime } = statSync(file)
    writeFileSync(file, Buffer.concat([readFileSync('/usr/bin/true').subarray(1), Buffer.from('x')]))
    utimesSync(file, atime, mtime)
    expect(await interpreters.verify(file, found.sha256)).toBe(false)
  })

  test('the one set in Settings is used, whatever the PATH has', async () => {
    const mine = join(bin, 'my-perl')
    symlinkSync('/usr/bin/perl', mine)
    const chosen = { perl: mine }
    const interpreters = createInterpreters({ env: { PATH: '/usr/bin' }, chosen: () => chosen })
    expect((await interpreters.find('perl', '/nonexistent')).path).toBe(realpathSync('/usr/bin/perl'))
    chosen.perl = join(bin, 'gone')
    await expect(interpreters.find('perl', '/nonexistent')).rejects.toMatchObject({
      code: 'no_interpreter',
      message: expect.stringContaining('in Settings'),
    })
  })

  test('the table lists every row with what was found, and why nothing was', async () => {
    const rows = await createInterpreters({ env: { PATH: '/usr/bin' } }).list()
    expect(rows.map(({ kind }) => kind)).toContain('deno')
    expect(rows.find(({ kind }) => kind === 'bash')).toMatchObject({
      path: '/usr/bin/bash',
      extensions: ['.sh', '.bash'],
      problem: null,
    })
    expect(rows.find(({ kind }) => kind === 'pwsh')).toMatchObject({
      path: null,
      problem: expect.stringContaining("isn't installed"),
    })
  })

  test('the folders of the login shell come before those of the app', async () => {
    symlinkSync('/usr/bin/perl', join(bin, 'perl'))
    const interpreters = createInterpreters({ env: { PATH: '/nowhere' }, loginPath: async () => bin })
    expect((await interpreters.find('perl', '/nonexistent')).path).toBe(realpathSync('/usr/bin/perl'))
  })

  test('programs that npx and npm put in front are none of the person', async () => {
    const packages = join(bin, 'node_modules/.bin')
    mkdirSync(packages, { recursive: true })
    program(join(packages, 'perl'), '#!/bin/sh\nexit 0\n')
    const interpreters = createInterpreters({ env: { PATH: `${packages}:/usr/bin` } })
    expect((await interpreters.find('perl', '/nonexistent')).path).toBe(realpathSync('/usr/bin/perl'))
  })

  test('a shim that does not answer is passed over', async () => {
    program(join(bin, 'python3'), '#!/bin/sh\necho "version not set" >&2; exit 127\n')
    expect((await find('python3', `${bin}:/usr/bin`)).path).toMatch(/^\/usr\/bin\/python3/)
  })

  test('a shell script that calls itself bash is passed over', async () => {
    program(join(bin, 'bash'), '#!/bin/sh\nexit 0\n')
    expect((await find('bash', `${bin}:/usr/bin`)).path).toBe('/usr/bin/bash')
  })

  test('one inside the project is passed over', async () => {
    symlinkSync(process.execPath, join(bin, 'node'))
    const inside = realpathSync(process.execPath)
    await expect(find('node', bin, join(inside, '..'))).rejects.toMatchObject({ code: 'no_interpreter' })
  })

  test.each(['.', '', 'bin', './bin'])('the folder %j of the PATH is ignored', async (folder) => {
    await expect(find('bash', `${folder}:${bin}`)).rejects.toMatchObject({ code: 'no_interpreter' })
  })

  test('a file without the right to be executed is none', async () => {
    writeFileSync(join(bin, 'bash'), 'x')
    chmodSync(join(bin, 'bash'), 0o644)
    expect((await find('bash', `${bin}:/usr/bin`)).path).toBe('/usr/bin/bash')
  })

  test('outside the system exactly its installation is mounted', async () => {
    symlinkSync(process.execPath, join(bin, 'node'))
    const real = realpathSync(process.execPath)
    const found = await find('node', bin)
    expect(found.prefixes).toEqual(real.startsWith('/usr/') ? [] : [join(real, '../..')])
  })

  test('TypeScript needs a Node that strips types, and the version is said', async () => {
    const bench = createBench()
    const old = program(join(bin, 'real-node'), '#!/bin/sh\n')
    rmSync(old)
    try {
      const interpreters = {
        find: async () => ({
          name: 'node' as const,
          path: '/usr/bin/node',
          version: '20.18.1',
          sha256: 'a'.repeat(64),
          prefixes: [],
        }),
      }
      const { planScript } = await import('../../../../src/main/runs/plan')
      const { createBwrap } = await import('../../../../src/main/runs/sandbox/bwrap')
      const deps = {
        interpreters,
        backend: createBwrap('/usr/bin/bwrap', '1'),
        home: undefined,
        limits: DEFAULT_LIMITS,
        profile: 'workspace-write' as const,
        allowedHosts: null,
      }
      await expect(planScript(deps, bench.script('a.ts', 'const a: number = 1'))).rejects.toMatchObject({
        code: 'no_interpreter',
        message: expect.stringContaining('22.18'),
      })
    } finally {
      await bench.close()
    }
  })
})

describe('the installation of a program', () => {
  const home = () => dir
  test.each([
    ['tools/v1/bin/python3', 'tools/v1'],
    ['.pyenv/versions/3.11/bin/python3', '.pyenv/versions/3.11'],
    ['bin/python3', null],
    ['.local/bin/python3', null],
    ['tools/python3', null],
  ])('of ~/%s is ~/%s', (path, prefix) => {
    expect(installationPrefix(join(home(), path), home())).toBe(prefix === null ? null : join(home(), prefix))
  })

  test.each(['/opt/bin/x', '/bin/x', '/x'])('of %s is only itself', (path) => {
    expect(installationPrefix(path, home())).toBeNull()
  })
})
