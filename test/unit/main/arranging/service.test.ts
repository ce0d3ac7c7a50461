import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onFaultPoint } from '../../../../src/main/lib/fault-point'
import { onTestFinished } from 'vitest'
import { folders, link, namesIn, SKILL_MD, treeOf } from './folders'

const FULL = {
  'SKILL.md': SKILL_MD,
  'scripts/run.sh': '#!/bin/sh\n',
  '.git/HEAD': 'ref: main\n',
  'assets/a.bin': '\u0000\u00ff',
}

test('a new skill comes into being whole, with its script executable', async () => {
  const { arrange, at } = folders()
  const done = await arrange({
    do: 'create',
    name: 'new-one',
    place: 'personal',
    template: 'x',
    description: '',
  })
  expect(done).toMatchObject({ kind: 'create', path: at('personal', 'new-one'), text: 'Made new-one.' })
  expect(treeOf(at('personal', 'new-one'))).toMatchObject({
    'SKILL.md': '644 ---\nname: new-one\n---\n',
    'scripts/run.sh': '755 #!/bin/sh\n',
  })
  expect(namesIn(at('personal'))).toEqual(['new-one'])
})

test('a rename changes folder and name together and keeps every other byte', async () => {
  const { arrange, at, skill } = folders()
  const key = skill('pdf', FULL)
  const before = treeOf(key)
  const done = await arrange({ do: 'rename', key, name: 'pdf-tools' })
  expect(done.text).toBe('Renamed pdf to pdf-tools.')
  expect(namesIn(at('personal'))).toEqual(['pdf-tools'])
  const after = treeOf(at('personal', 'pdf-tools'))
  expect(after).toEqual({
    ...before,
    'SKILL.md': before['SKILL.md']?.replace('name: pdf ', 'name: pdf-tools '),
  })
})

test('a copy keeps permissions, times, empty folders and links, and leaves the original as it is', async () => {
  const { arrange, at, skill } = folders()
  const key = skill('pdf', FULL)
  chmodSync(join(key, 'scripts/run.sh'), 0o750)
  mkdirSync(join(key, 'empty'))
  link('SKILL.md', join(key, 'inner'))
  link('/etc/passwd', join(key, 'outer'))
  link('nowhere', join(key, 'broken'))
  chmodSync(join(key, 'assets'), 0o555)
  utimesSync(join(key, 'SKILL.md'), 1000, 2000)
  const before = treeOf(key)
  await arrange({ do: 'copy', key, place: 'project', name: 'pdf' })
  expect(treeOf(at('project', 'pdf'))).toEqual(before)
  expect(treeOf(key)).toEqual(before)
  expect(lstatSync(at('project', 'pdf/SKILL.md')).mtimeMs).toBe(2_000_000)
})

test('a delete, taken back, brings the same tree with its permissions', async () => {
  const { arrange, arranging, skill } = folders()
  const key = skill('pdf', FULL)
  chmodSync(join(key, 'scripts/run.sh'), 0o700)
  chmodSync(key, 0o555)
  const [before, mode] = [treeOf(key), lstatSync(key).mode]
  const { id, text, path } = await arrange({ do: 'delete', key })
  expect([text, path, namesIn(join(key, '..'))]).toEqual(['Deleted pdf.', null, []])
  expect(arranging.trash()).toMatchObject([{ name: 'pdf', from: '~/.satchel/skills/pdf', files: 4 }])
  expect((await arranging.undo(id)).text).toBe('pdf is back.')
  expect([treeOf(key), lstatSync(key).mode]).toEqual([before, mode])
  expect(arranging.trash()).toEqual([])
})

test('a move, taken back, is where it was; and that can be taken back too', async () => {
  const { arrange, arranging, at, skill } = folders()
  const key = skill('pdf', FULL)
  const before = treeOf(key)
  const moved = await arrange({ do: 'move', key, place: 'project', name: 'pdf' })
  expect([namesIn(at('personal')), treeOf(at('project', 'pdf'))]).toEqual([[], before])
  expect(arranging.trash()).toEqual([])
  const back = await arranging.undo(moved.id)
  expect([treeOf(key), namesIn(at('project'))]).toEqual([before, []])
  await arranging.undo(back.id)
  expect([namesIn(at('personal')), treeOf(at('project', 'pdf'))]).toEqual([[], before])
})

test('a rename is not taken back when the skill was changed since', async () => {
  const { arrange, arranging, at, skill } = folders()
  const { id } = await arrange({ do: 'rename', key: skill('pdf'), name: 'scans' })
  writeFileSync(at('personal', 'scans/new.txt'), 'work of a day')
  await expect(arranging.undo(id)).rejects.toMatchObject({ code: 'stale' })
  expect(readFileSync(at('personal', 'scans/new.txt'), 'utf8')).toBe('work of a day')
})

test('what is undone once is not undone twice', async () => {
  const { arrange, arranging, skill } = folders()
  const { id } = await arrange({ do: 'delete', key: skill('pdf') })
  await arranging.undo(id)
  await expect(arranging.undo(id)).rejects.toMatchObject({ code: 'not_found' })
  expect(arranging.last()).toBeNull()
})

test.each(['pdf', 'PDF', 'Pdf'])(
  'a name that is taken as %s is refused, with another one to take',
  async (there) => {
    const { arranging, arrange, at, skill } = folders()
    const key = skill('other')
    skill(there, { 'notes.txt': 'mine' })
    const request = { do: 'rename', key, name: 'pdf' } as const
    const plan = await arranging.plan({ projectDir: null, request })
    expect(plan.refusal).toBe(
      `~/.satchel/skills holds "${there}" already. Choose another name, for example pdf-2.`,
    )
    await expect(arrange(request)).rejects.toMatchObject({ code: 'bad_input' })
    expect(treeOf(at('personal', there))).toEqual({ 'notes.txt': '644 mine' })
  },
)

test('a name in another Unicode form is the same name', async () => {
  const { arranging, skill } = folders()
  const key = skill('other')
  skill('cafe\u0301')
  const request = { do: 'duplicate', key, name: 'caf\u00e9' } as const
  expect((await arranging.plan({ projectDir: null, request })).refusal).toContain(
    'holds "cafe\u0301" already',
  )
})

test('what comes into the way after the plan is not written over', async () => {
  const { arranging, at, skill } = folders()
  const request = { do: 'move', key: skill('pdf'), place: 'project', name: 'pdf' } as const
  const { hash } = await arranging.plan({ projectDir: null, request })
  skill('pdf', { 'mine.txt': 'mine' }, 'project')
  await expect(arranging.do({ projectDir: null, request, planHash: hash })).rejects.toThrow(
    /holds "pdf" already/,
  )
  expect(treeOf(at('project', 'pdf'))).toEqual({ 'mine.txt': '644 mine' })
  expect(namesIn(at('personal'))).toEqual(['pdf'])
})

test('what comes into the way at the last moment is not written over either', async () => {
  const { arrange, at, skill } = folders()
  const key = skill('pdf')
  onTestFinished(() => onFaultPoint(() => undefined))
  onFaultPoint((point) => {
    if (point === 'arrange.after-reserve') writeFileSync(at('project', 'pdf/theirs.txt'), 'theirs')
  })
  await expect(arrange({ do: 'move', key, place: 'project', name: 'pdf' })).rejects.toMatchObject({
    code: 'bad_input',
  })
  expect(treeOf(at('project', 'pdf'))).toEqual({ 'theirs.txt': '644 theirs' })
  expect(namesIn(at('project'))).toEqual(['pdf'])
  expect(treeOf(key)).toEqual({ 'SKILL.md': `644 ${SKILL_MD}` })
})

test('a file that is written to while it is moved is not lost, and the move is taken back', async () => {
  const { arrange, at, skill } = folders()
  const key = skill('pdf')
  onTestFinished(() => onFaultPoint(() => undefined))
  onFaultPoint((point) => {
    if (point === 'arrange.after-place') writeFileSync(join(key, 'late.txt'), 'late')
  })
  await expect(arrange({ do: 'move', key, place: 'project', name: 'pdf' })).rejects.toMatchObject({
    code: 'busy',
  })
  expect(treeOf(key)['late.txt']).toBe('644 late')
  expect(namesIn(at('project'))).toEqual([])
})

test('a plan that is not what would be done any more is refused', async () => {
  const { arranging, skill } = folders()
  const key = skill('pdf')
  const request = { do: 'delete', key } as const
  const { hash } = await arranging.plan({ projectDir: null, request })
  writeFileSync(join(key, 'new.txt'), 'new')
  await expect(arranging.do({ projectDir: null, request, planHash: hash })).rejects.toMatchObject({
    code: 'stale',
  })
})

test('a folder that became a link is not written through', async () => {
  const { arranging, at, home, skill } = folders()
  const key = skill('pdf')
  mkdirSync(at('project'), { recursive: true })
  const request = { do: 'copy', key, place: 'project', name: 'pdf' } as const
  const { hash } = await arranging.plan({ projectDir: null, request })
  execFileSync('mv', [at('project'), join(home, 'elsewhere')])
  link(join(home, 'elsewhere'), at('project'))
  await expect(arranging.do({ projectDir: null, request, planHash: hash })).rejects.toMatchObject({
    code: 'stale',
  })
  expect(namesIn(join(home, 'elsewhere'))).toEqual([])
})

test('a special file keeps a folder from being copied, but not from being deleted and restored', async () => {
  const { arrange, arranging, at, skill } = folders()
  const key = skill('pdf')
  execFileSync('mkfifo', [join(key, 'pipe')])
  await expect(arrange({ do: 'copy', key, place: 'project', name: 'pdf' })).rejects.toThrow(
    /"pipe" is a special file/,
  )
  expect(namesIn(at('project'))).toEqual([])
  const { id } = await arrange({ do: 'delete', key })
  await arranging.undo(id)
  expect(treeOf(key)['pipe']).toBe('special')
})

test('a folder that something is mounted on is not deleted, and the reason is said', async () => {
  const { arrange, at, skill } = folders()
  const key = skill('pdf', FULL)
  onTestFinished(() => onFaultPoint(() => undefined))
  onFaultPoint((point) => {
    if (point === 'arrange.before-take') throw Object.assign(new Error('busy'), { code: 'EBUSY' })
  })
  await expect(arrange({ do: 'delete', key })).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining('mounted'),
  })
  expect(namesIn(at('personal'))).toEqual(['pdf'])
})

test.each(['EACCES', 'EROFS'])(
  'where the system refuses to write (%s), it says so and leaves all as it was',
  async (code) => {
    const { arrange, at, skill } = folders()
    const key = skill('pdf', FULL)
    skill('other', undefined, 'project')
    onTestFinished(() => onFaultPoint(() => undefined))
    onFaultPoint((point) => {
      if (point === 'arrange.mid-copy') throw Object.assign(new Error('no'), { code })
    })
    await expect(arrange({ do: 'copy', key, place: 'project', name: 'pdf' })).rejects.toThrow(
      /refuses to write there/,
    )
    expect(namesIn(at('personal'))).toEqual(['pdf'])
    expect(namesIn(at('project'))).toEqual(['other'])
  },
)

test('a full disk is said, and nothing is left of the attempt', async () => {
  const { arrange, at, dataDir, skill } = folders()
  const key = skill('pdf', FULL)
  onTestFinished(() => onFaultPoint(() => undefined))
  let files = 0
  onFaultPoint((point) => {
    if (point === 'arrange.mid-copy' && (files += 1) === 3)
      throw Object.assign(new Error('full'), { code: 'ENOSPC' })
  })
  await expect(arrange({ do: 'move', key, place: 'project', name: 'pdf' })).rejects.toMatchObject({
    code: 'disk_full',
  })
  expect([namesIn(at('project')), namesIn(at('personal')), namesIn(join(dataDir, 'arranging'))]).toEqual([
    [],
    ['pdf'],
    [],
  ])
})

test('another program that arranges on the same data is waited for by the person', async () => {
  const { arrange, again, skill } = folders()
  const key = skill('pdf')
  const other = again()
  onTestFinished(() => onFaultPoint(() => undefined))
  let refused: Promise<unknown> | undefined
  onFaultPoint((point) => {
    if (point !== 'arrange.after-copy') return
    refused = other.undo('op_x').catch((error: unknown) => error)
  })
  await arrange({ do: 'duplicate', key, name: 'pdf-2' })
  expect(await refused).toMatchObject({ code: 'busy' })
})

test('the trash gives back under another name where the old one is taken', async () => {
  const { arrange, arranging, at, skill } = folders()
  const key = skill('pdf', FULL)
  const before = treeOf(key)
  const { trashId } = await arrange({ do: 'delete', key })
  skill('pdf', { 'SKILL.md': 'another' })
  await expect(arrange({ do: 'restore', trashId: trashId! })).rejects.toThrow(/holds "pdf" already/)
  const request = { do: 'restore', trashId: trashId!, name: 'pdf-old' } as const
  expect(await arranging.plan({ projectDir: null, request })).toMatchObject({
    edits: [{ file: 'SKILL.md', before: 'name: pdf # keep me', after: 'name: pdf-old # keep me' }],
  })
  await arrange(request)
  expect(treeOf(at('personal', 'pdf-old'))).toEqual({
    ...before,
    'SKILL.md': before['SKILL.md']?.replace('name: pdf ', 'name: pdf-old '),
  })
  expect(arranging.trash()).toEqual([])
})

test('what has no name that can be edited comes back under another one as it is, and that is said', async () => {
  const { arrange, arranging, at, skill } = folders()
  const { trashId } = await arrange({ do: 'delete', key: skill('pdf', { 'notes.txt': 'a' }) })
  const request = { do: 'restore', trashId: trashId!, name: 'pdf-old' } as const
  const { notes } = await arranging.plan({ projectDir: null, request })
  expect(notes).toEqual([expect.stringMatching(/^Only its folder gets the name/)])
  await arrange(request)
  expect(treeOf(at('personal', 'pdf-old'))).toEqual({ 'notes.txt': '644 a' })
})

test('what was changed in the trash is not restored as if it were the same', async () => {
  const { arrange, dataDir, skill } = folders()
  const { trashId } = await arrange({ do: 'delete', key: skill('pdf') })
  writeFileSync(join(dataDir, 'trash', trashId!, 'tree', 'SKILL.md'), 'other bytes')
  await expect(arrange({ do: 'restore', trashId: trashId! })).rejects.toMatchObject({ code: 'stale' })
})

test('after 30 days the trash is emptied at start, not a day before', async () => {
  const { again, arrange, dataDir, skill } = folders()
  await arrange({ do: 'delete', key: skill('pdf') })
  const day = 86_400_000
  const early = again({ now: () => 1_000_000 + 29 * day })
  await early.recover()
  expect(early.trash()).toHaveLength(1)
  const late = again({ now: () => 1_000_000 + 31 * day })
  await late.recover()
  expect([late.trash(), namesIn(join(dataDir, 'trash'))]).toEqual([[], []])
})

test('each operation is put on record with its digests, once', async () => {
  const { arrange, arranging, recorded, skill } = folders()
  const { id } = await arrange({ do: 'rename', key: skill('pdf'), name: 'scans' })
  await arranging.undo(id)
  await arranging.recover()
  expect(recorded.map(({ kind, was, name, before, after }) => [kind, was, name, before, after])).toEqual([
    ['rename', 'pdf', 'scans', 'digest of pdf', 'digest of scans'],
    ['rename', 'scans', 'pdf', 'digest of scans', 'digest of pdf'],
  ])
})

test.each([
  ['Upper', /can't be the name/],
  ['con', /Windows keeps it/],
  ['', /Give it a name/],
  ['../x', /can't be the name/],
])('the name %j is refused with the reason', async (name, why) => {
  const { arranging, skill } = folders()
  const request = { do: 'duplicate', key: skill('pdf'), name } as const
  expect((await arranging.plan({ projectDir: null, request })).refusal).toMatch(why)
})
