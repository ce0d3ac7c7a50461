import type { SkillFile } from '@shared/domain/skill'

/** A file or folder of the tree, in the order in which it is drawn. */
export interface TreeRow {
  /** Relative to the skill. */
  path: string
  name: string
  /** From 1. */
  level: number
  /** Null for a file. */
  open: boolean | null
  isScript: boolean
}

/** SKILL.md first, then folders with what is in them, then files; closed folders hide what is in them. */
export function treeRows(
  files: readonly SkillFile[],
  folders: readonly string[],
  closed: ReadonlySet<string>,
): TreeRow[] {
  const below = new Map<string, { folders: string[]; files: SkillFile[] }>()
  const at = (path: string) => {
    const known = below.get(path) ?? { folders: [], files: [] }
    below.set(path, known)
    return known
  }
  for (const folder of folders) at(parentOf(folder)).folders.push(folder)
  for (const file of files) at(parentOf(file.path)).files.push(file)
  const rowsIn = (path: string, level: number): TreeRow[] => {
    const { folders, files } = at(path)
    return [
      ...folders.flatMap((folder): TreeRow[] => {
        const open = !closed.has(folder)
        const row = { path: folder, name: nameOf(folder), level, open, isScript: false }
        return open ? [row, ...rowsIn(folder, level + 1)] : [row]
      }),
      ...files.map(({ path, isScript }) => ({ path, name: nameOf(path), level, open: null, isScript })),
    ]
  }
  const rows = rowsIn('', 1)
  const main = rows.filter(({ path }) => isMain(path))
  return [...main, ...rows.filter(({ path }) => !isMain(path))]
}

export const isMain = (path: string): boolean => /^skill\.md$/i.test(path)

export function parentOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
