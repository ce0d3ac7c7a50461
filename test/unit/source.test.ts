import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { NO_WORDS, looseWords } from '../helpers/loose-words'

// What must not stand in src/ and no lint rule of ours catches. Comment lines may speak of it.
type Ban = { name: string; pattern: RegExp; allowedIn?: readonly string[] }

const bans: readonly Ban[] = [
  { name: 'dangerouslySetInnerHTML', pattern: /dangerouslySetInnerHTML/ },
  { name: 'innerHTML', pattern: /\b(inner|outer)HTML\b|\binsertAdjacentHTML\b/ },
  { name: 'executeJavaScript', pattern: /executeJavaScript/ },
  { name: 'a shell', pattern: /\bshell\s*:\s*(true|['"`])/ },
  {
    name: 'exec',
    pattern: /import\s*\{[^}]*\bexec(Sync)?\b[^}]*\}\s*from\s*['"](node:)?child_process['"]/,
  },
  { name: 'exec', pattern: /\b(child_?process|cp|proc)['\x22]?\)?\s*\.\s*exec(Sync)?\s*\(/i },
  { name: 'eval', pattern: /\beval\s*\(|\bnew\s+Function\s*\(/ },
  { name: 'bidi control characters', pattern: /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/ },
  {
    name: 'ipcMain or ipcRenderer',
    pattern: /\bipc(Main|Renderer)\b/,
    allowedIn: ['src/main/electron/ipc-port.ts', 'src/preload/index.ts'],
  },
  {
    name: 'openExternal',
    pattern: /\bshell\s*(\?\.|\.|\[\s*['"])\s*openExternal\b|\{[^}]*\bopenExternal\b[^}]*\}\s*=\s*shell\b/,
    // desktop.ts hands it to the checks of open-external.ts and to nothing else.
    allowedIn: ['src/main/electron/open-external.ts', 'src/main/electron/desktop.ts'],
  },
  {
    name: 'a link from outside',
    pattern: /\bsetAsDefaultProtocolClient\b|['"`]open-(?:url|file)['"`]/,
  },
  // /home/user is the home that scripts see in the sandbox, on every machine.
  {
    name: 'a home path',
    pattern: /['"`](\/home\/(?!user['\x22`])[\w.-]+|\/Users\/[\w.-]+|\/root\/|[A-Z]:\\\\Users\\\\)/,
  },
]

/** The names of the bans that `text`, the content of `file`, breaks. */
function violations(file: string, text: string): string[] {
  const code = withoutCommentLines(text)
  const broken = bans.filter(({ pattern, allowedIn }) => !allowedIn?.includes(file) && pattern.test(code))
  // Hidden characters deceive in comments as well.
  const hidden = bans.filter(({ name, pattern }) => name.startsWith('bidi') && pattern.test(text))
  return [...new Set([...broken, ...hidden].map(({ name }) => name))]
}

/** Drops lines that are nothing but comment. Code after a comment on the same line stays. */
function withoutCommentLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*(\/\/|\*(\s|\/?$)|\/\*((?!\*\/).)*(\*\/\s*)?$)/.test(line))
    .join('\n')
}

const root = resolve(import.meta.dirname, '../..')
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((name) => join('src', name).replaceAll('\\', '/'))
  .filter((name) => /\.(ts|tsx|css|html|sql)$/.test(name))

test('there are sources to look at', () => {
  expect(sources.length).toBeGreaterThan(20)
})

test.each(sources)('%s holds nothing that is banned', (file) => {
  expect(violations(file, readFileSync(join(root, file), 'utf8'))).toEqual([])
})

const shown = sources.filter((file) => /^src\/renderer\/.*\.tsx?$/.test(file))

test.each(shown)('%s shows no words but those of the catalogue', (file) => {
  const allowed = NO_WORDS[file.replace('src/renderer/', '')] ?? []
  const loose = looseWords(file, readFileSync(join(root, file), 'utf8'))
  const found = loose.filter(({ words }) => !allowed.includes(words))
  // A text stands in the strings.ts of its area, inside of defineStrings.
  expect(found.map(({ line, words }) => `${line}: ${words}`)).toEqual([])
})

const somewhere = 'src/main/sessions/turn/turn.ts'

test.each([
  ['<p dangerouslySetInnerHTML={{ __html: x }} />', 'dangerouslySetInnerHTML'],
  ['element.innerHTML = x', 'innerHTML'],
  ["element['innerHTML'] = x", 'innerHTML'],
  ['element.outerHTML = x', 'innerHTML'],
  ["element.insertAdjacentHTML('beforeend', x)", 'innerHTML'],
  ['window.webContents.executeJavaScript(x)', 'executeJavaScript'],
  ["spawn('sh', { shell: true })", 'a shell'],
  ["spawn('sh', { shell: '/bin/sh' })", 'a shell'],
  ["import { exec } from 'node:child_process'", 'exec'],
  ["import {\n  spawn,\n  execSync,\n} from 'child_process'", 'exec'],
  ["import { exec as run } from 'node:child_process'", 'exec'],
  ['childProcess.exec(x)', 'exec'],
  ["require('node:child_process').execSync(x)", 'exec'],
  ['child_process.exec (x)', 'exec'],
  ['const y = eval(x)', 'eval'],
  ["const f = new Function('return 1')", 'eval'],
  ["const name = 'a\u202egnp.exe'", 'bidi control characters'],
  ['// a comment with \u2066 in it', 'bidi control characters'],
  ["import { ipcMain } from 'electron'", 'ipcMain or ipcRenderer'],
  ['ipcRenderer.send(x)', 'ipcMain or ipcRenderer'],
  ['shell.openExternal(url)', 'openExternal'],
  ["shell['openExternal'](url)", 'openExternal'],
  ['const { openExternal } = shell', 'openExternal'],
  ["app.setAsDefaultProtocolClient('satchel')", 'a link from outside'],
  ["app.on('open-url', (event, url) => open(url))", 'a link from outside'],
  ["const folder = '/home/someone/skills'", 'a home path'],
  ['const folder = `/Users/someone/skills`', 'a home path'],
  ['const folder = "/root/x"', 'a home path'],
  ["const folder = 'C:\\\\Users\\\\someone'", 'a home path'],
  ['/* harmless */ element.innerHTML = x', 'innerHTML'],
  ['a = 1 // fine\nelement.innerHTML = x', 'innerHTML'],
])('%j is caught', (text, name) => {
  expect(violations(somewhere, text)).toEqual([name])
})

test.each([
  'const match = /a/.exec(text)',
  'pattern.exec(text)',
  "db.exec('create table a (b)')",
  "import { execFile, spawn } from 'node:child_process'",
  '// model text never becomes innerHTML',
  '/** Drawn without innerHTML, and eval( is banned. */',
  '/**\n * No ipcMain here.\n */',
  'const shell = true',
  "const evaluate = (x: string) => x\nevaluate('1')",
  "join(homeDir, '.satchel')",
  "const route = '/home'",
  "const sandboxHome = '/home/user'",
  "await client.call('desktop.openExternal', { url })",
])('%j is no violation', (text) => {
  expect(violations(somewhere, text)).toEqual([])
})

test('a second start, by a link or a file, only shows the window: nothing of what it was given is read', () => {
  const text = sources.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
  const listeners = text.match(/['"`]second-instance['"`],?[^\n]*/g) ?? []
  expect(listeners).toEqual(["'second-instance', () => window.show())"])
})

test('what Electron opens outside goes through the checks of open-external.ts', () => {
  const text = readFileSync(join(root, 'src/main/electron/desktop.ts'), 'utf8')
  const uses = text.match(/\bshell\.openExternal\b/g) ?? []
  const checked = text.match(/createOpenExternal\(\{ open: \(url\) => shell\.openExternal\(url\)/g) ?? []
  expect(uses.length).toBe(checked.length)
})

test.each([
  ['src/main/electron/ipc-port.ts', 'ipcMain.on(x)', 'src/main/electron/window.ts', 'ipcMain or ipcRenderer'],
  ['src/preload/index.ts', 'ipcRenderer.on(x)', 'src/renderer/main.tsx', 'ipcMain or ipcRenderer'],
  [
    'src/main/electron/open-external.ts',
    'shell.openExternal(x)',
    'src/main/electron/menu.ts',
    'openExternal',
  ],
])('only %s may hold %s', (allowed, text, other, name) => {
  expect(violations(allowed, text)).toEqual([])
  expect(violations(other, text)).toEqual([name])
})
