import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createBench } from './harness'
import type { Bench } from './harness'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => bench.close())

describe('what a script in the sandbox can reach', () => {
  test('it writes to the project', async () => {
    const { run } = await bench.run('write.sh', 'mkdir -p sub && echo made > sub/file')
    expect(run.status).toBe('succeeded')
    expect(readFileSync(join(bench.workspace, 'sub/file'), 'utf8')).toBe('made\n')
  })

  test('nothing beside the project is written', async () => {
    const outside = join(bench.dir, 'outside')
    mkdirSync(outside)
    const { stdout } = await bench.run(
      'write.sh',
      `for place in ${outside}/x /etc/x /usr/x /x "$SKILL_DIR/x" /.sandbox/x ${bench.dataDir}/x ${bench.dir}/x; do
         ( : > "$place" ) 2>/dev/null && echo "$place"
       done; true`,
    )
    for (const place of [`${outside}/x`, '/etc/x', '/usr/x', `${bench.dataDir}/x`, `${bench.dir}/x`]) {
      expect(existsSync(place)).toBe(false)
    }
    expect(stdout).not.toContain('/usr/x')
    expect(stdout).not.toContain('/tool/x')
  })

  test('the home folder, passwords, the app’s data and other projects do not exist', async () => {
    writeFileSync(join(bench.dir, 'secret'), 'SECRET-TEXT')
    const home = process.env['HOME']
    const { stdout } = await bench.run(
      'read.sh',
      `cat ${bench.dir}/secret ${bench.dataDir}/satchel.db /etc/shadow ${home}/.ssh/id_rsa ${home}/.profile ${home}/.bashrc 2>/dev/null
       ls -A ${home} /home/user /root 2>/dev/null; cat /proc/1/environ | tr '\\0' '\\n'; true`,
    )
    expect(stdout).not.toMatch(/SECRET-TEXT|SQLite|root:|bashrc/)
  })

  test('the app’s data is hidden even where it lies in the project', async () => {
    const { stdout } = await bench.run(
      'read.sh',
      'cat data/satchel.db; echo evil > data/satchel.db; ls -1A data',
      {
        workspace: bench.dir,
      },
    )
    expect(stdout).toBe('satchel.db\n')
    expect(bench.db.sql.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(readFileSync(join(bench.dataDir, 'satchel.db'), 'latin1')).toContain('SQLite format')
  })

  test('what it has of its own can not be filled without end, and the rest takes nothing', async () => {
    const { stdout } = await bench.run(
      'fill.sh',
      `: > /x || : > /home/x || : > /dev/x || : > /.sandbox/x || echo closed
       for place in /run /dev/shm; do
         dd if=/dev/zero of=$place/x bs=1M count=400 2>/dev/null; [ $(stat -c %s $place/x) -lt 300000000 ] && echo bounded
         rm $place/x
       done
       echo own > /home/user/file && cat /home/user/file; echo null > /dev/null && df --output=size -BM /tmp | tail -1`,
    )
    expect(stdout).toMatch(/^closed\nbounded\nbounded\nown\n +1024M\n$/)
  })

  test('a link to the outside leads nowhere', async () => {
    writeFileSync(join(bench.dir, 'secret'), 'SECRET-TEXT')
    symlinkSync(join(bench.dir, 'secret'), join(bench.workspace, 'link'))
    symlinkSync('/etc/passwd', join(bench.workspace, 'passwd'))
    const before = readFileSync('/etc/passwd')
    const { run, stdout } = await bench.run('link.sh', 'echo x >> passwd; cat link')
    expect([run.exitCode, stdout]).toEqual([1, ''])
    expect(readFileSync('/etc/passwd').equals(before)).toBe(true)
  })

  test('the skill is read-only, so a script can not rewrite itself', async () => {
    const input = bench.script('self.sh', 'echo "echo EVIL" >> "$0"; rm -f "$0"; echo end')
    const { stdout } = await bench.execute(await bench.runs.planScript(input))
    expect(stdout).toBe('end\n')
    expect(readFileSync(bench.snapshotFile(input), 'utf8')).not.toContain('EVIL"\necho EVIL')
  })

  test('there is no network: a listener of this computer is not reached', async () => {
    let connections = 0
    const server = createServer(() => {
      connections += 1
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    const { stderr } = await bench.run(
      'net.sh',
      `exec 3<>/dev/tcp/127.0.0.1/${port} && echo sent >&3; cat /proc/net/dev >&2`,
    )
    await new Promise((done) => server.close(done))
    expect(connections).toBe(0)
    expect(stderr.match(/^\s*\w+:/gm)?.map((name) => name.trim())).toEqual(['lo:'])
  })

  test('it sees no process but its own and can not end others', async () => {
    const { stdout } = await bench.run(
      'kill.sh',
      `kill -9 ${process.pid} 2>/dev/null; ls /proc | grep -c '^[0-9]'`,
    )
    expect(Number(stdout)).toBeLessThan(8)
  })

  test('it can make no further namespace', async () => {
    const { run } = await bench.run('unshare.sh', 'unshare -Ur true')
    expect(run.status).toBe('failed')
  })

  test('it can not type into a terminal', async () => {
    const { stdout } = await bench.run(
      'tiocsti.pl',
      'my $c = "x"; print ioctl(STDOUT, 0x5412, $c) ? "typed\\n" : "refused\\n"',
    )
    expect(stdout).toBe('refused\n')
  })

  test('the environment holds nothing of the app', async () => {
    process.env['FAKE_API_KEY'] = 'leak'
    try {
      const { stdout } = await bench.run('env.pl', 'print join("\\n", sort keys %ENV), "\\n"', {
        env: { TOPIC: 'cats' },
      })
      expect(stdout.trim().split('\n')).toEqual([
        'CLAUDE_SKILL_DIR',
        'HOME',
        'LANG',
        'PATH',
        'PWD',
        'SATCHEL_RUN_ID',
        'SKILL_DIR',
        'SKILL_NAME',
        'TERM',
        'TMPDIR',
        'TOPIC',
      ])
    } finally {
      delete process.env['FAKE_API_KEY']
    }
  })

  test('the variables of a run are in no process list', async () => {
    const running = bench.run('wait.sh', 'echo ready; read -r line', {
      env: { TOPIC: 'hidden-value' },
      interactive: true,
    })
    await bench.seen(/ready/)
    const { descendantsOf } = await import('../../../../src/main/runs/process-tree')
    const lines = descendantsOf(process.pid).map((pid) =>
      existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '',
    )
    await bench.runs.kill(bench.claimed[0]!, true)
    await running
    expect(lines.filter((line) => line.includes('bwrap')).length).toBeGreaterThan(0)
    expect(lines.filter((line) => line.includes('hidden-value'))).toEqual([])
  })

  test('other active skills are there, read-only', async () => {
    const other = bench.script('other.sh', 'echo other')
    const mounts = [{ name: 'helper', treeDigest: other.skill.treeDigest }]
    const { stdout } = await bench.run(
      'use.sh',
      'bash /.sandbox/skills/helper/other.sh; ls -1 /.sandbox/skills',
      { mounts },
    )
    expect(stdout).toBe('other\nhelper\ntool\n')
  })

  test('a run starts in the folder that was named', async () => {
    mkdirSync(join(bench.workspace, 'a b'))
    const { stdout } = await bench.run('pwd.sh', 'pwd', { workdir: 'a b' })
    expect(stdout).toBe(`${bench.workspace}/a b\n`)
  })

  test.each([
    ['python', 'a.py', 'import sys; print(sys.argv[1:])', "['a b', '$(x)']\n"],
    ['node', 'a.js', 'console.log(JSON.stringify(process.argv.slice(2)))', '["a b","$(x)"]\n'],
    ['typescript', 'a.ts', 'const n: number = 1; console.log(n)', '1\n'],
    ['perl', 'a.pl', 'print join("|", @ARGV), "\\n"', 'a b|$(x)\n'],
    ['sh', 'a', '#!/bin/sh\necho "$1|$2"', 'a b|$(x)\n'],
  ])('%s runs with its arguments as they are', async (_name, path, text, want) => {
    expect((await bench.run(path, text, { args: ['a b', '$(x)'] })).stdout).toBe(want)
  })

  test('a text for bash runs as one text', async () => {
    const plan = await bench.runs.planShell({
      text: 'echo "$0" | tr a-z A-Z; echo "$SKILL_DIR."',
      env: {},
      workdir: undefined,
      stdin: null,
      interactive: false,
      timeoutMs: 10_000,
      mounts: [],
      workspace: bench.workspace,
    })
    expect((await bench.execute(plan)).stdout).toBe(`${plan.interpreter.path.toUpperCase()}\n.\n`)
  })
})

describe('protected paths of a project', () => {
  const git = () => {
    mkdirSync(join(bench.workspace, '.git/hooks'), { recursive: true })
    writeFileSync(join(bench.workspace, '.git/config'), '[core]\n')
  }

  test('nothing of .git can be changed', async () => {
    git()
    const { stdout } = await bench.run(
      'git.sh',
      `mkdir -p .git/modules/lib/hooks .git/worktrees/w
       for f in hooks/pre-commit config commondir config.worktree info/attributes modules/lib/config HEAD; do
         echo evil >> .git/$f && echo "wrote $f"
       done; true`,
    )
    expect(stdout).toBe('')
    expect(readdirSync(join(bench.workspace, '.git')).toSorted()).toEqual(['config', 'hooks'])
    expect(readFileSync(join(bench.workspace, '.git/config'), 'utf8')).toBe('[core]\n')
  })

  test('the folder around them can not be moved away', async () => {
    git()
    await bench.run('move.sh', 'mv .git old; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit')
    expect(existsSync(join(bench.workspace, '.git/hooks/pre-commit'))).toBe(false)
    expect(existsSync(join(bench.workspace, 'old'))).toBe(false)
  })

  const ABSENT = [
    '.git/hooks/pre-commit',
    '.git/config',
    '.vscode/settings.json',
    '.mcp.json',
    '.envrc',
    '.bashrc',
    '.claude/settings.json',
    '.satchel/skills/x/SKILL.md',
    '.zshenv',
    '.zlogin',
    '.bash_login',
    '.husky/pre-commit',
    'AGENTS.md',
    'CLAUDE.md',
    '.codex/config.toml',
    '.pre-commit-config.yaml',
    '.devcontainer/devcontainer.json',
  ]

  test('none of those that do not exist can be made, not even for a moment', async () => {
    const { stdout, stderr } = await bench.run(
      'make.sh',
      `for path; do
         mkdir -p "$(dirname "$path")"; echo evil > "$path" && echo "made $path"
         rm -rf "\${path%%/*}"; mv "\${path%%/*}" aside; [ -f "$path" ] && echo "made $path"
       done; ls -A; true`,
      { args: ABSENT },
    )
    expect(stdout).not.toMatch(/made|aside/)
    expect(stderr).not.toContain('[Satchel')
    expect(readdirSync(bench.workspace)).toEqual([])
  })

  test('they stay closed for a run that goes on when another one in the project ends', async () => {
    const running = bench.run('long.sh', 'echo ready; read -r line; echo evil > .envrc; ls -d .envrc/', {
      interactive: true,
    })
    await bench.seen(/ready/)
    await bench.run('short.sh', 'echo short')
    await bench.runs.input(bench.claimed[0]!, '\n')
    expect((await running).stdout).toMatch(/\.envrc\/\n$/)
    expect(readdirSync(bench.workspace)).toEqual([])
  })

  test('what a person puts there meanwhile stays, and is said', async () => {
    const running = bench.run('long.sh', 'echo ready; read -r line', { interactive: true })
    await bench.seen(/ready/)
    rmdirSync(join(bench.workspace, '.vscode'))
    mkdirSync(join(bench.workspace, '.vscode'))
    writeFileSync(join(bench.workspace, '.vscode/settings.json'), '{}')
    await bench.runs.input(bench.claimed[0]!, '\n')
    expect((await running).stderr).toMatch(/\[Satchel saw these being made .*: \.vscode\]/)
    expect(readFileSync(join(bench.workspace, '.vscode/settings.json'), 'utf8')).toBe('{}')
  })

  test('a run that can not start leaves nothing behind', async () => {
    const plan = await bench.runs.planScript(bench.script('a.sh', 'echo hello'))
    rmSync(join(bench.dataDir, 'snapshots'), { recursive: true })
    mkdirSync(join(bench.dataDir, 'snapshots', plan.skill!.treeDigest), { recursive: true })
    writeFileSync(join(bench.dataDir, 'snapshots', plan.skill!.treeDigest, 'only-script'), 'echo hello')
    expect((await bench.execute(plan)).run.status).toBe('failed')
    expect(readdirSync(bench.workspace)).toEqual([])
  })

  test('a run that makes none of them leaves the project as it was', async () => {
    await bench.run('hello.sh', 'echo hello')
    expect(readdirSync(bench.workspace)).toEqual([])
  })

  test('a link in the place of .git does not turn the clean-up against another project', async () => {
    const other = join(bench.dir, 'other')
    mkdirSync(join(other, 'hooks'), { recursive: true })
    writeFileSync(join(other, 'hooks/pre-commit'), 'mine')
    await bench.run('link.sh', `ln -s ${other} .git`)
    expect(readFileSync(join(other, 'hooks/pre-commit'), 'utf8')).toBe('mine')
    expect(lstatSync(join(bench.workspace, '.git'), { throwIfNoEntry: false })).toBeUndefined()
  })

  test('a link that stood at a protected path is put back', async () => {
    mkdirSync(join(bench.workspace, 'real'))
    symlinkSync('real', join(bench.workspace, '.vscode'))
    await bench.run('link.sh', 'rm .vscode; mkdir .vscode; echo evil > .vscode/tasks.json')
    expect(readlinkSync(join(bench.workspace, '.vscode'))).toBe('real')
  })

  test('a .git file, as a worktree has it, is read-only', async () => {
    writeFileSync(join(bench.workspace, '.git'), 'gitdir: /real\n')
    await bench.run('file.sh', 'echo "gitdir: evil" > .git; rm -f .git')
    expect(readFileSync(join(bench.workspace, '.git'), 'utf8')).toBe('gitdir: /real\n')
  })

  test('a hard link in the project does not open a protected file', async () => {
    git()
    linkSync(join(bench.workspace, '.git/config'), join(bench.workspace, 'alias'))
    const { run } = await bench.run('ln.sh', 'ln .git/config second')
    expect(run.status).toBe('failed')
  })

  test('a hard link that stood in the project before is read-only, and no other file is', async () => {
    git()
    mkdirSync(join(bench.workspace, 'deep/er'), { recursive: true })
    writeFileSync(join(bench.workspace, '.git/hooks/pre-push'), 'true\n')
    linkSync(join(bench.workspace, '.git/config'), join(bench.workspace, 'alias'))
    linkSync(join(bench.workspace, '.git/hooks/pre-push'), join(bench.workspace, 'deep/er/hook'))
    writeFileSync(join(bench.workspace, 'one'), '')
    linkSync(join(bench.workspace, 'one'), join(bench.workspace, 'two'))
    const { run } = await bench.run(
      'write.sh',
      'for f in alias deep/er/hook two; do echo evil >> $f; done; rm -f alias; mv deep/er/hook x; echo ok > deep/er/new',
    )
    expect(run.status).toBe('succeeded')
    expect(readFileSync(join(bench.workspace, '.git/config'), 'utf8')).toBe('[core]\n')
    expect(readFileSync(join(bench.workspace, '.git/hooks/pre-push'), 'utf8')).toBe('true\n')
    expect(readFileSync(join(bench.workspace, 'one'), 'utf8')).toBe('evil\n')
  })
})
