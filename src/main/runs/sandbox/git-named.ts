import { closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { AppError } from '@shared/errors'
import { isInside } from '../../lib/contain'
import { readGitConfig, type GitSetting } from '../../lib/git-config'
import { NOT_TEXT, refuseName } from './byte-names'
import { lookAt, stepsTo } from './steps'

/*
 * What git's settings lead to inside a project (SB-5): folders of hooks, files with more settings, programs and
 * filters. Who writes there writes what the person's next `git` starts. The settings are read, no git is started, and
 * more is taken than git would use: each file of the project that a setting names (ADR 0034).
 */

/** Places of one project, there or not, and files of settings, with more nothing runs; and characters of one of them. */
const MAX_PLACES = 20_000
const MAX_FILES = 10_000
const MAX_BYTES = 1_000_000
/** Words of one value. */
const MAX_WORDS = 100
/** Settings that variables hold. */
const MAX_COUNT = 1000

/** A whole folder counts, and what is not there yet. */
const PATHS = new Set([
  'core.hookspath',
  'core.attributesfile',
  'core.excludesfile',
  'include.path',
  'includeif.path',
  'init.templatedir',
])

/** Settings whose value git starts, or a shell for it. */
const COMMANDS =
  /^(?:core\.(?:fsmonitor|sshcommand|editor|pager|gitproxy|askpass|alternaterefscommand)|filter\..*|diff\.(?:command|textconv|external)|merge\.driver|gpg\..*|alias\..*|credential\.helper|sequence\.editor|(?:difftool|mergetool|man|browser)\.(?:cmd|path)|remote\.(?:uploadpack|receivepack|vcs)|uploadpack\..*|trailer\.(?:command|cmd)|interactive\.difffilter|submodule\.update|pager\..*|hook\.command|tar\.command|guitool\.cmd|lfs\..*|sendemail\..*|gc\.recentobjectshook|imap\.tunnel|instaweb\..*|web\.browser|svn\..*)$/

/** Names that git looks for in a folder of hooks; needed where that is the project itself. */
export const HOOKS =
  'applypatch-msg commit-msg fsmonitor-watchman post-applypatch post-checkout post-commit post-index-change post-merge post-receive post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase pre-receive prepare-commit-msg push-to-checkout reference-transaction sendemail-validate update'.split(
    ' ',
  )

interface Reading {
  workspace: string
  /** Settings of the files that were read; null: there is none. */
  files: Map<string, readonly GitSetting[] | null>
  /** Files that were taken for a repository, with its folder. */
  taken: Set<string>
  /** Real paths below the workspace, relative to it; links on the way too. */
  places: Set<string>
}

/** What counts in every repository. */
export interface OuterSettings {
  files: string[]
  settings: GitSetting[]
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Paths of the project, relative to it, that git's settings lead to, there or not. `found` are the protected places
 * below the root, among them the repositories; for each of them the `outer` settings count too.
 */
export function gitNamed(
  workspace: string,
  found: readonly string[],
  outer: OuterSettings = outerSettings([process.env]),
): string[] {
  const reading: Reading = { workspace, files: new Map(), taken: new Set(), places: new Set() }
  const gits = repositories(workspace, found)
  // Settings that are relative begin at the files of a repository; of one that has none, at itself.
  for (const top of new Set([
    workspace,
    ...gits.flatMap((git) => (isDotGit(git) ? dirname(git) : [git, dirname(git)])),
  ])) {
    const from = { folder: workspace, top, isWide: top === workspace }
    for (const file of outer.files) readFile(reading, file, from)
    for (const setting of outer.settings) take(reading, setting, from)
  }
  for (const git of gits) readRepository(reading, git, dirname(git))
  reading.places.delete('')
  reading.places.delete('HEAD')
  return [...reading.places]
}

/** Of the environments that the person's git may be started in: the app's own, and that of the login shell. */
export function outerSettings(environments: readonly Env[]): OuterSettings {
  return {
    files: [...new Set(environments.flatMap(outerFiles))],
    settings: environments.flatMap(settingsIn),
  }
}

/** Git's own, those that variables name, and that beside each git on the PATH. */
function outerFiles(env: Env): string[] {
  const { XDG_CONFIG_HOME: xdg, GIT_CONFIG_GLOBAL: global, GIT_CONFIG_SYSTEM: system } = env
  const beside = (env['PATH'] ?? '').split(':').filter(isAbsolute).flatMap(prefixesOf)
  const named = [global, system, xdg && join(xdg, 'git/config')].filter((file) => file && isAbsolute(file))
  const usual = [join(homedir(), '.gitconfig'), join(homedir(), '.config/git/config'), '/etc/gitconfig']
  const all = [...usual, ...named, ...beside.map((prefix) => join(prefix, 'etc/gitconfig'))]
  return all.filter((file) => file !== undefined)
}

/** Variables that stand for settings. */
const BY_VARIABLE: Readonly<Record<string, string>> = {
  GIT_SSH: 'core.sshcommand',
  GIT_SSH_COMMAND: 'core.sshcommand',
  GIT_PROXY_COMMAND: 'core.gitproxy',
  GIT_ASKPASS: 'core.askpass',
  GIT_EDITOR: 'core.editor',
  GIT_SEQUENCE_EDITOR: 'sequence.editor',
  GIT_PAGER: 'core.pager',
  GIT_EXTERNAL_DIFF: 'diff.external',
  GIT_TEMPLATE_DIR: 'init.templatedir',
}

/** Settings that variables hold: by their own names, and by `GIT_CONFIG_COUNT`. */
function settingsIn(env: Env): GitSetting[] {
  const own = Object.entries(BY_VARIABLE).map(([name, key]) => ({ key, value: env[name] ?? '' }))
  const count = Math.min(Number(env['GIT_CONFIG_COUNT']) || 0, MAX_COUNT)
  const counted = Array.from({ length: count }, (_, index) => {
    const parts = (env[`GIT_CONFIG_KEY_${index}`] ?? '').toLowerCase().split('.')
    return { key: `${parts[0]}.${parts.at(-1)}`, value: env[`GIT_CONFIG_VALUE_${index}`] ?? '' }
  })
  return [...own, ...counted].filter(({ value }) => value !== '')
}

/** Where a git in this folder was installed, also by a link to it. */
function prefixesOf(bin: string): string[] {
  const program = join(bin, 'git')
  try {
    return [dirname(bin), dirname(dirname(realpathSync(program)))]
  } catch {
    // There is none.
    return []
  }
}

/** That of the project or of a folder around it, and those below. */
function repositories(workspace: string, found: readonly string[]): string[] {
  const around: string[] = []
  for (let folder = workspace; ; folder = dirname(folder)) {
    if (lookAt(join(folder, '.git'))) around.push(join(folder, '.git'))
    if (around.length > 0 || folder === dirname(folder)) break
  }
  const below = found.flatMap((path) => {
    if (isDotGit(path)) return [join(workspace, path)]
    return basename(path) === 'HEAD' ? [join(workspace, dirname(path))] : []
  })
  return [...around, ...below]
}

function isDotGit(path: string): boolean {
  return /^(?:\.git|git~\d+)$/i.test(basename(path))
}

/** Its settings, also where its folder is elsewhere (worktrees, submodules). */
function readRepository(reading: Reading, git: string, top: string): void {
  const gitDir = ledTo(git, /^gitdir:\s*(.+)$/m) ?? git
  const common = ledTo(join(gitDir, 'commondir'), /^(.+)$/m)
  for (const folder of common === null ? [gitDir] : [gitDir, common]) {
    for (const name of ['config', 'config.worktree'])
      readFile(reading, join(folder, name), { top, isWide: true })
  }
}

/** The path that a small file names, relative to its folder; null: it is none. */
function ledTo(file: string, form: RegExp): string | null {
  const named = form.exec(textOf(file) ?? '')?.[1]?.trim()
  if (named?.includes(NOT_TEXT)) refuseName(file)
  return named ? resolve(dirname(file), named) : null
}

function readFile(reading: Reading, file: string, { top, isWide }: Omit<From, 'folder'>): void {
  const taken = `${file}\0${top}`
  if (reading.taken.has(taken)) return
  reading.taken.add(taken)
  const from = { folder: dirname(file), top, isWide }
  for (const setting of settingsOf(reading, file)) take(reading, setting, from)
}

function settingsOf({ files, workspace }: Reading, file: string): readonly GitSetting[] {
  const known = files.get(file)
  if (known !== undefined) return known ?? []
  if (files.size >= MAX_FILES) refuseMany(workspace)
  const text = textOf(file)
  const settings = text === null ? null : readGitConfig(text)
  files.set(file, settings)
  for (const { key, value } of settings ?? []) {
    if (value.includes(NOT_TEXT) && (PATHS.has(key) || isCommand({ key, value })))
      refuseName(`${file}: ${key}`)
  }
  return settings ?? []
}

function isCommand({ key, value }: GitSetting): boolean {
  return COMMANDS.test(key) && (!key.startsWith('alias.') || value.startsWith('!'))
}

/** Where a relative path may begin: the file of the settings, the files of its repository, the project. */
interface From {
  folder: string
  top: string
  /** Also a value that git does not start counts, if it is a file of the project. */
  isWide: boolean
}

function take(reading: Reading, setting: GitSetting, from: From): void {
  const bases = [...new Set([from.folder, from.top, reading.workspace])]
  if (PATHS.has(setting.key)) takePath(reading, setting, from, bases)
  else if (from.isWide || isCommand(setting)) takeWords(reading, setting, bases)
}

function takePath(reading: Reading, { key, value }: GitSetting, from: From, bases: readonly string[]): void {
  for (const path of pathsOf(value, bases)) {
    if (key.startsWith('include')) readFile(reading, path, from)
    if (!isInside(reading.workspace, path)) continue
    note(reading, path, true)
    if (key !== 'core.hookspath' || path !== reading.workspace) continue
    for (const hook of HOOKS) note(reading, join(path, hook), true)
  }
}

/** Of a setting that git doesn't start, only a value that is a file of the project counts. */
function takeWords(reading: Reading, setting: GitSetting, bases: readonly string[]): void {
  const { value } = setting
  const isRun = isCommand(setting)
  const words = isRun ? [value, ...wordsOf(value)] : [value]
  const inside = (word: string, from: readonly string[]) =>
    pathsOf(word, from).filter((path) => isInside(reading.workspace, path))
  const folders = isRun ? words.flatMap((word) => inside(word, bases)).filter(isFolder) : []
  for (const word of words) {
    const mayCome = isRun && /^\S*[/.]\S*$/.test(word)
    for (const place of inside(word, [...bases, ...folders.slice(0, 5)])) {
      if (!isFolder(place)) note(reading, place, mayCome)
    }
  }
}

/** The words of a command, without what a shell puts around them. */
function wordsOf(value: string): string[] {
  const words = value
    .split(/[\s'"`;|&()<>=$!{},]+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
  // What a shell puts before it: `$(git rev-parse --show-toplevel)/tools/x`.
  return [...words, ...words.filter((word) => /^\/[^/]/.test(word)).map((word) => word.slice(1))]
}

/** Where a path may lead to. */
function pathsOf(word: string, bases: readonly string[]): string[] {
  if (word === '' || word.length > 4096 || word.includes('\0')) return []
  const path = word.replace(/^:\(optional\)/, '')
  const plain = path.startsWith('~/') ? join(homedir(), path.slice(2)) : path
  return isAbsolute(plain) ? [plain] : [...new Set(bases.map((base) => resolve(base, plain)))]
}

/** Notes a place and every link on the way to it; what is not there only where it may come. */
function note({ workspace, places }: Reading, place: string, mayCome: boolean): void {
  if (!mayCome && !lookAt(place)) return
  for (const step of stepsTo(workspace, place)) {
    if (places.size >= MAX_PLACES) refuseMany(workspace)
    places.add(step)
  }
}

function refuseMany(path: string): never {
  throw new AppError(
    'sandbox_failed',
    "Git's settings name more files or places in this project than can be closed to a script. Nothing ran. Open a " +
      'folder inside it as the project, or set the sandbox to reading under Settings.',
    { path },
  )
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    // Not there.
    return false
  }
}

/** The beginning of a plain file; null: there is none that can be read. */
function textOf(path: string): string | null {
  try {
    if (!statSync(path).isFile()) return null
    const file = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(Math.min(fstatSync(file).size, MAX_BYTES))
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0))
    } finally {
      closeSync(file)
    }
  } catch {
    // Not there, or closed to the person and so to their git.
    return null
  }
}
