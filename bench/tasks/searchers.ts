import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Task } from '../child'
import type { Listed } from '../lib/compare'
import { queriesFor, TYPOS } from '../lib/queries'

interface Args {
  /** List of the skills of a tree. */
  list: string
  seed: number
  /** Folder of the package, where one is measured. */
  package?: string
}

interface Engine {
  /** Folders of the skills found, best first. */
  find(query: string): string[]
}

/** Every word somewhere in the text of a row, nothing else: the least that a search over names has to do. */
export const linear: Task<Args> = async (args) =>
  measure(args, (rows) => {
    const texts = rows.map((row) => `${row.name} ${row.description}`.toLowerCase())
    return {
      find(query) {
        const words = query.toLowerCase().split(' ')
        const found: string[] = []
        for (let at = 0; at < texts.length; at++) {
          if (words.every((word) => texts[at]!.includes(word))) found.push(rows[at]!.folder)
        }
        return found
      },
    }
  })

export const minisearch: Task<Args> = async (args) => {
  const MiniSearch = createRequire(join(args.package!, 'package.json'))('minisearch') as new (
    options: object,
  ) => {
    addAll(rows: readonly Listed[]): void
    search(query: string): { id: string }[]
  }
  return measure(args, (rows) => {
    const engine = new MiniSearch({
      idField: 'folder',
      fields: ['name', 'description'],
      searchOptions: { prefix: true, fuzzy: 0.2, boost: { name: 3 }, combineWith: 'AND' },
    })
    engine.addAll(rows)
    return { find: (query) => engine.search(query).map(({ id }) => id) }
  })
}

export const fuse: Task<Args> = async (args) => {
  const Fuse = createRequire(join(args.package!, 'package.json'))('fuse.js') as new (
    rows: readonly Listed[],
    options: object,
  ) => { search(query: string, options: { limit: number }): { item: Listed }[] }
  return measure(args, (rows) => {
    const engine = new Fuse(rows, { keys: ['name', 'description'], ignoreLocation: true, threshold: 0.3 })
    return { find: (query) => engine.search(query, { limit: 50 }).map(({ item }) => item.folder) }
  })
}

function measure({ list, seed }: Args, make: (rows: Listed[]) => Engine): Awaited<ReturnType<Task<Args>>> {
  const rows = JSON.parse(readFileSync(list, 'utf8')) as Listed[]
  const started = performance.now()
  const engine = make(rows)
  const built = performance.now() - started
  const { meta } = queriesFor(seed, rows.length)
  const times = meta.map((query) => {
    const before = performance.now()
    engine.find(query)
    return performance.now() - before
  })
  return { ms: built, series: { query: times }, numbers: { typos: typosFound(engine) } }
}

/** A typo counts as found when the first ten hold a skill with the word that was meant in its name. */
function typosFound(engine: Engine): number {
  return TYPOS.filter(([typed, meant]) =>
    engine
      .find(typed)
      .slice(0, 10)
      .some((folder) => folder.includes(meant)),
  ).length
}
