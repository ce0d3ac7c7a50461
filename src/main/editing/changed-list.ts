import type { VersionFile } from './context'

/** One change of the files of a skill, as it changes their list. */
export type FileStep =
  | { t: 'none' }
  /** New contents of a file, which keeps its rights, or a new one. */
  | { t: 'write'; path: string; sha256: string; size: number }
  | { t: 'rename'; path: string; to: string }
  | { t: 'delete'; path: string }
  | { t: 'add'; files: readonly VersionFile[] }

/** The files of a skill after a change. */
export function changedList(files: readonly VersionFile[], step: FileStep): VersionFile[] {
  switch (step.t) {
    case 'write': {
      const { path, sha256, size } = step
      const executable = files.find((file) => file.path === path)?.executable ?? false
      return [...files.filter((file) => file.path !== path), { path, sha256, size, executable }]
    }
    case 'rename':
      return files.map((file) =>
        isBelow(file.path, step.path) ? { ...file, path: step.to + file.path.slice(step.path.length) } : file,
      )
    case 'delete':
      return files.filter((file) => !isBelow(file.path, step.path))
    case 'add':
      return [...files, ...step.files]
    case 'none':
    default:
      return [...files]
  }
}

/** True for the path itself too. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}
