import { z } from 'zod'
import { AgentMode, AgentScope } from './agent'
import { CallEdit } from './call-edit'
import { FileChange } from './file-change'
import { Scope } from './skill'
import { ModelRef } from './settings'

/** *Session* is the word for a chat in code (`ux.md` 2.1). */
export const SessionState = z.enum(['idle', 'running', 'awaiting_approval', 'interrupted'])
export type SessionState = z.infer<typeof SessionState>

/** A skill whose instructions are in this chat; the digest it was loaded with is kept (`runtime.md` 1). */
export const ActiveSkill = z.object({
  name: z.string(),
  key: z.string(),
  scope: Scope,
  digest: z.string(),
  tokens: z.number().int().nonnegative(),
  /** Step number of the load. */
  step: z.number().int().nonnegative(),
  /** The folder on disk no longer has this digest. */
  changedOnDisk: z.boolean().default(false),
  /** What it was loaded with, as it was written. */
  args: z.string().optional(),
  /** The model that it prefers, as it is written. */
  model: z.string().optional(),
  /** What the person said about that preference. */
  modelChoice: z.enum(['use', 'keep']).optional(),
  /** The model that they said it of. */
  modelChosen: ModelRef.optional(),
  /** Hooks of its end that have not run since it was loaded. */
  postHooks: z.array(z.string()).optional(),
  /** The agent always uses it: it can't be unloaded. */
  alwaysOn: z.literal(true).optional(),
})
export type ActiveSkill = z.infer<typeof ActiveSkill>

/** What the person said of the model that another agent prefers. */
export const AgentModel = z.object({ agent: z.string(), model: ModelRef, choice: z.enum(['use', 'keep']) })
export type AgentModel = z.infer<typeof AgentModel>

/** The preference for a model of an active skill, or of an agent that tasks may be handed to (R11). */
export const ModelWish = z.object({
  of: z.enum(['skill', 'agent']),
  name: z.string(),
  /** Of the skill; the name of an agent. */
  key: z.string(),
  /** As it is written. */
  wanted: z.string(),
  /** The model that is meant; null: there is none, or more than one. */
  ref: ModelRef.nullable(),
  /** Another provider than the chat's would get the conversation. */
  elsewhere: z.boolean(),
  /** `asks`: elsewhere, or it may cost more, and the person has said nothing yet; `kept`: they keep the chat's model. */
  state: z.enum(['used', 'asks', 'kept', 'unknown']),
})
export type ModelWish = z.infer<typeof ModelWish>

export const SessionSummary = z.object({
  id: z.string(),
  title: z.string(),
  /** Real path, or null for a chat without a project. */
  projectDir: z.string().nullable(),
  projectName: z.string().nullable(),
  state: SessionState,
  waiting: z.number().int().nonnegative(),
  model: ModelRef,
  createdAt: z.number(),
  updatedAt: z.number(),
})
export type SessionSummary = z.infer<typeof SessionSummary>

export const Usage = z.object({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  /** Parts of the above, where the provider counted them: input from and into its cache, output that was reasoning. */
  cacheReadTokens: z.number().int().nonnegative().optional(),
  cacheWriteTokens: z.number().int().nonnegative().optional(),
  reasoningTokens: z.number().int().nonnegative().optional(),
})
export type Usage = z.infer<typeof Usage>

/** A tool part holds only the call's id: state lives in the call's row, once (`architecture.md` 2.4). */
export const Part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('reasoning'), text: z.string() }),
  z.object({ type: z.literal('tool'), callId: z.string() }),
  z.object({
    type: z.literal('error'),
    /** A code of the provider or of `errors.ts`. */
    code: z.string(),
    message: z.string(),
    /** What the person can do, one sentence. */
    action: z.string(),
  }),
  /** Older messages in fewer words (R20): the model gets this in their place, and they stay in the chat. */
  z.object({
    type: z.literal('compaction'),
    text: z.string(),
    /** `seq` of the last message that it stands for. */
    upTo: z.number().int().nonnegative(),
    /** Ids of older messages that the model still gets, for the text of a skill in their results. */
    kept: z.array(z.string()),
    /** Estimated tokens of the messages, and of the summary. */
    before: z.number().int().nonnegative(),
    after: z.number().int().nonnegative(),
  }),
])
export type Part = z.infer<typeof Part>

export const Message = z.object({
  id: z.string(),
  sessionId: z.string(),
  /** Order within the chat, from 1. */
  seq: z.number().int().positive(),
  /** `note`: steps of the person beside the conversation; never sent to a model. */
  role: z.enum(['user', 'assistant', 'note']),
  status: z.enum(['queued', 'streaming', 'done', 'stopped', 'interrupted', 'error']),
  parts: z.array(Part),
  usage: Usage.nullable(),
  /** Which model answered: `provider/model`; null for a person's message. */
  model: ModelRef.nullable(),
  createdAt: z.number(),
})
export type Message = z.infer<typeof Message>

export const CallState = z.enum([
  'ready',
  'awaiting_approval',
  'running',
  'done',
  'failed',
  'denied',
  'stale',
  'cancelled',
  'interrupted',
])
export type CallState = z.infer<typeof CallState>

/** Result of every tool (R17, `runtime.md` 3): `result` only with success, `error` and `error_code` only without. */
export const Envelope = z.object({
  success: z.boolean(),
  result: z.unknown().optional(),
  error: z.string().optional(),
  error_code: z.string().optional(),
  partial: z.unknown().optional(),
  duration_ms: z.number(),
  tokens_used: z.number(),
  cost_usd: z.number(),
  cached: z.boolean(),
  retry_count: z.number(),
  /** What else the model must know: that a person changed the call. */
  note: z.string().optional(),
})
export type Envelope = z.infer<typeof Envelope>

/** One tool call, which is one step of the ledger. */
export const ToolCall = z.object({
  id: z.string(),
  sessionId: z.string(),
  messageId: z.string(),
  /** Step number in the chat's ledger, from 1. */
  step: z.number().int().positive(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  state: CallState,
  envelope: Envelope.nullable(),
  /** A person made it, not a model. */
  byPerson: z.boolean().optional(),
  requestId: z.string().nullable(),
  runId: z.string().nullable(),
  /** The chat that it began, whose steps are shown below it. */
  childId: z.string().optional(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  /** What it changed in a file. */
  change: FileChange.optional(),
  /** What a person changed of it before it ran; `input` stays as the model wrote it. */
  edited: CallEdit.optional(),
})
export type ToolCall = z.infer<typeof ToolCall>

/** Who a chat is with. */
export const ChatAgent = z.object({
  name: z.string(),
  label: z.string(),
  scope: AgentScope,
  /** SHA-256 of the file that it began with. */
  digest: z.string(),
  /** What became of that file: `inert` while its project is not trusted, which makes it General. */
  file: z.enum(['same', 'changed', 'gone', 'inert']),
  /** The file that has the name now, where it comes from another scope than the chat's. */
  otherFile: z.object({ scope: AgentScope, location: z.string() }).optional(),
  /** What a person should know of it, a sentence or two each. */
  problems: z.array(z.string()),
  /** The same, where nothing is wrong. */
  notes: z.array(z.string()),
  /** Tools that a project's file wants to use without asking, and that ask until the person confirms it. */
  unconfirmed: z.array(z.string()),
})
export type ChatAgent = z.infer<typeof ChatAgent>

/** What the transcript and the inspector need of one chat. */
export const SessionDetail = SessionSummary.extend({
  agent: ChatAgent,
  activeSkills: z.array(ActiveSkill),
  /** What the active skills prefer, in their order; the last one that can be used wins. Then those of other agents. */
  modelWishes: z.array(ModelWish),
  maxActiveSkills: z.number().int(),
  draft: z.string(),
  /** How requests of scripts and commands are decided here, and as which agent's file says. */
  mode: AgentMode,
  agentMode: AgentMode,
  projectTrusted: z.boolean(),
  /** The catalogue of the next call: entries, entries left out, tokens. */
  catalogue: z.object({
    entries: z.number().int().nonnegative(),
    omitted: z.number().int().nonnegative(),
    tokens: z.number().int().nonnegative(),
  }),
  /** Tokens of the next call by part, estimated; `window` is the model's. */
  context: z.object({
    rules: z.number().int().nonnegative(),
    catalogue: z.number().int().nonnegative(),
    activeSkills: z.number().int().nonnegative(),
    filesRead: z.number().int().nonnegative(),
    conversation: z.number().int().nonnegative(),
    /** All of it: as the provider counted the last call, with what came since. */
    used: z.number().int().nonnegative(),
    /** Nothing in `used` is estimated. */
    counted: z.boolean(),
    window: z.number().int().positive(),
  }),
  /** Other ways that the chat went: earlier messages stay when one is edited or an answer is tried again. */
  branches: z.object({
    count: z.number().int().positive(),
    /** Which of them is shown, from 1. */
    at: z.number().int().positive(),
    /** Messages that are shown and have siblings, with all of these in order, itself among them. */
    points: z.array(z.object({ messageId: z.string(), siblings: z.array(z.string()) })),
  }),
  /** Calls of a model that are kept (G6). */
  modelCalls: z.number().int().nonnegative(),
  /** What the calls of this chat used; null: a long chat was just opened, and that is still added up. */
  spent: z
    .object({
      inputTokens: z.number().int().nonnegative(),
      outputTokens: z.number().int().nonnegative(),
      /** US dollars of those whose price is known. */
      costUsd: z.number().nonnegative(),
      /** Those without a known price, other than those of this computer. */
      unpriced: z.number().int().nonnegative(),
      /** Those that broke off before the provider had counted them: they are in it by an estimate. */
      estimated: z.number().int().nonnegative(),
      /** All came from this computer: there is nothing to pay. */
      local: z.boolean(),
    })
    .nullable(),
})
export type SessionDetail = z.infer<typeof SessionDetail>

/**
 * A place between the rows of a chat, each message followed by its calls: before the message of this `seq`, or inside of
 * that one, before its call of this step.
 */
export const ChatPlace = z.object({
  seq: z.number().int().positive(),
  step: z.number().int().positive().nullable(),
})
export type ChatPlace = z.infer<typeof ChatPlace>

/** What of a chat lies before a page. */
export const OlderRows = z.object({
  /** Where the page begins. */
  before: ChatPlace,
  /** Turns that begin before the one with which the page begins; the page may begin inside of one. */
  turns: z.number().int().nonnegative(),
})
export type OlderRows = z.infer<typeof OlderRows>

/**
 * Rows of the branch that is shown that follow each other, with nothing left out between them (`performance.md` G1.6).
 * Also some older calls where steps of the page need them to be described: loads of their skills.
 */
export const ChatPage = z.object({
  messages: z.array(Message),
  calls: z.array(ToolCall),
  /** Null: the page begins where the chat does. */
  older: OlderRows.nullable(),
})
export type ChatPage = z.infer<typeof ChatPage>

/** Events of one chat. The first is always a snapshot; `seq` rises by one, a gap means: open the stream again. */
export const SessionEvent = z.discriminatedUnion('t', [
  /** The newest page, and all messages that wait in the queue. */
  ChatPage.extend({ t: z.literal('snapshot'), seq: z.number(), session: SessionDetail }),
  z.object({ t: z.literal('session'), seq: z.number(), session: SessionDetail }),
  z.object({ t: z.literal('message'), seq: z.number(), message: Message }),
  z.object({
    t: z.literal('delta'),
    seq: z.number(),
    messageId: z.string(),
    partIndex: z.number().int().nonnegative(),
    kind: z.enum(['text', 'reasoning']),
    text: z.string(),
  }),
  z.object({ t: z.literal('call'), seq: z.number(), call: ToolCall }),
  /** The model's provider gave no answer and is asked again; over with the next delta or message of that answer. */
  z.object({
    t: z.literal('retry'),
    seq: z.number(),
    messageId: z.string(),
    /** Milliseconds until the next try. */
    inMs: z.number().int().nonnegative(),
    /** In words for people, without a full stop: "Anthropic is busy". */
    reason: z.string(),
  }),
])
export type SessionEvent = z.infer<typeof SessionEvent>
