import { chmodSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FileEditPlan } from '@shared/domain/approval'
import type { CallRow } from '../../../../../src/main/db/call-rows'
import { writeFiles } from '../../../../helpers/app'
import { createKit, LOAD, SKILL, type Kit } from '../kit'

let kit: Kit
let dir: string
let id: string
beforeEach(async () => {
  kit = await createKit({ skills: { jam: SKILL } })
  dir = join(kit.home, 'project')
  writeFiles(dir, { 'notes.md': 'one\ntwo\nthree\n', 'src/a.ts': 'const a = 1\n', 'data.bin': 'x' })
  writeFileSync(join(dir, 'data.bin'), Buffer.from([0, 1, 2]))
  id = kit.chat(dir)
})
afterEach(() => kit.remove())

const inProject = (path: string) => join(dir, path)
const text = (path: string) => readFileSync(inProject(path), 'utf8')

/** The model makes one call; gives it as it is then. */
async function call(
  name: string,
  input: Record<string, unknown>,
  state: 'idle' | 'awaiting_approval' = 'idle',
): Promise<CallRow> {
  kit.answers.push({ calls: [{ name, input }] })
  await kit.say(id, name, state)
  return kit.calls(id).at(-1)!
}

const read = (path = 'notes.md') => call('Read', { file_path: path })
const TWO = { file_path: 'notes.md', old_string: 'two', new_string: 'TWO' }

async function answer(choice: 'once' | 'deny', note?: string): Promise<CallRow> {
  await kit.decide(kit.waiting(id), choice, note)
  await kit.until(id, 'idle')
  return kit.calls(id).at(-1)!
}

describe('Read', () => {
  test('gives the lines of a file without asking, and says how many there are', async () => {
    const { envelope } = await call('Read', { file_path: 'notes.md', offset: 2, limit: 1 })
    expect(envelope?.result).toEqual({
      path: 'notes.md',
      content: 'two\n',
      from_line: 2,
      to_line: 2,
      total_lines: 3,
      size: 14,
    })
    expect(kit.actions()).toContain('file.read')
  })

  test('gives type and size of what is no text', async () => {
    expect((await read('data.bin')).envelope?.result).toMatchObject({ path: 'data.bin', size: 3 })
  })

  test('gives a file of an active skill as it was loaded, whatever is on disk now', async () => {
    kit.answers.push({ calls: [LOAD] })
    await kit.say(id, 'load')
    writeFileSync(join(kit.home, '.satchel/skills/jam/references/rules.md'), 'changed\n')
    const { envelope } = await read('/.sandbox/skills/jam/references/rules.md')
    expect(envelope?.result).toMatchObject({ content: 'one\ntwo\nthree\n' })
  })

  test.each([
    ['a skill that is not active', '/.sandbox/skills/jam/references/rules.md', 'not_found'],
    ['a way out of a skill', '/.sandbox/skills/jam/../../x', 'not_found'],
    ['the neighbour folder', '../data/satchel.db', 'path_escape'],
    ['a file of the system', '/etc/passwd', 'path_escape'],
    ["the app's own data", 'data/satchel.db', 'not_found'],
  ])('refuses %s', async (_, path, code) => {
    expect((await read(path)).envelope?.error_code).toBe(code)
  })

  test('refuses a way out of an active skill', async () => {
    kit.answers.push({ calls: [LOAD] })
    await kit.say(id, 'load')
    for (const path of ['../other/x', 'references/../../x', '%2e%2e/x']) {
      const { envelope } = await read(`/.sandbox/skills/jam/${path}`)
      expect(envelope?.error_code).toBe('path_escape')
    }
  })
})

describe('Glob and Grep', () => {
  test('find files by name and lines by what they say', async () => {
    expect((await call('Glob', { pattern: '**/*.ts' })).envelope?.result).toEqual({
      files: ['src/a.ts'],
      total: 1,
    })
    expect((await call('Grep', { pattern: '^t', glob: '*.md' })).envelope?.result).toEqual({
      matches: [
        { path: 'notes.md', line: 2, text: 'two' },
        { path: 'notes.md', line: 3, text: 'three' },
      ],
    })
  })

  test('look into one file, or into a folder, and say when it is not there', async () => {
    expect((await call('Grep', { pattern: 'one', path: 'notes.md' })).envelope?.result).toMatchObject({
      matches: [{ path: 'notes.md', line: 1 }],
    })
    expect((await call('Grep', { pattern: '1', path: 'src' })).envelope?.result).toMatchObject({
      matches: [{ path: 'src/a.ts', line: 1 }],
    })
    expect((await call('Grep', { pattern: '1', path: 'none' })).envelope?.error_code).toBe('not_found')
  })

  test('look into the files of an active skill', async () => {
    kit.answers.push({ calls: [LOAD] })
    await kit.say(id, 'load')
    const path = '/.sandbox/skills/jam'
    expect((await call('Glob', { pattern: '**/*.sh', path })).envelope?.result).toMatchObject({
      files: [`${path}/scripts/boil.sh`],
    })
    expect((await call('Grep', { pattern: 'boiled', path })).envelope?.result).toMatchObject({
      matches: [{ path: `${path}/scripts/boil.sh`, line: 1 }],
    })
  })

  test('never show what lies behind a link out of the project', async () => {
    writeFiles(join(kit.home, 'outside'), { 'key.md': 'secret\n' })
    symlinkSync(join(kit.home, 'outside'), inProject('link'))
    symlinkSync(join(kit.home, 'outside/key.md'), inProject('key.md'))
    expect((await call('Glob', { pattern: '**/key*' })).envelope?.result).toMatchObject({ total: 0 })
    expect((await call('Grep', { pattern: 'secret' })).envelope?.result).toEqual({ matches: [] })
  })
})

describe('Edit', () => {
  test('asks with the exact change, and makes it once when allowed', async () => {
    await read()
    chmodSync(inProject('notes.md'), 0o640)
    await call('Edit', TWO, 'awaiting_approval')
    const { plan } = kit.waiting(id)
    expect(plan).toMatchObject({ kind: 'file_edit', path: 'notes.md', mode: 'change', workspace: dir })
    expect((plan as FileEditPlan).diff.map(({ kind, text: line }) => `${kind} ${line}`)).toEqual([
      'same one',
      'del two',
      'add TWO',
      'same three',
    ])
    expect(text('notes.md')).toBe('one\ntwo\nthree\n')
    const done = await answer('once')
    expect(text('notes.md')).toBe('one\nTWO\nthree\n')
    expect(statSync(inProject('notes.md')).mode & 0o777).toBe(0o640)
    expect(done).toMatchObject({
      state: 'done',
      envelope: { result: { path: 'notes.md', mode: 'change', added: 1, removed: 1, size: 14 } },
      change: { path: 'notes.md', mode: 'change' },
    })
    expect(kit.actions().slice(-2)).toEqual(['request.allowed', 'file.written'])
  })

  test('denied, leaves the file as it is, and the agent gets the note', async () => {
    await read()
    await call('Edit', TWO, 'awaiting_approval')
    const { envelope, state } = await answer('deny', 'keep it')
    expect(state).toBe('denied')
    expect(envelope?.error).toContain('refused this change. They wrote: keep it')
    expect(text('notes.md')).toBe('one\ntwo\nthree\n')
  })

  test('is refused for a file that was not read, or has changed since', async () => {
    expect((await call('Edit', TWO)).envelope).toMatchObject({ error_code: 'stale' })
    await read()
    writeFileSync(inProject('notes.md'), 'one\ntwo\nfour\n')
    expect((await call('Edit', TWO)).envelope?.error).toContain('changed since it was read')
  })

  test('a file that changes between the question and the click is not touched, and the agent is told', async () => {
    await read()
    await call('Edit', TWO, 'awaiting_approval')
    writeFileSync(inProject('notes.md'), 'theirs\ntwo\n')
    const ended = await answer('once')
    expect(ended).toMatchObject({ state: 'stale', envelope: { error_code: 'stale' } })
    expect(text('notes.md')).toBe('theirs\ntwo\n')
    expect(kit.actions()).toContain('request.stale')
  })

  test('can be followed by another one without reading again: the agent knows what it wrote', async () => {
    await read()
    await call('Edit', TWO, 'awaiting_approval')
    await answer('once')
    const next = { file_path: 'notes.md', edits: [{ old_string: 'one', new_string: 'ONE' }] }
    await call('MultiEdit', next, 'awaiting_approval')
    await answer('once')
    expect(text('notes.md')).toBe('ONE\nTWO\nthree\n')
  })

  test('that waits survives a restart and is made then', async () => {
    await read()
    await call('Edit', TWO, 'awaiting_approval')
    kit = await kit.restart()
    expect(kit.waiting(id)).toMatchObject({ restored: true, plan: { kind: 'file_edit' } })
    await answer('once')
    expect(text('notes.md')).toBe('one\nTWO\nthree\n')
  })

  test.each([
    ['both texts missing', { file_path: 'notes.md' }, 'Missing required parameter: old_string'],
    ['a text of another type', { ...TWO, old_string: 3 }, 'Invalid parameter type: expected string'],
  ])('says what is wrong with %s', async (_, input, error) => {
    const { envelope } = await call('Edit', input)
    expect(envelope).toMatchObject({ error_code: 'bad_input' })
    expect(envelope?.error).toContain(error)
  })
})

describe('Write', () => {
  test('asks for a new file, and makes it with its folders', async () => {
    await call('Write', { file_path: 'new/file.md', content: 'hello\n' }, 'awaiting_approval')
    expect(kit.waiting(id).plan).toMatchObject({ mode: 'create', before: null })
    expect(existsSync(inProject('new'))).toBe(false)
    await answer('once')
    expect(text('new/file.md')).toBe('hello\n')
  })

  test('over a file needs that it was read, and keeps its line ends', async () => {
    const input = { file_path: 'notes.md', content: 'a\nb\n' }
    expect((await call('Write', input)).envelope?.error_code).toBe('stale')
    writeFileSync(inProject('notes.md'), 'x\r\ny\r\n')
    await read()
    await call('Write', input, 'awaiting_approval')
    await answer('once')
    expect(text('notes.md')).toBe('a\r\nb\r\n')
  })

  test('never writes what programs trust, outside the project, or over what is no text', async () => {
    for (const file_path of [
      '.git/hooks/x',
      '.vscode/settings.json',
      '../x',
      '/etc/x',
      '/.sandbox/skills/jam/SKILL.md',
    ]) {
      expect((await call('Write', { file_path, content: 'x' })).envelope?.error_code).toBe('path_escape')
    }
    await read('data.bin')
    expect((await call('Write', { file_path: 'data.bin', content: 'x' })).envelope?.error_code).toBe(
      'bad_input',
    )
  })

  test('a file that someone else makes meanwhile is not overwritten', async () => {
    await call('Write', { file_path: 'new.md', content: 'mine\n' }, 'awaiting_approval')
    writeFileSync(inProject('new.md'), 'theirs\n')
    await answer('once')
    expect(text('new.md')).toBe('theirs\n')
  })

  test('invisible characters in the new text are a serious finding', async () => {
    await call('Write', { file_path: 'x.md', content: 'a\u202eb\n' }, 'awaiting_approval')
    expect(kit.waiting(id).findings).toMatchObject([{ level: 'serious', title: 'Invisible characters' }])
  })
})

describe('the gate', () => {
  const narrow = (tools: string) => ({
    'SKILL.md': `---\nname: narrow\ndescription: Narrow.\nallowed-tools: ${tools}\n---\nText.\n`,
  })

  test.each([
    ['Read', ['Glob', 'Grep', 'Edit', 'MultiEdit', 'Write', 'Bash']],
    ['Edit, Grep', ['Read', 'Glob', 'Write', 'Bash']],
    ['Bash(git:*)', ['Read', 'Write', 'Edit']],
  ])(
    'a skill that allows %s refuses the other tools before anything is looked at',
    async (allowed, refused) => {
      await kit.remove()
      kit = await createKit({ skills: { narrow: narrow(allowed) } })
      rmSync(dir, { recursive: true, force: true })
      writeFiles(dir, { 'notes.md': 'one\n' })
      id = kit.chat(dir)
      kit.answers.push({ calls: [{ name: 'skills_load', input: { names: ['narrow'] } }] })
      await kit.say(id, 'load')
      for (const name of refused) {
        const { envelope } = await call(name, { file_path: 'notes.md', pattern: 'x', command: 'ls' })
        expect(envelope?.error).toBe(`Tool '${name}' not allowed by active skill 'narrow'`)
      }
    },
  )
})
