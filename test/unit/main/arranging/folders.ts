import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { ArrangeDone, ArrangeRequest, SkillPlace } from '@shared/domain/arranging'
import { onTestFinished } from 'vitest'
import type { Operation } from '../../../../src/main/arranging/journal'
import type { Wanted } from '../../../../src/main/arranging/look'
import type { SkillFacts } from '../../../../src/main/arranging/plan'
import { createArranging } from '../../../../src/main/arranging/service'
import type { Arranging, ArrangingDeps } from '../../../../src/main/arranging/service'

export const SKILL_MD = '---\nname: pdf # keep me\ndescription: "Reads PDFs."\nx-own: 1\n---\n\n# PDF\n'

/** A home folder with the two folders that skills are written into, and the data folder. */
export interface Folders {
  home: string
  dataDir: string
  arranging: Arranging
  recorded: Operation[]
  logged: string[]
  /** Writes a skill and gives its key, which is its path. */
  skill(name: string, files?: Record<string, string>, place?: SkillPlace): string
  at(place: SkillPlace, name?: string): string
  /** Plans and does it. */
  arrange(request: ArrangeRequest): Promise<ArrangeDone>
  /** The same data in another program. */
  again(deps?: Partial<ArrangingDeps>): Arranging
}

export function folders(given: Partial<ArrangingDeps> = {}): Folders {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-arrange-')))
  onTestFinished(() => removeAll(home))
  return foldersIn(home, given)
}

export function foldersIn(home: string, given: Partial<ArrangingDeps> = {}): Folders {
  const dataDir = join(home, 'data')
  const recorded: Operation[] = []
  const logged: string[] = []
  const dirOf = (place: SkillPlace) => join(home, place === 'project' ? 'work/app' : '', '.satchel', 'skills')
  const wanted = (dir: string): Wanted => ({
    dir,
    label: basename(dir),
    shown: dir.replace(home, '~'),
    noLinksBelow: null,
    refusal: null,
  })
  const deps: ArrangingDeps = {
    dataDir,
    now: () => 1_000_000,
    log: {
      info() {},
      warn: (message, data) => void logged.push(`${message} ${JSON.stringify(data)}`),
      error: (message, error) => void logged.push(`${message} ${String(error)}`),
    },
    skill: (_project, key) => (lstatSync(key, { throwIfNoEntry: false }) ? factsOf(key, home) : null),
    holding: (_project, key) => wanted(dirname(key)),
    place: (_project, place) => wanted(dirOf(place)),
    former: (path) => wanted(dirname(path)),
    template: (_id, { name }) => [
      { path: 'SKILL.md', bytes: Buffer.from(`---\nname: ${name}\n---\n`), executable: false },
      { path: 'scripts/run.sh', bytes: Buffer.from('#!/bin/sh\n'), executable: true },
    ],
    effects: () => [],
    digestOf: async (dir) =>
      lstatSync(dir, { throwIfNoEntry: false }) ? `digest of ${basename(dir)}` : null,
    record: (operation) => void recorded.push(structuredClone(operation)),
    changed: async () => undefined,
    ...given,
  }
  const arranging = createArranging(deps)
  return {
    home,
    dataDir,
    arranging,
    recorded,
    logged,
    at: (place, name) => join(dirOf(place), name ?? ''),
    skill(name, files = { 'SKILL.md': SKILL_MD }, place = 'personal') {
      const dir = join(dirOf(place), name)
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(dir, path)), { recursive: true })
        writeFileSync(join(dir, path), text)
      }
      return dir
    },
    async arrange(request) {
      const { hash } = await arranging.plan({ projectDir: null, request })
      return arranging.do({ projectDir: null, request, planHash: hash })
    },
    again: (other = {}) => createArranging({ ...deps, ...other }),
  }
}

function factsOf(path: string, home: string): SkillFacts {
  const name = basename(path)
  return { key: path, name, path, shown: path.replace(home, '~'), locked: null, notCopied: null }
}

/** Everything below a folder: contents with permissions, and where links lead. */
export function treeOf(dir: string): Record<string, string> {
  const found: Record<string, string> = {}
  const walk = (at: string, path: string) => {
    for (const name of readdirSync(at)) {
      const [inner, key] = [join(at, name), path === '' ? name : `${path}/${name}`]
      const stat = lstatSync(inner)
      const mode = (stat.mode & 0o777).toString(8)
      if (stat.isSymbolicLink()) found[key] = `-> ${readlinkSync(inner)}`
      else if (stat.isDirectory()) {
        found[key] = `folder ${mode}`
        walk(inner, key)
      } else found[key] = stat.isFile() ? `${mode} ${readFileSync(inner, 'latin1')}` : 'special'
    }
  }
  if (lstatSync(dir, { throwIfNoEntry: false })) walk(dir, '')
  return found
}

/** Names in a folder; none where it is not there. */
export function namesIn(dir: string): string[] {
  return lstatSync(dir, { throwIfNoEntry: false }) ? readdirSync(dir).sort() : []
}

export function link(target: string, path: string): void {
  symlinkSync(target, path)
}

export function removeAll(dir: string): void {
  const open = (at: string) => {
    const stat = lstatSync(at, { throwIfNoEntry: false })
    if (!stat?.isDirectory()) return
    chmodSync(at, 0o700)
    for (const name of readdirSync(at)) open(join(at, name))
  }
  open(dir)
  rmSync(dir, { recursive: true, force: true })
}
