import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { onFaultPoint } from '../../../../src/main/lib/fault-point'
import { createTestApp, listSkills, type TestApp } from '../../../helpers/app'

const SKILL = '---\nname: notes\ndescription: Keeps notes.\n---\n\nWrite them down.\n'

let world: TestApp
let dir: string
let key: string

beforeEach(async () => {
  world = await createTestApp({ skills: { notes: { 'SKILL.md': SKILL, 'scripts/run.sh': 'echo 1\n' } } })
  dir = join(world.home, '.satchel', 'skills', 'notes')
  key = (await listSkills(world.app, null)).skills[0]!.key
})
afterEach(async () => {
  onFaultPoint(() => undefined)
  await world.remove()
})

type Input = Parameters<TestApp['app']['handlers']['editor.save']>[0]

const read = (path = 'SKILL.md') => world.app.handlers['editor.read']({ key, path })
const save = (input: Partial<Input> & { text: string }) =>
  Promise.resolve(world.app.handlers['editor.save']({ key, path: 'SKILL.md', before: null, ...input }))
const onDisk = (path = 'SKILL.md') => readFileSync(join(dir, path), 'utf8')
const record = async (action: string) =>
  world.app.handlers['audit.query']({ filter: { actions: [action] }, limit: 50 })

async function saveOver(text: string, path = 'SKILL.md') {
  const { digest } = await read(path)
  return save({ path, text, before: digest })
}

describe('saving', () => {
  test('writes exactly the text, with byte order mark and mixed line ends, and says its digest', async () => {
    const text = '\uFEFF---\r\nname: notes\r\ndescription: Keeps notes.\n---\r\rOdd \r\n'
    const saved = await saveOver(text)
    expect(onDisk()).toBe(text)
    expect(saved).toEqual({ t: 'saved', digest: (await read()).digest })
    expect((await read()).text).toBe(text)
  })

  test('keeps the mode of the file and leaves nothing beside it', async () => {
    chmodSync(join(dir, 'scripts/run.sh'), 0o750)
    await saveOver('echo 2\n', 'scripts/run.sh')
    expect(statSync(join(dir, 'scripts/run.sh')).mode & 0o777).toBe(0o750)
    expect(readdirSync(join(dir, 'scripts'))).toEqual(['run.sh'])
  })

  test('writes nothing over what another program wrote, and gives its text', async () => {
    const { digest } = await read()
    writeFileSync(join(dir, 'SKILL.md'), 'theirs')
    const result = await save({ text: 'mine', before: digest })
    expect(result).toMatchObject({ t: 'stale', text: 'theirs', digest: (await read()).digest })
    expect(onDisk()).toBe('theirs')
  })

  test('from two windows at once: the first wins, the second is told', async () => {
    const { digest } = await read()
    const both = await Promise.all([
      save({ text: 'first', before: digest }),
      save({ text: 'second', before: digest }),
    ])
    expect(both.map(({ t }) => t)).toEqual(['saved', 'stale'])
    expect(onDisk()).toBe('first')
  })

  test('tells that the file went, and makes it anew only when that is meant', async () => {
    const { digest } = await read('scripts/run.sh')
    const { rmSync } = await import('node:fs')
    rmSync(join(dir, 'scripts/run.sh'))
    expect(await save({ path: 'scripts/run.sh', text: 'x', before: digest })).toEqual({
      t: 'stale',
      text: null,
      digest: null,
    })
    await save({ path: 'scripts/run.sh', text: 'x', before: null })
    expect(onDisk('scripts/run.sh')).toBe('x')
  })

  test('keeps what it replaces as a version and is on record with the digests', async () => {
    const before = (await read()).digest
    await saveOver('---\nname: notes\ndescription: New.\n---\n')
    const [entry] = await record('skill.saved')
    expect(entry).toMatchObject({
      actor: 'person',
      target: 'notes/SKILL.md',
      data: { what: 'write', before, after: (await read()).digest },
    })
    const kept = String(entry!.data['kept'])
    expect(readFileSync(join(world.dataDir, 'snapshots', kept, 'SKILL.md'), 'utf8')).toBe(SKILL)
  })

  test('of the same bytes changes nothing and is no entry', async () => {
    await saveOver(SKILL)
    expect(await record('skill.saved')).toEqual([])
  })

  test.each(['file.before-write', 'file.after-write', 'file.before-rename'] as const)(
    'on a disk that is full at %s leaves the old file, and what was typed stays',
    async (point) => {
      const { digest } = await read()
      await world.app.handlers['editor.keepDraft']({ key, path: 'SKILL.md', text: 'new', before: digest })
      onFaultPoint((passed) => {
        if (passed === point) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      })
      await expect(save({ text: 'new', before: digest })).rejects.toMatchObject({ code: 'ENOSPC' })
      onFaultPoint(() => undefined)
      expect(onDisk()).toBe(SKILL)
      expect(readdirSync(dir).sort()).toEqual(['SKILL.md', 'scripts'])
      expect((await read()).draft?.text).toBe('new')
    },
  )
})

describe('nothing is written outside the skill', () => {
  test.each(['../other.md', '/etc/hosts', 'a/../../x', '~/x', '.git/config', '.claude/settings.json'])(
    'to %s',
    async (path) => {
      await expect(save({ path, text: 'x' })).rejects.toMatchObject({ code: 'path_escape' })
      await expect(
        world.app.handlers['editor.change']({ t: 'file', key, path, base64: '' }),
      ).rejects.toMatchObject({ code: 'path_escape' })
    },
  )

  test('through a link of a file or a folder', async () => {
    const outside = join(world.home, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'a.md'), 'theirs')
    symlinkSync(join(outside, 'a.md'), join(dir, 'a.md'))
    symlinkSync(outside, join(dir, 'out'))
    await expect(read('a.md')).rejects.toMatchObject({ code: 'path_escape' })
    await expect(save({ path: 'a.md', text: 'x' })).rejects.toMatchObject({ code: 'path_escape' })
    await expect(save({ path: 'out/b.md', text: 'x' })).rejects.toMatchObject({ code: 'path_escape' })
    for (const change of [
      { t: 'folder', key, path: 'out/new' },
      { t: 'rename', key, path: 'scripts/run.sh', to: 'out/run.sh' },
      { t: 'delete', key, path: 'out/a.md' },
    ] as const) {
      await expect(world.app.handlers['editor.change'](change)).rejects.toThrow()
    }
    expect(readdirSync(outside)).toEqual(['a.md'])
    expect(readFileSync(join(outside, 'a.md'), 'utf8')).toBe('theirs')
  })

  test('a second name of the file elsewhere keeps its bytes', async () => {
    linkSync(join(dir, 'SKILL.md'), join(world.home, 'twin.md'))
    await saveOver('---\nname: notes\ndescription: Other.\n---\n')
    expect(readFileSync(join(world.home, 'twin.md'), 'utf8')).toBe(SKILL)
  })

  test('a link inside the skill stays a link, and what it leads to gets the text', async () => {
    symlinkSync('scripts/run.sh', join(dir, 'run'))
    await saveOver('echo 3\n', 'run')
    expect(lstatSync(join(dir, 'run')).isSymbolicLink()).toBe(true)
    expect(onDisk('scripts/run.sh')).toBe('echo 3\n')
  })
})

describe('what can not be edited says why', () => {
  test('bytes that are no text', async () => {
    writeFileSync(join(dir, 'logo.png'), Buffer.from([0x89, 0x50, 0, 0xff]))
    expect(await read('logo.png')).toMatchObject({ text: null, whyNot: expect.stringContaining('UTF-8') })
  })

  test('a skill of a project that is not trusted', async () => {
    const project = world.project('shop', { '.satchel/skills/deploy/SKILL.md': SKILL })
    await world.app.handlers['projects.open']({ dir: project })
    const { skills } = await listSkills(world.app, project)
    const own = skills.find(({ scope }) => scope === 'project')!
    const { whyNot } = await world.app.handlers['editor.open']({ key: own.key })
    expect(whyNot).toContain('not trusted')
    const file = await world.app.handlers['editor.read']({ key: own.key, path: 'SKILL.md' })
    await expect(save({ key: own.key, text: 'x', before: file.digest })).rejects.toThrow('not trusted')
    await world.app.handlers['projects.trust']({ dir: project, trusted: true })
    expect(await save({ key: own.key, text: 'x', before: file.digest })).toMatchObject({ t: 'saved' })
  })
})

describe('what was typed and not saved', () => {
  test('is there after the app ended without a word, and goes with the save', async () => {
    const { digest } = await read()
    await world.app.handlers['editor.keepDraft']({ key, path: 'SKILL.md', text: 'half a', before: digest })
    const { home } = world
    await world.stop()
    world = await createTestApp({ home })
    await listSkills(world.app, null)
    expect(await world.app.handlers['editor.drafts']({})).toMatchObject([{ key, path: 'SKILL.md' }])
    expect((await read()).draft).toMatchObject({ text: 'half a', before: digest })
    await save({ text: 'half a line', before: digest })
    expect(await world.app.handlers['editor.drafts']({})).toEqual([])
  })

  test('is forgotten when it is what the file says, as after a crash between save and that', async () => {
    const { digest } = await read()
    await world.app.handlers['editor.keepDraft']({ key, path: 'SKILL.md', text: SKILL, before: digest })
    expect((await read()).draft).toBeNull()
    expect(await world.app.handlers['editor.drafts']({})).toEqual([])
  })

  test('outlives its file', async () => {
    await world.app.handlers['editor.keepDraft']({
      key,
      path: 'references/new.md',
      text: 'new',
      before: null,
    })
    expect(await read('references/new.md')).toMatchObject({ text: '', draft: { text: 'new', before: null } })
  })
})

describe('files of a skill', () => {
  const change = (input: Parameters<TestApp['app']['handlers']['editor.change']>[0]) =>
    Promise.resolve(world.app.handlers['editor.change'](input))
  const base64 = (text: string) => Buffer.from(text).toString('base64')

  test('are made in folders that are made too, and shown with empty ones', async () => {
    await change({ t: 'file', key, path: 'references/deep/a.md', base64: base64('a') })
    await change({ t: 'folder', key, path: 'assets' })
    const { files, folders } = await world.app.handlers['editor.open']({ key })
    expect(files.map(({ path }) => path)).toEqual(['SKILL.md', 'references/deep/a.md', 'scripts/run.sh'])
    expect(folders).toEqual(['assets', 'references', 'references/deep', 'scripts'])
  })

  test.each(['file', 'folder'] as const)('a new %s takes no name that exists', async (t) => {
    const input = t === 'file' ? { t, base64: base64('x') } : { t }
    await expect(change({ ...input, key, path: 'scripts/run.sh' })).rejects.toThrow('there already')
    expect(onDisk('scripts/run.sh')).toBe('echo 1\n')
  })

  test('are renamed with what was typed in them, and never onto another', async () => {
    await world.app.handlers['editor.keepDraft']({ key, path: 'scripts/run.sh', text: 'typed', before: null })
    await change({ t: 'rename', key, path: 'scripts', to: 'tools' })
    expect((await read('tools/run.sh')).draft?.text).toBe('typed')
    await change({ t: 'file', key, path: 'b.md', base64: base64('b') })
    await expect(change({ t: 'rename', key, path: 'tools/run.sh', to: 'b.md' })).rejects.toThrow(
      'there already',
    )
    await expect(change({ t: 'rename', key, path: 'tools', to: 'b.md' })).rejects.toThrow('there already')
    expect([onDisk('tools/run.sh'), onDisk('b.md')]).toEqual(['echo 1\n', 'b'])
  })

  test('that are deleted can be put back, byte for byte and executable again', async () => {
    chmodSync(join(dir, 'scripts/run.sh'), 0o755)
    const { kept } = await change({ t: 'delete', key, path: 'scripts' })
    expect(existsSync(join(dir, 'scripts'))).toBe(false)
    await change({ t: 'put-back', key, path: 'scripts', digest: kept })
    expect(onDisk('scripts/run.sh')).toBe('echo 1\n')
    expect(statSync(join(dir, 'scripts/run.sh')).mode & 0o100).toBe(0o100)
    await expect(change({ t: 'put-back', key, path: 'scripts', digest: kept })).rejects.toThrow(
      'there already',
    )
  })

  test('that no version can hold are not deleted', async () => {
    mkdirSync(join(dir, 'data/.git'), { recursive: true })
    writeFileSync(join(dir, 'data/.git/HEAD'), 'x')
    await expect(change({ t: 'delete', key, path: 'data' })).rejects.toThrow("can't be kept")
    expect(existsSync(join(dir, 'data/.git/HEAD'))).toBe(true)
  })

  test('SKILL.md itself stays', async () => {
    await expect(change({ t: 'delete', key, path: 'SKILL.md' })).rejects.toThrow('no skill')
    await expect(change({ t: 'rename', key, path: 'SKILL.md', to: 'README.md' })).rejects.toThrow('no skill')
  })
})
