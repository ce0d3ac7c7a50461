import { statSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Project } from '@shared/domain/project'
import { AppError } from '@shared/errors'
import type { Audit } from '../audit/audit'
import type { Db } from '../db/open'
import { getProject, listProjects, setTrust, upsertProject, type ProjectRow } from '../db/project-rows'
import { isInside } from '../lib/contain'
import { faultPoint } from '../lib/fault-point'
import { instructionsFile } from '../lib/instructions-file'

/** Folders that a person opened, and whether they trust what the folder brings (F6). */
export interface Projects {
  list(): Project[]
  /** Throws `not_found` or `bad_input` when it isn't a folder that can be opened. */
  open(dir: string): Promise<Project>
  trust(dir: string, trusted: boolean): Project
  isTrusted(dir: string): boolean
  rows(): ProjectRow[]
}

export interface ProjectDeps {
  db: Db
  audit: Audit
  homeDir: string
  dataDir: string
  /** How many skills the folder brings, trusted or not. */
  skillsOf(dir: string): number
  changed(): Promise<void>
  now(): number
}

export function createProjects(deps: ProjectDeps): Projects {
  const view = (row: ProjectRow): Project => ({
    ...row,
    exists: isFolder(row.dir),
    skills: deps.skillsOf(row.dir),
    instructions: instructionsIn(row.dir),
  })
  const known = (dir: string): ProjectRow => {
    const row = getProject(deps.db.sql, dir)
    if (!row) throw new AppError('not_found', 'This project is not open. Open its folder first.')
    return row
  }
  return {
    list: () => listProjects(deps.db.sql).map(view),
    async open(dir) {
      const real = await checkFolder(deps, dir)
      deps.db.tx(() => upsertProject(deps.db.sql, { dir: real, name: basename(real), openedAt: deps.now() }))
      await deps.changed()
      return view(known(real))
    },
    trust(dir, trusted) {
      known(dir)
      deps.db.durable(() => {
        faultPoint('trust.before-save')
        setTrust(deps.db.sql, dir, trusted)
        deps.audit.append({
          actor: 'person',
          action: trusted ? 'project.trusted' : 'project.untrusted',
          sessionId: null,
          target: dir,
          data: { skills: deps.skillsOf(dir) },
        })
      })
      void deps.changed()
      return view(known(dir))
    },
    isTrusted: (dir) => getProject(deps.db.sql, dir)?.trusted ?? false,
    rows: () => listProjects(deps.db.sql),
  }
}

/** A project is writable for scripts, so it can't be the whole disk, the home folder, or hold the app's own data. */
async function checkFolder(deps: ProjectDeps, dir: string): Promise<string> {
  let real: string
  try {
    real = await realpath(dir)
  } catch {
    throw new AppError(
      'not_found',
      `The folder "${basename(dir)}" doesn't exist or can't be read. Choose another one.`,
    )
  }
  if (!isFolder(real)) throw new AppError('bad_input', `"${basename(real)}" is a file. Choose a folder.`)
  const [home, data] = await Promise.all([realpath(deps.homeDir), realpath(deps.dataDir)])
  // What is trusted without asking must not be writable for scripts: the app's data and the personal skills.
  const kept = [data, join(home, '.satchel'), join(home, '.agents')]
  const overlaps = kept.some((folder) => isInside(real, folder) || isInside(folder, real))
  if (dirname(real) === real || isInside(real, home) || overlaps) {
    throw new AppError(
      'bad_input',
      "Scripts may write in a project, so it can't be the whole disk, a folder that holds your home folder, Satchel's data or your personal skills, or one inside these. Choose another folder.",
    )
  }
  return real
}

/** None where the folder can't be looked at. */
function instructionsIn(dir: string): string | null {
  try {
    return instructionsFile(dir)
  } catch {
    return null // no right to look: reading them later would fail too
  }
}

function isFolder(dir: string): boolean {
  try {
    return statSync(dir).isDirectory()
  } catch {
    return false // gone, or in a folder that can't be read: either way it can't be used
  }
}
