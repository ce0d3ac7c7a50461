import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openDb } from '../../../../src/main/db/open'
import type { Db } from '../../../../src/main/db/open'
import type { Log } from '../../../../src/main/lib/log'
import { createStore } from '../../../../src/main/skills/store/store'
import type { Store } from '../../../../src/main/skills/store/store'
import type { RootSpec, SkillRecord } from '../../../../src/main/skills/record'

/** Something to undo when the test ends, whatever its result; what was done last is undone first. */
export function later(cleanup: () => void | Promise<void>): void {
  onTestFinished(cleanup)
}

/** An empty folder that is deleted after the test; a real path. */
export function tempDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-test-')))
  later(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

export function openTestDb(dir: string): Db {
  const db = openDb(join(dir, 'satchel.db'))
  later(() => db.close())
  return db
}

export function write(path: string, content: string | Uint8Array, mode = 0o644): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  chmodSync(path, mode)
  return path
}

/** A skill folder; `extra` is further frontmatter. */
export function makeSkill(
  dir: string,
  name: string,
  files: Record<string, string> = {},
  extra: Record<string, string | number> = {},
): string {
  const fields = { name, description: `Does ${name}.`, ...extra }
  const yaml = Object.entries(fields).map(([key, value]) => `${key}: ${value}`)
  write(join(dir, 'SKILL.md'), `---\n${yaml.join('\n')}\n---\n\n# ${name}\n`)
  for (const [path, content] of Object.entries(files)) write(join(dir, path), content)
  return dir
}

/** A folder of personal skills, unless changed. */
export function rootFor(dir: string, change: Partial<RootSpec> = {}): RootSpec {
  return {
    dir,
    scope: 'personal',
    sharedIn: null,
    projectDir: null,
    containIn: null,
    label: '~/.satchel/skills',
    nearness: 0,
    readOnly: false,
    tool: null,
    plugin: null,
    mountedAs: null,
    ...change,
  }
}

/** A record as a scan would give it, for what only needs its place. */
export function recordFor(rootDir: string, change: Partial<SkillRecord> = {}): SkillRecord {
  return {
    key: `personal:${rootDir}`,
    name: 'sample',
    description: 'A sample.',
    scope: 'personal',
    rootDir,
    folder: 'sample',
    skillMd: join(rootDir, 'SKILL.md'),
    location: '~/.satchel/skills/sample',
    projectDir: null,
    sharedIn: null,
    root: rootFor(dirname(rootDir)),
    label: '',
    tags: [],
    allowedTools: [],
    author: undefined,
    license: undefined,
    requires: [],
    disableModelInvocation: false,
    userInvocable: true,
    priority: 0,
    availableTo: null,
    parent: null,
    tokens: { catalogue: 1, body: 1, files: 0 },
    scripts: 0,
    files: 1,
    changedAt: 0,
    stamp: '',
    problems: 0,
    brokenReason: '',
    broken: false,
    byHand: false,
    unread: false,
    ...change,
  }
}

export const silentLog: Log = { info() {}, warn() {}, error() {} }

/** Looks again and again until the condition holds; fails with `what` after the deadline. */
export async function until(what: string, condition: () => boolean, deadlineMs = 10_000): Promise<void> {
  const end = performance.now() + deadlineMs
  while (!condition()) {
    if (performance.now() > end) throw new Error(`never happened: ${what}`)
    await new Promise((resolve) => {
      setTimeout(resolve, 5)
    })
  }
}

/** A skill with a reference and a script, and a store to copy it into. */
export function sampleStore(): { dataDir: string; dir: string; store: Store } {
  const base = tempDir()
  const dir = makeSkill(join(base, 'sample'), 'sample', { 'references/guide.md': 'Guide\n' })
  write(join(dir, 'scripts/run.py'), 'print(1)\n', 0o755)
  return { dataDir: join(base, 'data'), dir, store: createStore({ dataDir: join(base, 'data') }) }
}

/** A named pipe: whoever opens it without care waits for ever. */
export function makeFifo(path: string): void {
  const program = 'mkfifo'
  execFileSync(program, [path])
}
