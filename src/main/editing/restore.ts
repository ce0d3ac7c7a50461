import { AppError } from '@shared/errors'
import {
  inTurn,
  keepVersion,
  tellSaved,
  writableFolder,
  type Editing,
  type SkillFolder,
  type VersionFile,
} from './context'

export interface RestoreInput {
  key: string
  /** The version that is to be there again. */
  digest: string
  /** What the person saw to be there now. */
  expected: string
}

/**
 * Makes the files of a skill those of a version. What is there now is kept as a version first; when it is not what the
 * person saw, nothing is written. Files that no version can hold stay. Throws `stale`, `too_large`, `bad_input`,
 * `not_found`.
 */
export function restoreVersion(deps: Editing, input: RestoreInput): Promise<{ kept: string }> {
  return inTurn(deps, input.key, async () => {
    const { key, digest, expected } = input
    const folder = writableFolder(deps, key)
    const wanted = await deps.versions.files(digest)
    const kept = await keepVersion(deps, key)
    if (kept === null) throw tooLarge(folder)
    if (kept !== expected) throw changed(folder)
    const there = await deps.versions.files(kept)
    const steps = stepsOf(there, wanted)
    for (const path of steps.folders) await refuseLoss(deps, folder, path, there)
    for (const path of [...steps.inTheWay, ...steps.folders]) await deps.files.remove(folder.rootDir, path)
    for (const file of steps.write) await put(deps, folder, { digest, file })
    for (const path of steps.remove) await deps.files.remove(folder.rootDir, path)
    deps.db.durable(() =>
      deps.audit.append({
        actor: 'person',
        action: 'skill.restored',
        sessionId: null,
        target: folder.name,
        data: { key, to: digest, kept },
      }),
    )
    // What comes back was not written in the editor now: nothing vouches for it.
    await tellSaved(deps, key, { kept, change: { t: 'none' }, how: 'restored' })
    return { kept }
  })
}

interface Steps {
  /** Files where a folder has to be. */
  inTheWay: string[]
  /** Folders where a file has to be. */
  folders: string[]
  write: VersionFile[]
  /** Last, so that a full disk takes nothing away. */
  remove: string[]
}

function stepsOf(there: readonly VersionFile[], wanted: readonly VersionFile[]): Steps {
  const now = new Map(there.map((file) => [file.path, file]))
  const next = new Set(wanted.map(({ path }) => path))
  const gone = there.map(({ path }) => path).filter((path) => !next.has(path))
  const inTheWay = gone.filter((path) => wanted.some((file) => file.path.startsWith(`${path}/`)))
  const folders = wanted
    .map(({ path }) => path)
    .filter((path) => there.some((file) => file.path.startsWith(`${path}/`)))
  return {
    inTheWay,
    folders,
    write: wanted.filter(({ path, sha256, executable }) => {
      const file = now.get(path)
      return file?.sha256 !== sha256 || file.executable !== executable
    }),
    remove: gone.filter(
      (path) => !inTheWay.includes(path) && !folders.some((folder) => path.startsWith(`${folder}/`)),
    ),
  }
}

/** A folder goes only when the version that was just kept has all that is in it. */
async function refuseLoss(
  { files }: Editing,
  { rootDir }: SkillFolder,
  path: string,
  there: readonly VersionFile[],
): Promise<void> {
  const kept = new Set(there.map((file) => file.path))
  const lost = (await files.inside(rootDir, path)).find((inside) => !kept.has(inside))
  if (lost === undefined) return
  throw new AppError('bad_input', `"${lost}" can't be kept, so nothing was changed. Move it elsewhere first.`)
}

async function put(
  deps: Editing,
  { rootDir }: SkillFolder,
  { digest, file: { path, executable } }: { digest: string; file: VersionFile },
): Promise<void> {
  const bytes = await deps.versions.read(digest, path)
  const now = await deps.files.read(rootDir, path, Infinity)
  const keeps = now
    ? { ...now.keeps, mode: executable ? now.keeps.mode | 0o100 : now.keeps.mode & ~0o111 }
    : { mode: executable ? 0o755 : 0o644, uid: -1, gid: -1 }
  await deps.files.write(rootDir, path, { bytes, before: now?.sha256 ?? null, keeps }, () => undefined)
}

function tooLarge({ name }: SkillFolder): AppError {
  return new AppError(
    'too_large',
    `"${name}" is too large to be kept as it is now, so nothing was changed. Copy its folder elsewhere first.`,
  )
}

function changed({ name }: SkillFolder): AppError {
  return new AppError(
    'stale',
    `The files of "${name}" changed meanwhile, so nothing was changed. Look again.`,
  )
}
