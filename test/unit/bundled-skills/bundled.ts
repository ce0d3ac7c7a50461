import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { onTestFinished } from 'vitest'

export const SKILLS_DIR = resolve(import.meta.dirname, '../../../resources/skills')

/** What one run of a script gave back. */
export type RunResult = { code: number; stdout: string; stderr: string }

/** One run: the script inside its skill, its arguments, the working folder and stdin. */
export type RunOptions = { args?: string[]; cwd: string; stdin?: string; env?: Record<string, string> }

export function skillNames(): string[] {
  return readdirSync(SKILLS_DIR, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
}

/** The frontmatter text and the body of one skill, cut at whole lines of three hyphens. */
export function readSkill(name: string): { frontmatter: string; body: string } {
  const lines = readFileSync(join(SKILLS_DIR, name, 'SKILL.md'), 'utf8').split('\n')
  const end = lines.indexOf('---', 1)
  if (lines[0] !== '---' || end < 0) throw new Error(`${name}: SKILL.md has no frontmatter`)
  return { frontmatter: lines.slice(1, end).join('\n'), body: lines.slice(end + 1).join('\n') }
}

/** All files of one skill, relative to its folder. */
export function filesOf(name: string): string[] {
  const root = join(SKILLS_DIR, name)
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

/** The targets of the relative Markdown links in a text, without those in code. */
export function relativeLinks(markdown: string): string[] {
  const prose = markdown.replace(/^ *```[\s\S]*?^ *```$/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)]
    .map((match) => match[1] ?? '')
    .filter((target) => !/^(?:[a-z]+:|#)/.test(target))
}

const INTERPRETERS: Record<string, string> = { sh: 'bash', py: 'python3', mjs: process.execPath }

/** Runs a script of a skill as the app would: by interpreter, arguments as a list, nearly empty environment. */
export function runScript(skill: string, script: string, options: RunOptions): Promise<RunResult> {
  const root = join(SKILLS_DIR, skill)
  const interpreter = INTERPRETERS[script.split('.').at(-1) ?? ''] ?? ''
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: options.cwd, SKILL_DIR: root, ...options.env }
  return new Promise((done) => {
    const child = execFile(
      interpreter,
      [join(root, script), ...(options.args ?? [])],
      { cwd: options.cwd, env, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) =>
        done({ code: error ? (typeof error.code === 'number' ? error.code : -1) : 0, stdout, stderr }),
    )
    // A script that ends without reading closes the pipe first.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(options.stdin ?? '')
  })
}

/** A new folder with these files, deleted after the test. */
export function folderWith(files: Record<string, string | Uint8Array>): string {
  const folder = mkdtempSync(join(tmpdir(), 'bundled-skills-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}
