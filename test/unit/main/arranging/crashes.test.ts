import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ArrangeRequest, SkillPlace } from '@shared/domain/arranging'
import * as fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { onFaultPoint } from '../../../../src/main/lib/fault-point'
import type { FaultPoint } from '../../../../src/main/lib/fault-point'
import type { KilledMove } from '../../../helpers/arrange-core'
import { builtCore } from '../../../helpers/core-build'
import { folders, foldersIn, namesIn, removeAll, treeOf } from './folders'
import type { Folders } from './folders'

const POINTS = [
  'arrange.before-journal',
  'arrange.after-journal',
  'arrange.mid-copy',
  'arrange.after-copy',
  'arrange.before-place',
  'arrange.after-reserve',
  'arrange.after-place',
  'arrange.before-take',
  'arrange.after-take',
  'arrange.before-done',
  'arrange.after-done',
] as const satisfies readonly FaultPoint[]

const NAMES = ['pdf', 'sql', 'git']
const PLACES: SkillPlace[] = ['personal', 'project']

afterEach(() => onFaultPoint(() => undefined))

/** As a killed program: from the point on nothing goes on, clean-up neither. */
function crashAt(point: FaultPoint, nth: number): void {
  let [passed, dead] = [0, false]
  onFaultPoint((now) => {
    dead ||= now === point && (passed += 1) === nth
    if (dead) throw new Error('crashed')
  })
}

type State = Record<string, Record<string, string>>

/** Every skill by where it is. */
function skillsOf({ at }: Folders): State {
  return Object.fromEntries(
    PLACES.flatMap((place) =>
      namesIn(at(place)).map((name) => [`${place}/${name}`, treeOf(at(place, name))] as const),
    ),
  )
}

/** All bytes that are kept anywhere. */
function keptText(place: Folders): string {
  const trash = namesIn(join(place.dataDir, 'trash')).map((id) => treeOf(join(place.dataDir, 'trash', id)))
  return JSON.stringify([skillsOf(place), trash])
}

const wish = fc.record({
  what: fc.constantFrom('create', 'duplicate', 'rename', 'copy', 'move', 'delete', 'restore', 'undo', 'edit'),
  from: fc.nat(5),
  name: fc.constantFrom(...NAMES, 'other'),
  place: fc.constantFrom(...PLACES),
  crash: fc.option(fc.record({ point: fc.constantFrom(...POINTS), nth: fc.integer({ min: 1, max: 2 }) }), {
    freq: 2,
  }),
})
type Wish = typeof wish extends fc.Arbitrary<infer T> ? T : never

function requestOf(place: Folders, { what, from, name, place: to }: Wish): ArrangeRequest | null {
  const all = PLACES.flatMap((one) => namesIn(place.at(one)).map((skill) => place.at(one, skill)))
  const key = all[from % Math.max(1, all.length)] ?? ''
  const trash = place.arranging.trash()
  const trashId = trash[from % Math.max(1, trash.length)]?.id
  if (what === 'create') return { do: what, name, place: to, template: 'x', description: '' }
  if (what === 'duplicate' || what === 'rename') return { do: what, key, name }
  if (what === 'copy' || what === 'move') return { do: what, key, place: to, name }
  if (what === 'delete') return { do: what, key }
  if (what !== 'restore' || trashId === undefined) return null
  return { do: what, trashId, ...(from % 2 === 0 ? {} : { name }) }
}

/** Does it as far as it goes: what is refused or crashes is seen from what is on disk. */
async function attempt(place: Folders, one: Wish, done: string[]): Promise<void> {
  try {
    if (one.what === 'undo') {
      const id = done[one.from % Math.max(1, done.length)]
      if (id !== undefined) done.push((await place.arranging.undo(id)).id)
      return
    }
    const request = requestOf(place, one)
    if (request) done.push((await place.arrange(request)).id)
  } catch {
    // Refused, or crashed: what is on disk says which.
  }
}

test('whatever is done in whatever order, and wherever it crashes, no byte is lost and nothing is left half', async () => {
  let n = 0
  await fc.assert(
    fc.asyncProperty(fc.array(wish, { minLength: 3, maxLength: 12 }), async (wishes) => {
      const home = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-crash-')))
      let place = foldersIn(home)
      const done: string[] = []
      const words = new Set<string>()
      const write = (dir: string) => {
        const word = `word-${(n += 1)}-`
        words.add(word)
        writeFileSync(join(dir, `${word}.txt`), word)
      }
      try {
        for (const name of NAMES.slice(0, 2)) write(place.skill(name))
        for (const one of wishes) {
          const before = skillsOf(place)
          const [target] = Object.keys(before)
          if (one.what === 'edit' && target !== undefined)
            write(join(place.at('personal'), '..', '..', pathOf(target)))
          const start = skillsOf(place)
          if (one.crash) crashAt(one.crash.point, one.crash.nth)
          await attempt(place, one, done)
          onFaultPoint(() => undefined)
          // The next program on the same data.
          place = foldersIn(home)
          await place.arranging.recover()
          const end = skillsOf(place)
          checkWhole(start, end)
          expect([...words].filter((word) => !keptText(place).includes(word))).toEqual([])
          expect(openOperations(place)).toEqual([])
        }
      } finally {
        onFaultPoint(() => undefined)
        removeAll(home)
      }
    }),
    { numRuns: 30 },
  )
})

function pathOf(target: string): string {
  const [place, name] = target.split('/') as [SkillPlace, string]
  return place === 'personal' ? `.satchel/skills/${name}` : `work/app/.satchel/skills/${name}`
}

/** A folder is as it was, or new and whole, or gone; at most one of each, and nothing with a name of work under way. */
function checkWhole(before: State, after: State): void {
  const names = Object.keys(after)
  expect(names.filter((name) => name.includes('.satchel-'))).toEqual([])
  const came = names.filter((name) => !(name in before))
  const went = Object.keys(before).filter((name) => !(name in after))
  expect([came.length <= 1, went.length <= 1]).toEqual([true, true])
  for (const name of names) if (name in before) expect(after[name]).toEqual(before[name])
  for (const name of came) expect(Object.keys(after[name]!)).toContain('SKILL.md')
}

function openOperations({ dataDir }: Folders): string[] {
  return namesIn(join(dataDir, 'arranging')).filter((name) => !name.endsWith('.json'))
}

test.each(POINTS)('a move that crashes at %s is done or not done after the next start', async (point) => {
  const place = folders()
  const key = place.skill('pdf', { 'SKILL.md': '---\nname: pdf\n---\n', 'a.txt': 'one', 'b/c.txt': 'two' })
  const tree = treeOf(key)
  crashAt(point, 1)
  await place.arrange({ do: 'move', key, place: 'project', name: 'pdf' }).catch(() => undefined)
  onFaultPoint(() => undefined)
  await place.again().recover()
  const [name, ...others] = Object.entries(skillsOf(place))
  expect([name?.[1], others]).toEqual([tree, []])
})

const SECOND_DISK = '/dev/shm'
const hasSecondDisk = existsSync(SECOND_DISK) && statSync(SECOND_DISK).dev !== statSync(tmpdir()).dev

test.runIf(hasSecondDisk).each([...POINTS, 'arrange.hidden'] as const)(
  'to and from another file system nothing is lost, also when it crashes at %s',
  async (point) => {
    const far = realpathSync(mkdtempSync(join(SECOND_DISK, 'satchel-far-')))
    try {
      const place = folders()
      const key = join(far, 'pdf')
      mkdirSync(join(key, 'deep'), { recursive: true })
      writeFileSync(join(key, 'SKILL.md'), '---\nname: pdf\n---\n')
      writeFileSync(join(key, 'deep', 'a.txt'), 'far away')
      const tree = treeOf(key)
      crashAt(point, 1)
      await place.arrange({ do: 'delete', key }).catch(() => undefined)
      onFaultPoint(() => undefined)
      let program = place.again()
      await program.recover()
      const [entry] = program.trash()
      expect([namesIn(far), entry === undefined]).toEqual(entry ? [[], false] : [['pdf'], true])
      if (!entry) return expect(treeOf(key)).toEqual(tree)
      crashAt(point, 1)
      const request = { do: 'restore', trashId: entry.id } as const
      const { hash } = await program.plan({ projectDir: null, request })
      await program.do({ projectDir: null, request, planHash: hash }).catch(() => undefined)
      onFaultPoint(() => undefined)
      program = place.again()
      await program.recover()
      const isBack = namesIn(far).length > 0
      expect(program.trash()).toHaveLength(isBack ? 0 : 1)
      if (isBack) expect([namesIn(far), treeOf(key)]).toEqual([['pdf'], tree])
    } finally {
      rmSync(far, { recursive: true, force: true })
    }
  },
)

test.each([
  'arrange.mid-copy',
  'arrange.after-reserve',
  'arrange.after-place',
  'arrange.after-take',
] as const)(
  'a program that is killed at %s leaves what the next one puts in order',
  { timeout: 60_000 },
  async (point) => {
    const place = folders()
    const key = place.skill('pdf', { 'SKILL.md': '---\nname: pdf\n---\n', 'a.txt': 'one' })
    const program = await builtCore('arrange-core.ts')
    const move: KilledMove = { home: place.home, key, point }
    const { signal } = spawnSync(process.execPath, [program, JSON.stringify(move)])
    expect(signal).toBe('SIGKILL')
    await place.again().recover()
    const found = Object.values(skillsOf(place))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ 'a.txt': '644 one' })
  },
)
