import type { z } from 'zod'

/** A question with one answer. */
export interface CallDef<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  kind: 'call'
  input: I
  output: O
}

/** A question with many answers, until the asker closes it. A slow reader slows the writer (`protocol.ts`). */
export interface StreamDef<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  kind: 'stream'
  input: I
  output: O
}

export type ContractDef = Record<string, CallDef | StreamDef>

export function call<I extends z.ZodType, O extends z.ZodType>(input: I, output: O): CallDef<I, O> {
  return { kind: 'call', input, output }
}

export function stream<I extends z.ZodType, O extends z.ZodType>(input: I, output: O): StreamDef<I, O> {
  return { kind: 'stream', input, output }
}

type Calls<C extends ContractDef> = { [K in keyof C as C[K] extends CallDef ? K : never]: C[K] }
type Streams<C extends ContractDef> = { [K in keyof C as C[K] extends StreamDef ? K : never]: C[K] }
type In<D extends CallDef | StreamDef> = z.output<D['input']>
type Out<D extends CallDef | StreamDef> = z.output<D['output']>

/** What main implements, one function for each line of the contract; a missing one does not compile. */
export type Handlers<C extends ContractDef> = {
  [K in keyof C]: C[K] extends StreamDef
    ? (input: In<C[K]>, signal: AbortSignal) => AsyncIterable<Out<C[K]>>
    : (input: In<C[K]>) => Promise<Out<C[K]>> | Out<C[K]>
}

/** What the page holds. */
export interface Client<C extends ContractDef> {
  /** Rejects with an AppError. */
  call<K extends keyof Calls<C> & string>(name: K, input: z.input<C[K]['input']>): Promise<Out<C[K]>>
  /**
   * Opens a stream. `onEvent` may return a promise: the writer waits for it when it is far behind.
   * Returns a function that closes it. `onEnd` gets the error, or undefined at a regular end.
   */
  stream<K extends keyof Streams<C> & string>(
    name: K,
    input: z.input<C[K]['input']>,
    on: { event(value: Out<C[K]>): void | Promise<void>; end?(error?: Error): void },
  ): () => void
}
