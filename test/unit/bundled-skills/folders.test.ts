import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseDocument, visit } from 'yaml'
import { filesOf, folderWith, readSkill, relativeLinks, runScript, SKILLS_DIR, skillNames } from './bundled'

const SPEC_FIELDS = ['allowed-tools', 'compatibility', 'description', 'license', 'metadata', 'name']
const names = skillNames()

function frontmatterOf(name: string): Record<string, unknown> {
  return parseDocument(readSkill(name).frontmatter).toJS() as Record<string, unknown>
}

function scriptsOf(name: string): string[] {
  return filesOf(name).filter((path) => path.startsWith(`scripts${sep}`))
}

function scriptMentions(body: string): string[] {
  return [...body.matchAll(/(?<![\w./-])scripts\/[\w.-]+\w/g)].map((match) => match[0])
}

describe('the folder of bundled skills', () => {
  it('holds at least five skills', () => {
    expect(names.length).toBeGreaterThanOrEqual(5)
  })

  it('holds a skill with a Bash, one with a Python and one with a Node script', () => {
    const endings = new Set(names.flatMap(scriptsOf).map((path) => path.split('.').at(-1)))
    expect(endings).toEqual(new Set(['sh', 'py', 'mjs']))
  })

  it('holds a skill with at least five references', () => {
    const counts = names.map((name) => filesOf(name).filter((p) => p.startsWith(`references${sep}`)).length)
    expect(Math.max(...counts)).toBeGreaterThanOrEqual(5)
  })

  it('is not named anywhere in the source', () => {
    const src = resolve(SKILLS_DIR, '../../src')
    const naming = readdirSync(src, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|css|html)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => names.some((name) => readFileSync(file, 'utf8').includes(name)))
    expect(naming).toEqual([])
  })
})

describe.each(names)('the bundled skill %s', (name) => {
  it('has frontmatter that any YAML reader takes, the strict one included', () => {
    const { frontmatter } = readSkill(name)
    const document = parseDocument(frontmatter)
    expect([...document.errors, ...document.warnings]).toEqual([])
    // The reference validator cuts at every "---" and refuses flow style, anchors and tags.
    expect(frontmatter).not.toContain('---')
    visit(document, {
      Alias: () => expect.unreachable('alias'),
      Collection: (_key, node) => expect(node.flow ?? false).toBe(false),
      Node: (_key, node) => expect('anchor' in node ? node.anchor : undefined).toBeUndefined(),
    })
  })

  it('uses only fields of the standard, all of them text', () => {
    const fields = frontmatterOf(name)
    expect(Object.keys(fields).filter((key) => !SPEC_FIELDS.includes(key))).toEqual([])
    for (const key of SPEC_FIELDS.filter((k) => k !== 'metadata' && k in fields)) {
      expect(fields[key]).toBeTypeOf('string')
    }
    for (const value of Object.values(fields['metadata'] ?? {})) expect(value).toBeTypeOf('string')
  })

  it('is named like its folder', () => {
    expect(frontmatterOf(name)['name']).toBe(name)
    expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  })

  it('says in its description what it does and when to use it, within the limit', () => {
    const description = String(frontmatterOf(name)['description'])
    expect(description).toMatch(/^[A-Z].{40,}\. Use when .{40,}\.$/)
    expect(description.length).toBeLessThanOrEqual(1024)
  })

  it('has a body that is short and not empty', () => {
    const lines = readSkill(name).body.trim().split('\n')
    expect(lines.length).toBeGreaterThan(20)
    expect(lines.length).toBeLessThan(200)
  })

  it('links only to its own files', () => {
    const root = join(SKILLS_DIR, name)
    const pages = filesOf(name).filter((path) => path.endsWith('.md'))
    const broken = pages.flatMap((page) =>
      relativeLinks(readFileSync(join(root, page), 'utf8'))
        .map((link) => resolve(root, dirname(page), link))
        .filter((target) => !target.startsWith(root + sep) || !existsSync(target)),
    )
    expect(broken).toEqual([])
  })

  it('links every reference from the body, the first link being one', () => {
    const links = relativeLinks(readSkill(name).body)
    expect(links[0]).toMatch(/^references\//)
    expect(filesOf(name).filter((p) => p.startsWith(`references${sep}`) && !links.includes(p))).toEqual([])
  })

  it('names in its body exactly the scripts that it has', () => {
    expect([...new Set(scriptMentions(readSkill(name).body))].sort()).toEqual(scriptsOf(name))
  })

  it('passes the check for skills that comes with the app without a warning', async () => {
    const args = [join(SKILLS_DIR, name)]
    const result = await runScript('skill-creator', 'scripts/check_skill.py', { args, cwd: folderWith({}) })
    expect(result).toEqual({ code: 0, stdout: '0 errors, 0 warnings in 1 skill.\n', stderr: '' })
  })
})

const scripts = names.flatMap((name) => scriptsOf(name).map((script) => [name, script] as const))

describe.each(scripts)('the script of %s, %s,', (name, script) => {
  it('is executable and starts with a line that names its interpreter', () => {
    const file = join(SKILLS_DIR, name, script)
    expect(readFileSync(file, 'utf8')).toMatch(/^#!\/usr\/bin\/env (?:bash|python3|node)\n/)
    expect(statSync(file).mode & 0o111).toBe(0o111)
  })

  it('does something harmless in an empty folder without arguments', async () => {
    const cwd = folderWith({})
    const result = await runScript(name, script, { cwd })
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' })
    expect(result.stdout.length).toBeGreaterThan(50)
    expect(readdirSync(cwd)).toEqual([])
  })

  it('explains itself with --help', async () => {
    const result = await runScript(name, script, { args: ['--help'], cwd: folderWith({}) })
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(result.stdout).toMatch(/usage:[\s\S]*exit codes: 0/i)
  })

  it('refuses an unknown option with exit code 2', async () => {
    const result = await runScript(name, script, { args: ['--no-such-option'], cwd: folderWith({}) })
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toContain('--no-such-option')
  })

  it('leaves no file behind in its skill', () => {
    expect(filesOf(name).filter((path) => /__pycache__|\.pyc$|\.tmp$/.test(path))).toEqual([])
  })
})
