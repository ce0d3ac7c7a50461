import type { ActiveSkill } from '@shared/domain/session'
import type { DisclosureStyle, ModelRef, Settings } from '@shared/domain/settings'
import type { SessionRow } from '../db/session-rows'
import type { AppEvent } from '@shared/events'
import type { Broker } from '../approvals/broker'
import type { Rules } from '../approvals/rules/rules'
import type { SnapshotReader } from '../approvals/request-view'
import type { Audit } from '../audit/audit'
import type { Agents } from '../agents/registry'
import type { Db } from '../db/open'
import type { Log } from '../lib/log'
import type { Llm } from '../llm/types'
import type { Mcp } from '../mcp/servers'
import type { Environments } from '../runs/environments/service'
import type { Runs } from '../runs/service'
import type { Registry } from '../skills/registry/registry'
import type { HostGrants } from '../settings/host-grants'
import type { SecretStore } from '../settings/secrets'
import type { Store } from '../skills/store/store'
import type { Undo } from '../undo/service'
import type { Live } from './history/live'
import type { Owner } from './turn/owner'
import type { SkillBodies } from './instructions/skill-bodies'

/** What composing a call needs: nothing of it is written. */
export type ComposeDeps = Pick<
  SessionDeps,
  'agents' | 'bodies' | 'currentDigest' | 'givenStyle' | 'isTrusted' | 'log' | 'registry' | 'settings'
> & {
  db: Pick<Db, 'sql'>
  llm: Pick<Llm, 'contextWindow'>
  mcp: Pick<Mcp, 'tools'>
}

/** What the sessions part works with; built in `app.ts`. */
export interface SessionDeps {
  db: Db
  audit: Audit
  agents: Pick<Agents, 'find' | 'get'>
  broker: Broker
  rules: Rules
  /** The command was told to allow nothing: then no rule does either. */
  ignoresRules?: boolean | undefined
  registry: Registry
  /** Why the organisation keeps these bytes of a skill from being used; null: it does not. */
  whyBlocked(skill: Pick<ActiveSkill, 'name' | 'scope'>, digest: string): string | null
  store: Store
  snapshots: SnapshotReader
  runs: Runs
  /** Secrets of the person: which a skill is given; values only to take them out of results. */
  secrets: Pick<SecretStore, 'held' | 'list' | 'wishes'>
  /** Hosts that the person lets scripts of a skill reach. */
  hosts: Pick<HostGrants, 'given'>
  /** Packages that were prepared for scripts. */
  environments: Environments
  /** Files that runs change, and taking that back. */
  undo: Pick<Undo, 'prepare' | 'before' | 'after' | 'forget'>
  llm: Llm
  mcp: Pick<Mcp, 'call' | 'ready' | 'tools'>
  /** The model's provider is set up, with its key where it needs one. */
  isModelReady(model: ModelRef): boolean
  live: Live
  /** Chats whose turn is under way in this process: the rest of one that could not be saved is no running chat. */
  inTurn: Set<string>
  owner: Owner
  bodies: SkillBodies
  /** Digests of skills as they are on disk now, by key; null: not known or gone. */
  currentDigest(key: string): string | null
  settings(): Settings
  /** The project, or a folder of the chat's own; made if missing. Throws when the project is gone. */
  workspaceOf(session: SessionRow): Promise<string>
  /** Real paths of the app's own data, which no tool sees. */
  hiddenFolders: readonly string[]
  /** Notes of files that are being written (`removeLeftWrites`). */
  writingDir: string
  isTrusted(projectDir: string): boolean
  /**
   * Takes a chat that a call began as far as it goes, under the stop of the turn. Set while a turn carries out calls.
   */
  runChild?(sessionId: string, signal: AbortSignal): Promise<void>
  /** Counts for every chat of this program, whatever its agent says: the command was given it. */
  givenStyle?: DisclosureStyle | undefined
  emit(event: AppEvent): void
  now(): number
  log: Log
}
