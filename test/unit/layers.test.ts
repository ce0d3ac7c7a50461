import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

// The layer and size rules of .oxlintrc.json, each shown to catch a violation planted in a small tree. The linter looks
// at the tree once: each row below plants a file of its own, and nothing imports a planted file.
const project = resolve(import.meta.dirname, '../..')
const oxlint = join(project, 'node_modules', '.bin', 'oxlint')

/** One file per layer, each importing only what stands below it. */
const soundTree: Record<string, string> = {
  'src/shared/names.ts': "export const name = 'satchel'\n",
  'src/main/lib/ids.ts': "import { name } from '../../shared/names'\nexport const id = `${name}-1`\n",
  'src/main/db/open.ts':
    "import Database from 'better-sqlite3'\nexport const open = () => new Database(':memory:')\n",
  'src/main/audit/audit.ts': "import { open } from '../db/open'\nexport const append = () => open()\n",
  'src/main/skills/registry.ts':
    "import { append } from '../audit/audit'\nexport const load = () => append()\n",
  'src/main/approvals/broker.ts':
    "import { append } from '../audit/audit'\nexport const ask = () => append()\n",
  'src/main/runs/pty.ts':
    "import { spawn } from 'node-pty'\nexport const start = () => spawn('sh', [], {})\n",
  'src/main/llm/types.ts': "import { id } from '../lib/ids'\nexport const model = id\n",
  'src/main/editing/save.ts': "import { append } from '../audit/audit'\nexport const save = () => append()\n",
  'src/main/search/fts.ts': "import { open } from '../db/open'\nexport const find = () => open()\n",
  'src/main/sessions/turn.ts':
    "import { load } from '../skills/registry'\nimport { start } from '../runs/pty'\n" +
    'export const turn = () => [load(), start()]\n',
  'src/main/electron/window.ts':
    "import { BrowserWindow } from 'electron'\nexport const show = () => new BrowserWindow()\n",
  'src/main/app.ts': "import { turn } from './sessions/turn'\nexport const createApp = () => turn()\n",
  'src/main/policy/policy.ts':
    "import { append } from '../audit/audit'\nexport const policy = () => append()\n",
  'src/main/arranging/service.ts':
    "import { append } from '../audit/audit'\nexport const arrange = () => append()\n",
  'src/main/agents/registry.ts': "import { id } from '../lib/ids'\nexport const agents = id\n",
  'src/main/workspace/place.ts': "import { id } from '../lib/ids'\nexport const place = id\n",
  'src/main/app/record.ts':
    "import { append } from '../audit/audit'\nimport { load } from '../skills/registry'\n" +
    'export const record = () => [append(), load()]\n',
  'src/cli/main.ts': "import { createApp } from '../main/app'\nexport const run = () => createApp()\n",
  'src/preload/index.ts': "import { ipcRenderer } from 'electron'\nexport const port = ipcRenderer\n",
  'src/renderer/main.tsx': "import { name } from '../shared/names'\nexport const title = name\n",
}

type Finding = { file: string; rule: string; message: string }

/** Imports something that is really used, so that nothing but the rule in question can complain. */
const importing = (source: string) => `import * as other from '${source}'\nexport const used = other\n`

const statements = (count: number) => Array.from({ length: count }, (_, n) => `  list.push(${n})`).join('\n')

const restricted = 'eslint(no-restricted-imports)'

/** What it is, the file, the import in it, and what is said of it. */
const forbidden = planted([
  ['lib imports db', 'src/main/lib/planted.ts', '../db/open', 'may not import this layer'],
  ['lib imports app', 'src/main/lib/planted.ts', '../app', 'stands below app and handlers'],
  ['db imports audit', 'src/main/db/planted.ts', '../audit/audit', 'may not import this layer'],
  ['audit imports skills', 'src/main/audit/planted.ts', '../skills/registry', 'may not import this layer'],
  [
    'skills import their peer approvals',
    'src/main/skills/planted.ts',
    '../approvals/broker',
    'may not import',
  ],
  ['approvals import their peer runs', 'src/main/approvals/planted.ts', '../runs/pty', 'may not import'],
  ['runs import their peer skills', 'src/main/runs/planted.ts', '../skills/registry', 'may not import'],
  ['llm imports its peer search', 'src/main/llm/planted.ts', '../search/fts', 'may not import'],
  ['search imports its peer llm', 'src/main/search/planted.ts', '../llm/types', 'may not import'],
  [
    'projects import their peer skills',
    'src/main/projects/planted.ts',
    '../skills/registry',
    'may not import',
  ],
  ['settings import their peer llm', 'src/main/settings/planted.ts', '../llm/types', 'may not import'],
  ['undo imports its peer runs', 'src/main/undo/planted.ts', '../runs/pty', 'may not import'],
  ['editing imports its peer skills', 'src/main/editing/planted.ts', '../skills/registry', 'may not import'],
  ['skills import editing', 'src/main/skills/planted.ts', '../editing/save', 'may not import'],
  [
    'arranging imports its peer skills',
    'src/main/arranging/planted.ts',
    '../skills/registry',
    'may not import',
  ],
  ['arranging imports its peer undo', 'src/main/arranging/planted.ts', '../undo/undo', 'may not import'],
  ['skills import arranging', 'src/main/skills/planted.ts', '../arranging/service', 'may not import'],
  ['policy imports its peer skills', 'src/main/policy/planted.ts', '../skills/registry', 'may not import'],
  ['skills import the policy', 'src/main/skills/planted.ts', '../policy/policy', 'may not import'],
  ['sessions import the command', 'src/main/sessions/planted.ts', '../../cli/main', 'may not import'],
  [
    'the command imports the electron folder',
    'src/cli/planted.ts',
    '../main/electron/window',
    'free of Electron',
  ],
  ['the command imports better-sqlite3', 'src/cli/planted.ts', 'better-sqlite3', 'only in src/main/db'],
  ['skills import sessions', 'src/main/skills/planted.ts', '../sessions/turn', 'may not import'],
  [
    'sessions import the electron folder',
    'src/main/sessions/planted.ts',
    '../electron/window',
    'may not import',
  ],
  ['sessions import app', 'src/main/sessions/planted.ts', '../app', 'stands below app'],
  ['llm imports a part of the app', 'src/main/llm/planted.ts', '../app/record', 'stands below app'],
  ['agents import their peer skills', 'src/main/agents/planted.ts', '../skills/registry', 'may not import'],
  ['workspace imports its peer runs', 'src/main/workspace/planted.ts', '../runs/pty', 'may not import'],
  ['skills import their peer agents', 'src/main/skills/planted.ts', '../agents/registry', 'may not import'],
  [
    'the electron folder imports skills',
    'src/main/electron/planted.ts',
    '../skills/registry',
    'takes handlers',
  ],
  ['app imports the electron folder', 'src/main/app.ts', './electron/window', 'free of Electron'],
  [
    'sessions import the electron package',
    'src/main/sessions/planted.ts',
    'electron',
    'only in src/main/electron',
  ],
  ['a part of the app imports electron', 'src/main/app/planted.ts', 'electron', 'only in src/main/electron'],
  ['handlers import the electron package', 'src/main/handlers.ts', 'electron', 'only in src/main/electron'],
  ['skills import node-pty', 'src/main/skills/planted.ts', 'node-pty', 'only in src/main/runs/pty.ts'],
  ['audit imports better-sqlite3', 'src/main/audit/planted.ts', 'better-sqlite3', 'only in src/main/db'],
  [
    'skills start processes',
    'src/main/skills/planted.ts',
    'node:child_process',
    'processes are started only',
  ],
  [
    'main imports the renderer',
    'src/main/sessions/planted.ts',
    '../../renderer/main',
    'never imports the renderer',
  ],
  ['shared imports a Node module', 'src/shared/planted.ts', 'node:fs', 'no Node or Electron'],
  ['shared imports main', 'src/shared/planted.ts', '../main/lib/ids', 'nothing above it'],
  ['shared imports react', 'src/shared/planted.ts', 'react', 'nothing above it'],
  ['the renderer imports a Node module', 'src/renderer/planted.ts', 'node:path', 'no Node or Electron'],
  ['the renderer imports electron', 'src/renderer/planted.ts', 'electron', 'no Node or Electron'],
  ['the renderer imports main', 'src/renderer/planted.ts', '../main/lib/ids', 'through shared/ipc only'],
  ['the renderer imports preload', 'src/renderer/planted.ts', '../preload/index', 'through shared/ipc only'],
  ['preload imports main', 'src/preload/planted.ts', '../main/lib/ids', 'electron and shared only'],
  ['preload imports a Node module', 'src/preload/planted.ts', 'node:fs', 'electron and shared only'],
])

/** What it is, the file, its text, and the rule that is broken. */
const odd = planted([
  [
    'a function is longer than 60 lines',
    'src/shared/planted.ts',
    `export function planted(list: number[]) {\n${statements(61)}\n}\n`,
    'eslint(max-lines-per-function)',
  ],
  [
    'a file is longer than 350 lines',
    'src/shared/planted.ts',
    Array.from({ length: 351 }, (_, n) => `export const n${n} = ${n}\n`).join(''),
    'eslint(max-lines)',
  ],
  [
    'a function is too complex',
    'src/shared/planted.ts',
    `export function planted(n: number, list: number[]) {\n${Array.from({ length: 12 }, (_, i) => `  if (n > ${i}) list.push(${i})\n`).join('')}}\n`,
    'eslint(complexity)',
  ],
  [
    'a function takes five parameters',
    'src/shared/planted.ts',
    'export const planted = (a: number, b: number, c: number, d: number, e: number) => a + b + c + d + e\n',
    'eslint(max-params)',
  ],
  [
    'a type is any',
    'src/shared/planted.ts',
    'export const planted = (value: any) => String(value)\n',
    'typescript(no-explicit-any)',
  ],
  [
    'a catch is empty',
    'src/shared/planted.ts',
    'export function planted() {\n  try {\n    JSON.parse("")\n  } catch {}\n}\n',
    'eslint(no-empty)',
  ],
  [
    'something is exported as default',
    'src/shared/planted.ts',
    'const planted = 1\nexport default planted\n',
    'import(no-default-export)',
  ],
  [
    'raw HTML is set through React',
    'src/renderer/planted.tsx',
    "export const Planted = () => <p dangerouslySetInnerHTML={{ __html: '' }} />\n",
    'react(no-danger)',
  ],
])

const allowed: Record<string, string> = {
  'src/shared/long.ts': `export function planted(list: number[]) {\n${statements(58)}\n}\n`,
  'src/shared/file.ts': Array.from({ length: 350 }, (_, n) => `export const n${n} = ${n}\n`).join(''),
}

const circle: Record<string, string> = {
  'src/shared/one.ts': "import { two } from './two'\nexport const one = () => two()\n",
  'src/shared/two.ts': "import { one } from './one'\nexport const two = (): unknown => one()\n",
}

let tree: string
let findings: Finding[]

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'satchel-layers-'))
  copyFileSync(join(project, '.oxlintrc.json'), join(tree, '.oxlintrc.json'))
  const imports = forbidden.map(([, file, source]) => [file, `${soundTree[file] ?? ''}${importing(source)}`])
  const texts = odd.map(([, file, text]) => [file, text])
  write({ ...soundTree, ...Object.fromEntries([...imports, ...texts]), ...allowed, ...circle })
  findings = lint()
})
afterAll(() => rmSync(tree, { recursive: true, force: true }))

test('nothing is said of files that keep the rules', () => {
  const wrong = new Set([...forbidden, ...odd].map(([, file]) => file).concat(Object.keys(circle)))
  expect(findings.filter(({ file }) => !wrong.has(file))).toEqual([])
})

test.each(forbidden)('it is caught when %s', (_name, file, _source, message) => {
  const found = findings.filter((finding) => finding.file === file && finding.rule === restricted)
  expect(found).toEqual([{ file, rule: restricted, message: expect.stringContaining(message) }])
})

test.each(odd)('it is caught when %s', (_name, file, _text, rule) => {
  expect(findings.filter((finding) => finding.file === file).map((finding) => finding.rule)).toContain(rule)
})

test('it is caught when files import each other in a circle', () => {
  const rules = findings.filter(({ file }) => file in circle).map(({ rule }) => rule)
  expect(rules.length).toBeGreaterThan(0)
  expect(new Set(rules)).toEqual(new Set(['import(no-cycle)']))
})

/** Gives each file called "planted" a name of its own. */
function planted(rows: [string, string, string, string][]): typeof rows {
  return rows.map(([name, file, ...others]) => [
    name,
    file.replace('planted.', `${name.replaceAll(' ', '-')}.`),
    ...others,
  ])
}

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, name)), { recursive: true })
    writeFileSync(join(tree, name), text)
  }
}

function lint(): Finding[] {
  const { stdout, stderr } = spawnSync(oxlint, ['--format=json', 'src'], { cwd: tree, encoding: 'utf8' })
  const report = JSON.parse(stdout || '{}')
  if (!Array.isArray(report.diagnostics)) throw new Error(`oxlint gave no report: ${stdout}${stderr}`)
  return report.diagnostics.map(
    (found: { filename: string; code: string; message: string; help?: string }) => ({
      file: found.filename,
      rule: found.code,
      message: `${found.message} ${found.help ?? ''}`,
    }),
  )
}
