import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SkillChanges, SkillDetail } from '@shared/domain/skill'
import type { AppError } from '@shared/errors'
import { createSkillViews } from '../../../../../src/main/skills/registry/detail'
import { createStore } from '../../../../../src/main/skills/store/store'
import { localRegistry } from '../../../../helpers/registry'
import { later, makeSkill, tempDir, write } from '../support'

const code = (expected: string) => expect.objectContaining({ code: expected }) as AppError

const USEFUL = 'Reads documents. Use it when somebody asks about a document.'

async function setup() {
  const base = tempDir()
  const [home, project] = [join(base, 'home'), join(base, 'work')]
  const root = join(home, '.satchel/skills')
  const pdf = makeSkill(
    join(root, 'pdf'),
    'pdf',
    { 'scripts/run.py': 'print(1)', 'references/a.md': 'A' },
    { description: USEFUL, license: 'MIT', 'allowed-tools': '[Read, Bash(git *)]', 'x-mine': '{a: 1}' },
  )
  makeSkill(join(base, 'resources/skills/pdf'), 'pdf', {}, { description: USEFUL })
  makeSkill(
    join(base, 'resources/skills/hidden'),
    'hidden',
    {},
    {
      description: USEFUL,
      'disable-model-invocation': 'true',
    },
  )
  // Its file name is a warning, which the number of what keeps it from loading leaves out.
  write(join(root, 'bad/skill.md'), '---\nname: bad\n')
  const secret = makeSkill(join(base, 'outside/secret'), 'secret')
  mkdirSync(join(project, '.agents/skills'), { recursive: true })
  symlinkSync(secret, join(project, '.agents/skills/leak'))
  const registry = localRegistry({
    homeDir: home,
    resourcesDir: join(base, 'resources'),
    projects: () => [{ dir: project, trusted: true }],
  })
  later(() => registry.close())
  const store = createStore({ dataDir: join(base, 'data') })
  await registry.refresh()
  return {
    views: createSkillViews({
      registry,
      store,
      beside: async () => [],
      agentNames: () => ['general', 'reviewer'],
    }),
    registry,
    store,
    pdf,
    project,
    root,
  }
}

describe('what the Skills view shows', () => {
  it('is a list that fits the contract, with status, counts and what the catalogue costs', async () => {
    const { registry } = await setup()
    const closing = new AbortController()
    later(() => closing.abort())
    const changes = registry.watch(null, closing.signal)[Symbol.asyncIterator]()
    const { value } = (await changes.next()) as { value: unknown }
    const { rows, totals } = SkillChanges.parse(value)
    rows.sort((a, b) => (a.name < b.name ? -1 : 1))
    expect(rows.map(({ name, scope, status, problems }) => [name, scope, status, problems])).toEqual([
      ['bad', 'personal', 'broken', 1],
      ['hidden', 'bundled', 'effective', 0],
      ['pdf', 'personal', 'effective', 0],
      ['pdf', 'bundled', 'shadowed', 0],
    ])
    expect(rows[2]).toMatchObject({ scripts: 1, files: 3, hiddenFromModel: false, license: 'MIT' })
    expect(rows[2]).toMatchObject({ tools: ['Read', 'Bash(git *)'], readOnly: false, pinned: false })
    expect(rows[3]?.readOnly).toBe(true)
    expect(totals?.catalogueTokens).toBe(rows[2]?.tokens.catalogue)
    expect(totals?.catalogue).toEqual({ wanted: 1, held: 1 })
  })

  it('is the detail of one skill: body, every field, files, digest of what is on disk, copies', async () => {
    const { views, registry, store, pdf } = await setup()
    const detail = SkillDetail.parse(await views.detail(null, `personal:${pdf}`))
    expect(detail).toMatchObject({
      body: '# pdf',
      license: 'MIT',
      allowedTools: ['Read', 'Bash(git *)'],
      fileList: [
        { path: 'SKILL.md', isScript: false },
        { path: 'references/a.md', isScript: false, size: 1 },
        { path: 'scripts/run.py', isScript: true },
      ],
      fileListCut: false,
    })
    expect(detail.frontmatter.find(({ key }) => key === 'x-mine')?.value).toBe('a: 1')
    expect(detail.copies.map(({ scope, used }) => [scope, used])).toEqual([
      ['personal', true],
      ['bundled', false],
    ])
    expect(detail.treeDigest).toBe(await store.digestOf(registry.get(null, detail.key)!.record))
    expect(detail.scriptsBlocked).toBeUndefined()
  })

  it('lists at most 200 files and says that it cut them', async () => {
    const { views, pdf } = await setup()
    for (let at = 0; at < 300; at++) write(join(pdf, `f${at}.md`), '')
    const detail = await views.detail(null, `personal:${pdf}`)
    expect(detail.fileList).toHaveLength(200)
    expect(detail.fileListCut).toBe(true)
  })

  it('says why scripts can not run, and nothing of a folder that may not be followed', async () => {
    const { views, pdf, project } = await setup()
    symlinkSync('/etc/hostname', join(pdf, 'host'))
    const blocked = await views.detail(null, `personal:${pdf}`)
    expect(blocked.scriptsBlocked).toBe('"host" is a link that leaves the skill')
    expect(blocked.fileList.map(({ path }) => path)).not.toContain('host')
    const leak = await views.detail(project, `shared:${join(project, '.agents/skills/leak')}`)
    expect(leak).toMatchObject({ status: 'broken', body: '', fileList: [], treeDigest: '', description: '' })
    expect(leak.scriptsBlocked).toContain('leaves the project')
  })

  it('is the text of one file, cut at 256 kB, and no text for binary ones', async () => {
    const { views, pdf } = await setup()
    write(join(pdf, 'big.txt'), 'x'.repeat(300_000))
    write(join(pdf, 'a.bin'), 'a\0b')
    const read = (path: string) => views.readFile(null, `personal:${pdf}`, path)
    expect(read('references/a.md')).toEqual({ text: 'A', size: 1, cut: false })
    expect(read('big.txt')).toMatchObject({ size: 300_000, cut: true, text: 'x'.repeat(262_144) })
    expect(read('a.bin').text).toBeNull()
    expect(() => read('../zip/SKILL.md')).toThrowError(code('path_escape'))
    expect(() => read('none.md')).toThrowError(code('not_found'))
    symlinkSync('/etc/hostname', join(pdf, 'host'))
    expect(() => read('host')).toThrowError(code('not_found'))
  })

  it('names the folder of a copy, and says when it is gone', async () => {
    const { views, registry, pdf } = await setup()
    expect(views.folderOf(`personal:${pdf}`)).toBe(pdf)
    rmSync(pdf, { recursive: true })
    await registry.refresh()
    expect(() => views.folderOf(`personal:${pdf}`)).toThrowError(code('not_found'))
    await expect(views.detail(null, `personal:${pdf}`)).rejects.toThrowError(code('not_found'))
  })
})
