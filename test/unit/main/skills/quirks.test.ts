import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Registry } from '../../../../src/main/skills/registry/registry'
import { localRegistry } from '../../../helpers/registry'
import { folderCases, writeFolderCase } from '../../shared/skill-md/corpus'

let top: string
let registry: Registry | null

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-quirks-')))
  registry = null
})
afterEach(() => {
  registry?.close()
  rmSync(top, { recursive: true, force: true })
})

describe('folders with quirks are found as the expectations written by hand say', () => {
  test.each(folderCases().map((one) => [`quirk ${one.quirk}: ${one.id}`, one] as const))(
    '%s',
    async (_name, { scope, files, expectSkills }) => {
      const home = join(top, 'home')
      const project = join(top, 'work', 'project')
      const dir = join(scope === 'personal' ? home : project, '.satchel', 'skills')
      for (const folder of [dir, project, home]) mkdirSync(folder, { recursive: true })
      writeFolderCase(dir, files)
      const projects = () => (scope === 'project' ? [{ dir: project, trusted: true }] : [])
      registry = localRegistry({ homeDir: home, resourcesDir: join(top, 'resources'), projects })
      await registry.refresh()
      const entries = registry.list(scope === 'project' ? project : null)
      const seen = await Promise.all(
        entries.map(async ({ record }) => {
          const full = await registry!.facts(record.key)
          const [first] = full.diagnostics.filter(({ severity }) => severity !== 'info')
          return {
            folder: relative(dir, dirname(record.skillMd)) || relative(dir, record.skillMd),
            record,
            first: first?.code ?? null,
            scripts: full.files.filter(({ script }) => script).map(({ path }) => path),
          }
        }),
      )
      expect(seen.length).toBe(expectSkills.length)
      for (const want of expectSkills) {
        const found = seen.find(({ record, folder }) =>
          [folder, relative(dir, record.rootDir), relative(dir, record.skillMd)].includes(want.folder),
        )
        expect(found, `${want.folder} among ${seen.map(({ folder }) => folder).join()}`).toBeDefined()
        if (want.status === 'refused') expect(found!.record.unread).toBe(true)
        else {
          expect(found!.record).toMatchObject({
            name: want.name,
            description: want.description,
            broken: false,
          })
          expect(found!.record.parent !== null).toBe(want.status === 'child')
        }
        if (want.scripts) expect(found!.scripts.sort()).toEqual(want.scripts.toSorted())
        if (want.first) expect(found!.first).toBe(want.first.code)
      }
    },
  )
})
