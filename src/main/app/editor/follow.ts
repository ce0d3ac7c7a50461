import { statSync } from 'node:fs'
import type { Arranging } from '../../arranging/service'
import type { EditingService } from '../../editing/service'
import type { Registry } from '../../skills/registry/registry'
import type { SkillRecord } from '../../skills/record'

export interface FollowDeps {
  registry: Pick<Registry, 'all' | 'record'>
  arranging: Pick<Arranging, 'wentTo'>
  editing: Pick<EditingService, 'followMoved'>
  now(): number
}

/** Skills that are open in the editor, found again where another program gave them another name or place. */
export interface SkillFollow {
  /** It is open: its folder is known again from now on. */
  note(key: string): void
  /** The key that it has now, once what was typed is there too; null: it is still there, gone, or not listed yet. */
  follow(key: string): string | null
}

interface Noted {
  mark: string
  at: number
}

export function createSkillFollow(deps: FollowDeps): SkillFollow {
  const open = new Map<string, Noted>()
  return {
    note(key) {
      const mark = markOf(pathIn(key))
      // Since when it is this folder: what was done with another one of its name before says nothing of it.
      if (mark !== null && open.get(key)?.mark !== mark) open.set(key, { mark, at: deps.now() })
    },
    follow(key) {
      const noted = open.get(key)
      const record = noted && !deps.registry.record(key) ? recordNow(deps, key, noted) : undefined
      if (!record) return null
      deps.editing.followMoved(pathIn(key), { key: record.key, path: record.rootDir })
      return record.key
    },
  }
}

/** By what another Satchel noted; else the same folder elsewhere in its scope. */
function recordNow({ registry, arranging }: FollowDeps, key: string, noted: Noted): SkillRecord | undefined {
  const path = arranging.wentTo(pathIn(key), noted.at)
  if (path !== null) return registry.all().find(({ rootDir }) => rootDir === path)
  const scope = key.slice(0, key.indexOf(':'))
  return registry.all().find((other) => other.scope === scope && markOf(other.rootDir) === noted.mark)
}

/** Numbers of deleted folders are given out again; the time of birth tells them apart. Null: nothing is there. */
function markOf(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.dev}:${stat.ino}:${stat.birthtimeNs}` : null
}

function pathIn(key: string): string {
  return key.slice(key.indexOf(':') + 1)
}
