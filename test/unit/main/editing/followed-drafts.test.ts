import { mkdirSync, rmSync, symlinkSync, writeFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ArrangeRequest } from '@shared/domain/arranging'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openForLook } from '../../../../src/main/db/look'
import { createTestApp, listSkills, type TestApp } from '../../../helpers/app'

const SKILL = '---\nname: notes\ndescription: Keeps notes.\n---\n\nWrite them down.\n'

let world: TestApp
let skills: string

beforeEach(async () => {
  world = await createTestApp({ skills: { notes: { 'SKILL.md': SKILL, 'references/a.md': 'a\n' } } })
  skills = join(world.home, '.satchel', 'skills')
  await listSkills(world.app, null)
  await type('notes', 'typed')
})
afterEach(() => world.remove())

const keyOf = (name: string) => `personal:${join(skills, name)}`
const type = (name: string, text: string) =>
  world.app.handlers['editor.keepDraft']({ key: keyOf(name), path: 'references/a.md', text, before: null })
const typedIn = async (name: string) =>
  (await world.app.handlers['editor.read']({ key: keyOf(name), path: 'references/a.md' })).draft?.text ?? null
const drafts = async () => (await world.app.handlers['editor.drafts']({})).map(({ key }) => key)

async function arrange(request: ArrangeRequest) {
  const { hash } = await world.app.handlers['arrange.plan']({ projectDir: null, request })
  return world.app.handlers['arrange.do']({ projectDir: null, request, planHash: hash })
}
const undo = (id: string) => world.app.handlers['arrange.undo']({ id })

describe('what was typed and not saved', () => {
  test('goes along when the skill is renamed, and back with undo', async () => {
    const { id } = await arrange({ do: 'rename', key: keyOf('notes'), name: 'diary' })
    expect(await drafts()).toEqual([keyOf('diary')])
    expect(await typedIn('diary')).toBe('typed')
    await undo(id)
    expect(await drafts()).toEqual([keyOf('notes')])
    expect(await typedIn('notes')).toBe('typed')
  })

  test('of SKILL.md takes the new name, and is no other text than the disk has', async () => {
    const open = (name: string) => world.app.handlers['editor.read']({ key: keyOf(name), path: 'SKILL.md' })
    const typed = SKILL.replace('Write them down.', 'Mine.')
    const { digest } = await open('notes')
    await world.app.handlers['editor.keepDraft']({
      key: keyOf('notes'),
      path: 'SKILL.md',
      text: typed,
      before: digest,
    })
    const { id } = await arrange({ do: 'rename', key: keyOf('notes'), name: 'diary' })
    const renamed = await open('diary')
    expect(renamed.text).toBe(SKILL.replace('name: notes', 'name: diary'))
    expect(renamed.draft?.text).toBe(typed.replace('name: notes', 'name: diary'))
    expect(renamed.draft?.before).toBe(renamed.digest)
    await undo(id)
    const back = await open('notes')
    expect(back.draft?.text).toBe(typed)
    expect(back.draft?.before).toBe(back.digest)
  })

  test('of SKILL.md takes the name that its skill gets when it comes back from the trash', async () => {
    const open = (name: string) => world.app.handlers['editor.read']({ key: keyOf(name), path: 'SKILL.md' })
    const typed = SKILL.replace('Write them down.', 'Mine.')
    const { digest } = await open('notes')
    const draft = { key: keyOf('notes'), path: 'SKILL.md', text: typed, before: digest }
    await world.app.handlers['editor.keepDraft'](draft)
    const { trashId } = await arrange({ do: 'delete', key: keyOf('notes') })
    await world.app.handlers['trash.restore']({ trashId: trashId!, name: 'diary' })
    const back = await open('diary')
    expect(back.draft?.text).toBe(typed.replace('name: notes', 'name: diary'))
    expect(back.draft?.before).toBe(back.digest)
  })

  test('over another text than the disk had is still compared after a rename', async () => {
    const before = 'e'.repeat(64)
    const draft = { key: keyOf('notes'), path: 'SKILL.md', text: 'typed', before }
    await world.app.handlers['editor.keepDraft'](draft)
    await arrange({ do: 'rename', key: keyOf('notes'), name: 'diary' })
    const { draft: kept } = await world.app.handlers['editor.read']({ key: keyOf('diary'), path: 'SKILL.md' })
    expect(kept).toMatchObject({ text: 'typed', before })
  })

  test('goes along when the skill is moved to another place', async () => {
    await arrange({ do: 'move', key: keyOf('notes'), place: 'personal-shared', name: 'notes' })
    expect(await drafts()).toEqual([`shared:${join(world.home, '.agents/skills/notes')}`])
  })

  test('leaves the list with a deleted skill, and comes back with it', async () => {
    const { id, trashId } = await arrange({ do: 'delete', key: keyOf('notes') })
    expect(await drafts()).toEqual([])
    await undo(id)
    expect(await typedIn('notes')).toBe('typed')
    const again = await arrange({ do: 'delete', key: keyOf('notes') })
    expect(again.trashId).not.toBe(trashId)
    await world.app.handlers['trash.restore']({ trashId: again.trashId! })
    expect(await typedIn('notes')).toBe('typed')
  })

  test('is no part of a new skill of the same name', async () => {
    await arrange({ do: 'delete', key: keyOf('notes') })
    await arrange({ do: 'create', name: 'notes', place: 'personal', template: 'blank', description: '' })
    expect(await drafts()).toEqual([])
  })

  test('is no part of a copy, not even where a folder lay that somebody else deleted', async () => {
    await type('copy', 'of a folder that is gone')
    await arrange({ do: 'duplicate', key: keyOf('notes'), name: 'copy' })
    expect(await drafts()).toEqual([keyOf('notes')])
  })

  test('ends when the skill is deleted for good', async () => {
    const { trashId } = await arrange({ do: 'delete', key: keyOf('notes') })
    await world.app.handlers['trash.remove']({ trashId: trashId! })
    const sql = openForLook(join(world.dataDir, 'satchel.db'))!
    expect(sql.prepare('SELECT path FROM drafts').all()).toEqual([])
    sql.close()
  })
})

describe('a skill whose SKILL.md is a link to that of another folder', () => {
  const outside = () => join(world.home, 'elsewhere')

  beforeEach(async () => {
    mkdirSync(outside(), { recursive: true })
    writeFileSync(join(outside(), 'SKILL.md'), SKILL.replace('name: notes', 'name: link-md'))
    mkdirSync(join(skills, 'link-md'))
    symlinkSync(join(outside(), 'SKILL.md'), join(skills, 'link-md', 'SKILL.md'))
    await world.app.handlers['skills.rescan']({})
  })
  afterEach(() => rmSync(outside(), { recursive: true }))

  test('is not written, and says why', async () => {
    const { skills: listed } = await listSkills(world.app, null)
    const { key } = listed.find(({ name }) => name === 'link-md')!
    const { whyNot } = await world.app.handlers['editor.open']({ key })
    expect(whyNot).toContain('SKILL.md is a link')
    const { digest } = await world.app.handlers['editor.read']({ key, path: 'SKILL.md' })
    const saving = world.app.handlers['editor.save']({ key, path: 'SKILL.md', text: 'x', before: digest })
    await expect(saving).rejects.toMatchObject({ code: 'bad_input' })
    expect(readFileSync(join(outside(), 'SKILL.md'), 'utf8')).toContain('link-md')
  })

  test('has no other files to be edited, whatever lies beside what it leads to', async () => {
    mkdirSync(join(outside(), 'letters'))
    writeFileSync(join(outside(), 'letters', 'private.md'), 'Dear …\n')
    writeFileSync(join(outside(), 'taxes.csv'), '1\n')
    const { skills: listed } = await listSkills(world.app, null)
    const { key } = listed.find(({ name }) => name === 'link-md')!
    const { files, folders } = await world.app.handlers['editor.open']({ key })
    expect([files.map(({ path }) => path), folders]).toEqual([['SKILL.md'], []])
  })
})
