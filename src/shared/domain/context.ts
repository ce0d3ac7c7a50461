import { z } from 'zod'
import { Usage } from './session'
import { ModelRef } from './settings'

/** A part of what a model is sent, in the order of `runtime.md` 1; then tools and messages. */
export const CallPart = z.enum([
  'role',
  'tools',
  'skills',
  'project',
  'catalogue',
  'active',
  'overrides',
  'summary',
  'tool-list',
  'files-read',
  'conversation',
])
export type CallPart = z.infer<typeof CallPart>

/** Estimated tokens by part; a part that is not there has none. */
export const PartTokens = z.partialRecord(CallPart, z.number().int().nonnegative())
export type PartTokens = z.infer<typeof PartTokens>

/** One model call of a chat, as it is listed (G6). */
export const ModelCall = z.object({
  /** Within the chat, from 1. */
  number: z.number().int().positive(),
  /** `summary`: it summarised older messages (R20). */
  kind: z.enum(['answer', 'summary']),
  /** The message that came of it. */
  messageId: z.string(),
  model: ModelRef,
  startedAt: z.number(),
  /** Null while it is under way, and where the app ended before it did. */
  endedAt: z.number().nullable(),
  outcome: z.enum(['open', 'answered', 'stopped', 'failed', 'interrupted']),
  /** How often the provider was asked again before anything of an answer came. */
  retries: z.number().int().nonnegative(),
  /** Estimated tokens of what was sent. */
  tokens: z.number().int().nonnegative(),
  parts: PartTokens,
  /** As the provider counted; null where it did not. */
  usage: Usage.nullable(),
  /** US dollars by the list price; null where the price or the usage is not known. */
  costUsd: z.number().nonnegative().nullable(),
})
export type ModelCall = z.infer<typeof ModelCall>

/** Why a skill was or was not in the catalogue; the reasons of the registry beside those of the budget. */
const CatalogueSkill = z.object({
  name: z.string(),
  why: z.string(),
  /** How well it fitted the conversation, where entries had to be chosen. */
  score: z.number().optional(),
})
export type CatalogueSkill = z.infer<typeof CatalogueSkill>

/** What was in the catalogue of a call and what not. */
export const CatalogueFacts = z.object({
  entries: z.number().int().nonnegative(),
  /** Usable skills that it left out. */
  omitted: z.number().int().nonnegative(),
  /** How much of the descriptions was written. */
  descriptions: z.enum(['full', 'sentence', 'short', 'none']),
  shown: z.array(CatalogueSkill),
  /** Those left out that fitted best, then copies that can't be used here. */
  left: z.array(CatalogueSkill),
  /** More that were left out: only counted. */
  more: z.number().int().nonnegative(),
})
export type CatalogueFacts = z.infer<typeof CatalogueFacts>

/** A piece of a request with its exact text. */
const Piece = z.object({ tokens: z.number().int().nonnegative(), text: z.string() })

/** What one call was sent, or what the next one would be. */
export const CallContext = z.object({
  /** Null: the next call, which was not made. */
  call: ModelCall.nullable(),
  model: ModelRef,
  /** Tokens that the model's window holds. */
  window: z.number().int().positive(),
  tokens: z.number().int().nonnegative(),
  parts: PartTokens,
  /** The instructions, in order; joined by an empty line they are what is sent. */
  blocks: z.array(Piece.extend({ part: CallPart })),
  /** Each with its name, description and schema as JSON. */
  tools: z.array(Piece.extend({ name: z.string() })),
  /** `text` is the start of a message that is longer: `context.message` has all of it. */
  messages: z.array(Piece.extend({ role: z.string(), cut: z.boolean() })),
  catalogue: CatalogueFacts,
})
export type CallContext = z.infer<typeof CallContext>
