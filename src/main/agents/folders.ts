import { readdirSync, realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { AgentScope } from '@shared/domain/agent'
import { problem } from '@shared/skill-md/problem'
import { whyFolderNotAdmins } from '../lib/admin-owned'
import { isInside } from '../lib/contain'
import { readRegular } from '../lib/data-file'
import { sha256 } from '../lib/hash'
import { MAX_AGENT_FILE, parseAgent, unusable } from './parse'
import type { ParsedAgent } from './parse'

/** Where agents' files are. */
export interface AgentPlaces {
  homeDir: string
  /** Holds `agents/`, the bundled ones. */
  resourcesDir: string
  /** Holds `agents/`, the Enterprise ones; null: there is none. */
  policyDir: string | null
  /** Folders that a person opened; real paths. */
  projects: readonly string[]
}

/** A folder that is looked into. */
export interface AgentFolder {
  dir: string
  scope: AgentScope
  projectDir: string | null
  /** How it is shown. */
  label: string
}

/** One file as it is on disk now. */
export interface AgentFile {
  agent: ParsedAgent
  scope: AgentScope
  projectDir: string | null
  path: string
  /** For display: starts at ~ or at the project. */
  location: string
  digest: string
  /** What was read; empty when the file could not be. */
  bytes: Buffer
}

/** More files than this in one folder are no profiles. */
const MAX_FILES = 200

export function agentFolders({ homeDir, resourcesDir, policyDir, projects }: AgentPlaces): AgentFolder[] {
  const enterprise = policyDir === null ? [] : [join(policyDir, 'agents')]
  return [
    ...enterprise.map((dir) => ({ dir, scope: 'enterprise' as const, projectDir: null, label: dir })),
    {
      dir: join(homeDir, '.satchel', 'agents'),
      scope: 'personal',
      projectDir: null,
      label: '~/.satchel/agents',
    },
    ...projects.map((projectDir) => ({
      dir: join(projectDir, '.satchel', 'agents'),
      scope: 'project' as const,
      projectDir,
      label: `${basename(projectDir)}/.satchel/agents`,
    })),
    { dir: join(resourcesDir, 'agents'), scope: 'bundled', projectDir: null, label: 'Satchel/agents' },
  ]
}

/**
 * Every `*.md` of a folder but `README.md`, by name. An Enterprise folder counts only where an administrator alone can
 * write it: then `note` is null. Never throws.
 */
export function readFolder(folder: AgentFolder): { files: AgentFile[]; note: string | null } {
  const names = namesIn(folder.dir)
  if (names.length === 0) return { files: [], note: null }
  const reason = folder.scope === 'enterprise' ? whyFolderNotAdmins(folder.dir) : null
  if (reason !== null) return { files: [], note: notOwned(reason) }
  const cut = names.length > MAX_FILES ? `Only the first ${MAX_FILES} of its files are read.` : null
  return { files: names.slice(0, MAX_FILES).map((name) => readAgent(folder, name)), note: cut }
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter((name) => /^[^.].*\.md$/i.test(name) && name.toLowerCase() !== 'readme.md')
      .sort()
  } catch {
    return [] // not there, or not readable: either way it holds no agent that could be used
  }
}

function readAgent({ dir, scope, projectDir, label }: AgentFolder, fileName: string): AgentFile {
  const path = join(dir, fileName)
  const name = fileName.slice(0, -'.md'.length)
  const bytes = readBytes(path, projectDir)
  const agent =
    typeof bytes === 'string'
      ? unusable(name, [problem('error', 'unreadable', bytes, { fix: 'Replace it by a text file.' })])
      : parseAgent(bytes, name)
  const kept = typeof bytes === 'string' ? Buffer.alloc(0) : bytes
  const place = { path, location: `${label}/${fileName}` }
  return { agent, scope, projectDir, ...place, digest: sha256(kept), bytes: kept }
}

/** The bytes, or why there are none. In a project links must not lead out of it. */
function readBytes(path: string, projectDir: string | null): Buffer | string {
  try {
    const real = realpathSync(path)
    if (projectDir !== null && !isInside(projectDir, real))
      return 'The file is a link that leaves the project.'
    return readRegular(real, MAX_AGENT_FILE) ?? `It is not a file of at most ${MAX_AGENT_FILE / 1024} kB.`
  } catch {
    return "The file can't be read."
  }
}

function notOwned(reason: string): string {
  return `These Enterprise agents are not used, because ${reason}. An administrator must own the folder, and nobody else may write it.`
}
