/** Anthropic Messages, OpenAI Chat Completions, OpenAI Responses, and Gemini's streamGenerateContent. */
export type Protocol = 'anthropic' | 'openai' | 'openai-responses' | 'google'

export interface FakeToolCall {
  name: string
  input?: unknown
  /** Arguments as they are sent, in place of `input`: for wrong or cut JSON. */
  rawInput?: string
  id?: string
}

/** Tokens; `cached` is part of `input`, `reasoning` of `output`. */
export interface FakeUsage {
  input: number
  output: number
  cached?: number
  reasoning?: number
}

/** One answer. Without any field it is an empty text with a regular end. */
export interface FakeTurn {
  reasoning?: string[]
  /** Sent with the reasoning; with Google with the first tool call, or else with the text. */
  signature?: string
  /** One delta for each. */
  text?: string[]
  toolCalls?: FakeToolCall[]
  /** `none`: the stream ends without saying so. `refusal`: the provider's content rules. */
  finish?: 'length' | 'refusal' | 'none'
  usage?: FakeUsage
  /** An error event inside the stream, in place of the end. */
  streamError?: { type: string; message: string }
  /** Leaves out what follows the reason for the end: `[DONE]`, or `message_stop`. */
  noDone?: boolean
  /** Every tool call is sent under index 0 (OpenAI Chat Completions and Responses, Anthropic). */
  sameIndex?: boolean
  /** So many comment lines before the first event. */
  keepAlives?: number

  /** Any other status than 200 answers with an error of the protocol, unless `body` is given. */
  status?: number
  headers?: Record<string, string>
  errorMessage?: string
  /** Sent as it is, in place of a stream. */
  body?: string
  contentType?: string

  /** Awaited before each event of the stream, counted from 0: holds an answer where a test wants it. */
  gate?: (event: number) => Promise<void> | void
  /** Says nothing more after so many events, until the client goes away; -1: not even headers. */
  hangAfter?: number
  /** Ends the answer after so many bytes of the stream. */
  cutAfter?: number
  /** Breaks the connection instead of ending it, where the stream ends or is cut. */
  reset?: boolean
  /** Written in pieces of so many bytes. */
  pieceBytes?: number
  /** The whole stream compressed; `cutAfter` counts the compressed bytes. */
  gzip?: boolean
}

/** Pieces of seven characters, as arguments arrive. */
export function argumentPieces(call: FakeToolCall): string[] {
  return argumentText(call).match(/[\s\S]{1,7}/g) ?? []
}

export function argumentText(call: FakeToolCall): string {
  return call.rawInput ?? JSON.stringify(call.input ?? {})
}

export function usageOf(turn: FakeTurn): Required<FakeUsage> {
  return { cached: 0, reasoning: 0, ...(turn.usage ?? { input: 100, output: 20 }) }
}
