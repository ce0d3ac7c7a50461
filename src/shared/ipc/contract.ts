import { z } from 'zod'
import { AgentMode, AgentScope, AgentSummary } from '../domain/agent'
import { Decision, RequestDetail, RequestSummary } from '../domain/approval'
import { OutputChunk, Run } from '../domain/run'
import { ARRANGE_CALLS } from '../domain/arranging'
import { AUDIT_CALLS, AuditFilter, AuditFormat } from '../domain/audit'
import { CallContext, ModelCall } from '../domain/context'
import { McpServerInput, McpView } from '../domain/mcp'
import { Project } from '../domain/project'
import { ChatPage, ChatPlace, SessionDetail, SessionEvent, SessionSummary } from '../domain/session'
import { ChangeSet, ChangeTexts, UndoResult } from '../domain/run-changes'
import {
  InterpreterView,
  LocalServer,
  ModelRef,
  ProviderAnswer,
  ProviderInput,
  ProviderView,
  SettingsChange,
  SettingsView,
  UnsavedProvider,
  WindowPlace,
} from '../domain/settings'
import { FileRule, NewRule, RuleChange, RuleList } from '../domain/rule'
import { ProjectReview } from '../domain/project-review'
import { EDITOR_CALLS } from '../domain/editing'
import { PreparedEnvironment } from '../domain/environment'
import { HostGrant } from '../domain/host-grant'
import { SecretInput, SecretName, SecretView } from '../domain/secret'
import { ComparedFile, SkillCatalogue, SkillChanges, SkillDetail, SkillHit, SkillUse } from '../domain/skill'
import { SKILL_PAGE_CALLS } from '../domain/skill-page'
import { AppEvent } from '../events'
import { call, stream } from './define'

const Id = z.string().min(1).max(100)
const Dir = z.string().min(1).max(4096)
const ProjectRef = z.object({ projectDir: Dir.nullable() })
const CallNumber = z.number().int().positive().nullable()
const Nothing = z.object({})
const Done = z.object({})

/** THE contract between the page and main: a new call is one line here and one in `handlers.ts`. */
export const contract = {
  // Skills: what is on disk and which copy is used, as seen from a project (or from none).
  'skills.watch': stream(ProjectRef, SkillChanges),
  'skills.get': call(ProjectRef.extend({ key: z.string().max(5000) }), SkillDetail),
  'skills.readFile': call(
    ProjectRef.extend({ key: z.string().max(5000), path: z.string().max(4096) }),
    z.object({ text: z.string().nullable(), size: z.number(), cut: z.boolean() }),
  ),
  /** `argument-hint` of these skills, by key; those without one are left out. */
  'skills.argumentHints': call(
    ProjectRef.extend({ keys: z.array(z.string().max(5000)).max(20) }),
    z.record(z.string(), z.string()),
  ),
  /** Looks at every folder again now. */
  'skills.rescan': call(Nothing, Done),
  /** Shows a folder that is searched in the file manager; `location` as the list names it. */
  'skills.revealRoot': call(ProjectRef.extend({ location: z.string().max(5000) }), Done),
  /** Opens the system's terminal in it. Throws `not_ready` with the reason. */
  'skills.openTerminal': call(ProjectRef.extend({ location: z.string().max(5000) }), Done),
  /** Two copies, file by file, as they are on disk now; at most 2,000 files. */
  'skills.compare': call(
    ProjectRef.extend({ left: z.string().max(5000), right: z.string().max(5000) }),
    z.object({ files: z.array(ComparedFile), cut: z.boolean() }),
  ),
  /** Copies that were ever used, with their runs of the last 30 days. */
  'skills.use': call(Nothing, z.array(SkillUse)),
  /** Of the next call of this chat; null, or a chat of another project: of a new one there. */
  'skills.catalogue': call(ProjectRef.extend({ sessionId: Id.nullable() }), SkillCatalogue),
  'skills.search': call(ProjectRef.extend({ query: z.string().max(500) }), z.array(SkillHit)),
  /** Turns a skill off or on again: everywhere, in a project, or for an agent. By name, so that no other copy takes over. */
  'skills.switch': call(
    ProjectRef.extend({ name: z.string().max(200), agent: z.string().max(200).optional(), on: z.boolean() }),
    Done,
  ),
  /** The same for many, as one change: what is written so already stays. */
  'skills.switchMany': call(
    ProjectRef.extend({ names: z.array(z.string().max(200)).max(1000), on: z.boolean() }),
    z.object({ refused: z.array(z.string()) }),
  ),
  /** Whether a name is on for each agent here, apart from what is off for all of them. */
  'skills.agentSwitches': call(
    ProjectRef.extend({ name: z.string().max(200) }),
    z.array(z.object({ agent: z.string(), on: z.boolean() })),
  ),
  /** Uses this copy in the project whatever ranks higher; null undoes the choice. */
  'skills.pin': call(
    z.object({ projectDir: Dir, name: z.string().max(200), key: z.string().max(5000).nullable() }),
    Done,
  ),
  ...SKILL_PAGE_CALLS,

  // The editor: files of a skill as a person changes them.
  ...EDITOR_CALLS,

  // Arranging: everything that writes skill folders.
  ...ARRANGE_CALLS,

  // Projects: folders that a person opened.
  'projects.list': call(Nothing, z.array(Project)),
  'projects.open': call(z.object({ dir: Dir }), Project),
  'projects.review': call(z.object({ dir: Dir }), ProjectReview),
  'projects.trust': call(z.object({ dir: Dir, trusted: z.boolean() }), Project),

  // Agents: who a chat can be with, as seen from a project (or from none); `agents.changed` says to ask again.
  'agents.list': call(
    ProjectRef,
    z.object({
      agents: z.array(AgentSummary),
      /** Folders that could not be used, and why. */
      notes: z.array(z.string()),
    }),
  ),

  'agents.reveal': call(ProjectRef.extend({ name: z.string().max(100), scope: AgentScope }), Done),

  // Sessions: chats.
  'sessions.list': call(Nothing, z.array(SessionSummary)),
  /** Without a model: the agent's own, else the default one. Without an agent: General. */
  'sessions.create': call(
    ProjectRef.extend({ model: ModelRef.optional(), agent: z.string().max(100).optional() }),
    SessionDetail,
  ),
  'sessions.rename': call(z.object({ sessionId: Id, title: z.string().min(1).max(200) }), Done),
  'sessions.delete': call(z.object({ sessionId: Id }), Done),
  'sessions.send': call(
    z.object({ sessionId: Id, text: z.string().min(1).max(400_000) }),
    z.object({ messageId: Id, queued: z.boolean() }),
  ),
  /** Says another text in the place of an earlier message; what followed that one stays as a branch. */
  'sessions.edit': call(
    z.object({ sessionId: Id, messageId: Id, text: z.string().min(1).max(400_000) }),
    z.object({ messageId: Id }),
  ),
  /** Asks for another answer in the place of this one, which stays as a branch. */
  'sessions.retry': call(z.object({ sessionId: Id, messageId: Id }), Done),
  /** Shows the branch that was written last under this message, and goes on from there. */
  'sessions.showBranch': call(z.object({ sessionId: Id, messageId: Id }), Done),
  /** Takes a message out of the queue. */
  'sessions.unqueue': call(z.object({ sessionId: Id, messageId: Id }), Done),
  'sessions.stop': call(z.object({ sessionId: Id, force: z.boolean().default(false) }), Done),
  /** Summarises older messages (R20); ends when it is done. */
  'sessions.compact': call(z.object({ sessionId: Id }), Done),
  'sessions.resume': call(z.object({ sessionId: Id }), Done),
  'sessions.setDraft': call(z.object({ sessionId: Id, text: z.string().max(400_000) }), Done),
  'sessions.setModel': call(z.object({ sessionId: Id, model: ModelRef }), Done),
  /** Uses or leaves a model that a skill or another agent prefers. */
  'sessions.chooseModel': call(
    z.object({
      sessionId: Id,
      of: z.enum(['skill', 'agent']),
      key: z.string().max(5000),
      model: ModelRef,
      choice: z.enum(['use', 'keep']),
    }),
    Done,
  ),
  /** Another agent, while nothing was said yet. */
  'sessions.setAgent': call(z.object({ sessionId: Id, name: z.string().max(100) }), Done),
  /** The agent's file of now in the place of the one that the chat began with. */
  'sessions.takeNewAgent': call(z.object({ sessionId: Id }), Done),
  /** Lets the tools that the file of a project allows be used without asking, until the file changes. */
  'sessions.confirmTools': call(z.object({ sessionId: Id }), Done),
  /** How requests of the chat are decided; null: as its agent says. */
  'sessions.setMode': call(z.object({ sessionId: Id, mode: AgentMode.nullable() }), Done),
  /** Ends what runs and starts no more steps, in every chat. */
  'sessions.pauseAll': call(Nothing, z.object({ paused: z.number() })),
  'sessions.loadSkill': call(z.object({ sessionId: Id, name: z.string().max(200) }), Done),
  /** A person's own run of a script: a request like an agent's. */
  'sessions.runScript': call(z.object({ sessionId: Id, input: z.record(z.string(), z.unknown()) }), Done),
  'sessions.unloadSkill': call(z.object({ sessionId: Id, name: z.string().max(200) }), Done),
  /** `endFirst`: the end of a long chat comes before what all of its rows decide, which is told a moment later. */
  'sessions.watch': stream(z.object({ sessionId: Id, endFirst: z.boolean().optional() }), SessionEvent),
  /** The rows of the shown branch that lie before a page. */
  'sessions.page': call(z.object({ sessionId: Id, before: ChatPlace }), ChatPage),

  // Context: what a model was sent, call by call (G6). Without a number: what the next call would be.
  'context.list': call(z.object({ sessionId: Id }), z.array(ModelCall)),
  'context.get': call(z.object({ sessionId: Id, number: CallNumber }), CallContext),
  'context.message': call(
    z.object({ sessionId: Id, number: CallNumber, index: z.number().int().nonnegative() }),
    z.object({ text: z.string() }),
  ),

  // Approvals: what waits for a person.
  'approvals.list': call(Nothing, z.array(RequestSummary)),
  'approvals.get': call(z.object({ requestId: Id }), RequestDetail),
  'approvals.decide': call(Decision, RequestSummary),
  /** Refuses everything that waits. */
  'approvals.extend': call(z.object({ requestId: Id }), z.object({ endsAt: z.number() })),
  'approvals.denyAll': call(Nothing, z.object({ denied: z.number() })),
  /** Those that wait no more, the newest first. */
  'approvals.history': call(
    z.object({ before: z.number().optional(), limit: z.number().int().min(1).max(200) }),
    z.array(RequestSummary),
  ),

  // Rules: decisions that are used again; `rules.changed` says to ask again.
  'rules.list': call(Nothing, RuleList),
  'rules.change': call(RuleChange, Done),
  'rules.create': call(NewRule, z.object({ id: Id })),
  /** Of the last 200 requests. */
  /** Asks where, and saves the person's rules there; a null path: nowhere. */
  'rules.export': call(Nothing, z.object({ path: z.string().nullable(), count: z.number() })),
  /** What a file of rules holds; nothing is saved by it. */
  'rules.readFile': call(z.object({ text: z.string().max(2_000_000) }), z.array(FileRule)),
  'rules.import': call(
    z.object({ text: z.string().max(2_000_000), chosen: z.array(z.number().int().nonnegative()).max(1000) }),
    z.object({ added: z.number() }),
  ),
  'rules.wouldMatch': call(
    z.object({ id: Id }),
    z.object({ matched: z.number(), of: z.number(), requestIds: z.array(z.string()) }),
  ),

  // Runs: executions of scripts.
  'runs.get': call(z.object({ runId: Id }), Run),
  /** Proves the sandbox now, whatever was proved before; Settings show what came of it. */
  'runs.testSandbox': call(Nothing, Done),
  'runs.interpreters': call(Nothing, z.array(InterpreterView)),
  'runs.input': call(z.object({ runId: Id, data: z.string().max(64_000) }), Done),
  'runs.resize': call(
    z.object({ runId: Id, cols: z.number().int().min(2).max(500), rows: z.number().int().min(2).max(300) }),
    Done,
  ),
  'runs.kill': call(z.object({ runId: Id, force: z.boolean().default(false) }), Done),
  /** What it changed, and each undo of that, beside what is there now. */
  'runs.changes': call(z.object({ runId: Id }), z.array(ChangeSet)),
  'runs.changeTexts': call(z.object({ setId: Id, n: z.number().int().nonnegative() }), ChangeTexts),
  /** Takes changes back, all of them or these; what changed again since only where `overwrite` names what was seen. */
  'runs.undo': call(
    z.object({
      setId: Id,
      files: z
        .array(z.object({ n: z.number().int().nonnegative(), overwrite: z.string().max(10_000).optional() }))
        .max(10_000)
        .optional(),
    }),
    UndoResult,
  ),
  /** Goes on with an undo that the end of the app broke off. */
  'runs.continueUndo': call(z.object({ setId: Id }), UndoResult),
  /** `answers`: for a terminal that answers what a full-screen program asks. */
  'runs.output': stream(
    z.object({ runId: Id, from: z.number().int().nonnegative(), answers: z.boolean().optional() }),
    OutputChunk,
  ),

  // Audit: the record of what happened.
  ...AUDIT_CALLS,
  /** Asks where to save, and saves what fits; nulls: the person thought better of it. */
  'audit.export': call(
    z.object({ filter: AuditFilter, upTo: z.number().int().nonnegative(), format: AuditFormat }),
    z.object({ path: z.string().nullable(), rows: z.number().nullable() }),
  ),

  // Settings and providers.
  'settings.get': call(Nothing, SettingsView),
  'settings.set': call(SettingsChange, SettingsView),
  'window.setPlace': call(WindowPlace, Done),
  'providers.save': call(ProviderInput, ProviderView),
  'providers.delete': call(z.object({ id: Id }), Done),
  'providers.check': call(z.object({ id: Id }), ProviderAnswer),
  /** The same of one that is not saved; nothing of it is kept. */
  'providers.checkUnsaved': call(UnsavedProvider, ProviderAnswer),
  'providers.detect': call(Nothing, z.array(LocalServer)),

  // Secrets: by name, never a value (security.md 4.1).
  'secrets.list': call(Nothing, z.array(SecretView)),
  'secrets.save': call(SecretInput, Done),
  'secrets.delete': call(z.object({ name: SecretName }), Done),
  /** For the skill of a waiting request, with the contents that it has there; the request is then asked anew. */
  'secrets.grant': call(z.object({ name: SecretName, requestId: Id }), Done),
  'secrets.revoke': call(z.object({ name: SecretName, skillKey: z.string().max(5000) }), Done),

  // Hosts that scripts of skills may reach.
  'hosts.list': call(Nothing, z.array(HostGrant)),
  /** For the skill of a waiting request, which asks for it, with the contents that it has there; then asked anew. */
  'hosts.grant': call(z.object({ host: z.string().max(300), requestId: Id }), Done),
  'hosts.revoke': call(z.object({ host: z.string().max(300), skillKey: z.string().max(5000) }), Done),

  // Packages that were prepared for scripts of skills.
  'environments.list': call(Nothing, z.array(PreparedEnvironment)),
  'environments.remove': call(z.object({ id: Id }), Done),

  // MCP servers, of the person's own file; `mcp.changed` says to ask again.
  'mcp.list': call(Nothing, McpView),
  /** Starts one again that failed. */
  'mcp.again': call(z.object({ name: z.string().max(60) }), Done),
  /** Writes one into the file; throws `bad_input`, `not_ready`. */
  'mcp.save': call(McpServerInput, McpView),
  'mcp.remove': call(z.object({ name: z.string().max(60) }), McpView),

  // The desktop: each goes to one checked function of main/electron.
  'desktop.pickFolder': call(Nothing, z.object({ dir: z.string().nullable() })),
  'desktop.openExternal': call(z.object({ url: z.string().max(4096) }), Done),
  /** True where a terminal was found. */
  'desktop.hasTerminal': call(Nothing, z.object({ found: z.boolean() })),
  'desktop.reveal': call(z.object({ key: z.string().max(5000) }), Done),

  events: stream(Nothing, AppEvent),
}
export type AppContract = typeof contract
