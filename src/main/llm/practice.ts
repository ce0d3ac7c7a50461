import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { Log } from '../lib/log'
import { inWordsOf } from './practice-dialect'
import { planMove, type PracticeMove } from './practice-plan'
import { scenarioStep, type ScenarioStep } from './practice-scenario'
import { summaryAsked } from './practice-summary'
import { readPrompt } from './practice-view'
import { realTiming, sleep } from './timing'

export interface PracticeDeps {
  /** Folder of scenario files; without it the agent follows skills only. */
  dir?: string
  log: Log
}

const CHARS_PER_TOKEN = 4

/**
 * The practice agent (R22): a language model that is a few fixed rules. It knows nothing but the prompt it gets, needs
 * no account and no network, and drives the same load, read, run, approve loop as any other model, on any skill. The
 * same prompt gives the same answer.
 */
export function createPractice(deps: PracticeDeps): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'practice',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('the practice agent only streams')),
    doStream: async (options) => ({ stream: toStream(await answerParts(deps, options)) }),
  }
}

async function answerParts(
  deps: PracticeDeps,
  options: LanguageModelV4CallOptions,
): Promise<AsyncGenerator<LanguageModelV4StreamPart>> {
  const summary = summaryAsked(options)
  const view = readPrompt(options)
  const scripted =
    deps.dir === undefined || summary !== null
      ? null
      : await scenarioStep({ dir: deps.dir, log: deps.log }, view.userText, view.roundAnswers)
  const step = summary === null ? (scripted ?? inOfferedWords(planMove(view), options)) : { text: summary }
  return partsOf(step, {
    callId: `practice_${view.answers + 1}`,
    inputTokens: Math.ceil(JSON.stringify(options.prompt).length / CHARS_PER_TOKEN),
    signal: options.abortSignal,
  })
}

/** The move with the tools that this prompt offers. */
function inOfferedWords(move: PracticeMove, { tools }: LanguageModelV4CallOptions): PracticeMove {
  const names = new Set(tools?.map(({ name }) => name))
  return move.call ? { ...move, call: inWordsOf(names, move.call) } : move
}

interface AnswerFrame {
  callId: string
  inputTokens: number
  signal: AbortSignal | undefined
}

async function* partsOf(step: ScenarioStep, frame: AnswerFrame): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  if (step.reasoning !== undefined) yield* block('reasoning', step.reasoning, step, frame)
  if (step.text !== undefined) yield* block('text', step.text, step, frame)
  const input = step.call ? JSON.stringify(step.call.input) : ''
  if (step.call) yield* callParts(frame.callId, step.call.name, input)
  if (step.hang === true) await aborted(frame.signal)
  const said = (step.reasoning ?? '').length + (step.text ?? '').length + input.length
  yield {
    type: 'finish',
    finishReason: step.call ? { unified: 'tool-calls', raw: 'tool-calls' } : { unified: 'stop', raw: 'stop' },
    usage: usageOf(frame.inputTokens, Math.ceil(said / CHARS_PER_TOKEN)),
  }
}

async function* block(
  kind: 'text' | 'reasoning',
  text: string,
  { pauseMs = 0 }: ScenarioStep,
  { signal }: AnswerFrame,
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: `${kind}-start`, id: kind }
  for (const delta of text.match(/(?:\s*\S+){1,3}\s*|\s+/g) ?? []) {
    if (pauseMs > 0) await sleep(realTiming, pauseMs, signal)
    yield { type: `${kind}-delta`, id: kind, delta }
  }
  yield { type: `${kind}-end`, id: kind }
}

function* callParts(id: string, toolName: string, input: string): Generator<LanguageModelV4StreamPart> {
  yield { type: 'tool-input-start', id, toolName }
  yield { type: 'tool-input-delta', id, delta: input }
  yield { type: 'tool-input-end', id }
  yield { type: 'tool-call', toolCallId: id, toolName, input }
}

/** Estimates: nothing is counted where nothing is computed. */
function usageOf(input: number, output: number): LanguageModelV4Usage {
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  }
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = () => reject(new DOMException('Stopped', 'AbortError'))
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

function toStream(
  parts: AsyncGenerator<LanguageModelV4StreamPart>,
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    async pull(controller) {
      const next = await parts.next()
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
  })
}
