import { argumentPieces, argumentText, usageOf, type FakeToolCall, type FakeTurn } from './fake-provider-turn'

interface ResponsesEvent {
  type: string
  [field: string]: unknown
}

/** The events of OpenAI Responses. */
export function responsesEvents(turn: FakeTurn): ResponsesEvent[] {
  const response = { id: 'resp_fake', object: 'response', created_at: 1, model: 'model-a', output: [] }
  const events: ResponsesEvent[] = [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    { type: 'response.in_progress', response: { ...response, status: 'in_progress' } },
    ...responsesItems(turn).flatMap((item, index) => item(index)),
  ]
  if (turn.streamError) {
    events.push({ type: 'error', error: { ...turn.streamError, code: turn.streamError.type, param: null } })
  } else if (turn.finish !== 'none') events.push(responsesEnd(turn, response))
  return events.map((event, index) => ({ ...event, sequence_number: index }))
}

function responsesEnd(turn: FakeTurn, response: object): ResponsesEvent {
  const { input, output, cached, reasoning } = usageOf(turn)
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
  if (!turn.finish) {
    return { type: 'response.completed', response: { ...response, status: 'completed', usage } }
  }
  const reason = turn.finish === 'length' ? 'max_output_tokens' : 'content_filter'
  return {
    type: 'response.incomplete',
    response: { ...response, status: 'incomplete', incomplete_details: { reason }, usage },
  }
}

type Item = (index: number) => ResponsesEvent[]

function responsesItems(turn: FakeTurn): Item[] {
  return [
    ...(turn.reasoning ? [reasoningItem(turn.reasoning, turn.signature)] : []),
    ...(turn.text ? [messageItem(turn.text)] : []),
    ...(turn.toolCalls ?? []).map((call, at): Item => {
      const item = callItem(call, at)
      return (index) => item(turn.sameIndex ? 0 : index)
    }),
  ]
}

function reasoningItem(pieces: readonly string[], signature: string | undefined): Item {
  const item = { type: 'reasoning', id: 'rs_1', summary: [] }
  return (output_index) => {
    const place = { item_id: 'rs_1', output_index, summary_index: 0 }
    const part = { type: 'summary_text', text: pieces.join('') }
    return [
      { type: 'response.output_item.added', output_index, item },
      { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } },
      ...pieces.map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, delta })),
      { type: 'response.reasoning_summary_text.done', ...place, text: part.text },
      { type: 'response.reasoning_summary_part.done', ...place, part },
      {
        type: 'response.output_item.done',
        output_index,
        item: { ...item, summary: [part], encrypted_content: signature ?? null },
      },
    ]
  }
}

function messageItem(pieces: readonly string[]): Item {
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] }
  return (output_index) => {
    const place = { item_id: 'msg_1', output_index, content_index: 0 }
    const part = { type: 'output_text', text: pieces.join(''), annotations: [] }
    return [
      { type: 'response.output_item.added', output_index, item },
      { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
      ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
      { type: 'response.output_text.done', ...place, text: part.text },
      { type: 'response.content_part.done', ...place, part },
      {
        type: 'response.output_item.done',
        output_index,
        item: { ...item, status: 'completed', content: [part] },
      },
    ]
  }
}

function callItem(call: FakeToolCall, at: number): Item {
  const id = `fc_${at + 1}`
  const item = { type: 'function_call', id, call_id: call.id ?? `call_${at + 1}`, name: call.name }
  return (output_index) => {
    const place = { item_id: id, output_index }
    const whole = argumentText(call)
    return [
      {
        type: 'response.output_item.added',
        output_index,
        item: { ...item, arguments: '', status: 'in_progress' },
      },
      ...argumentPieces(call).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        ...place,
        delta,
      })),
      { type: 'response.function_call_arguments.done', ...place, arguments: whole },
      {
        type: 'response.output_item.done',
        output_index,
        item: { ...item, arguments: whole, status: 'completed' },
      },
    ]
  }
}

const GOOGLE_STATUS: Record<string, { code: number; status: string }> = {
  overloaded_error: { code: 503, status: 'UNAVAILABLE' },
}

/** The chunks of Gemini: each a whole answer with one part; a call comes in one piece. */
export function googleChunks(turn: FakeTurn): object[] {
  const chunks = googleParts(turn).map((part) => googleChunk([part]))
  if (turn.streamError) {
    const { type, message } = turn.streamError
    const known = GOOGLE_STATUS[type] ?? { code: 500, status: 'INTERNAL' }
    return [...chunks, { error: { ...known, message } }]
  }
  if (turn.finish === 'none') return chunks
  const reasons = { length: 'MAX_TOKENS', refusal: 'SAFETY' }
  const { input, output, cached, reasoning } = usageOf(turn)
  return [
    ...chunks,
    {
      ...googleChunk([], turn.finish ? reasons[turn.finish] : 'STOP'),
      usageMetadata: {
        promptTokenCount: input,
        candidatesTokenCount: output - reasoning,
        totalTokenCount: input + output,
        cachedContentTokenCount: cached,
        thoughtsTokenCount: reasoning,
      },
    },
  ]
}

function googleChunk(parts: readonly object[], finishReason?: string): object {
  const finish = finishReason === undefined ? {} : { finishReason }
  return {
    candidates: [{ content: { role: 'model', parts }, index: 0, ...finish }],
    modelVersion: 'model-a',
    responseId: 'google_fake',
  }
}

function googleParts(turn: FakeTurn): object[] {
  const signed = turn.signature === undefined ? {} : { thoughtSignature: turn.signature }
  const text = turn.text ?? []
  return [
    ...(turn.reasoning ?? []).map((thought) => ({ text: thought, thought: true })),
    ...text.map((piece, at) => ({
      text: piece,
      ...(turn.toolCalls === undefined && at === text.length - 1 ? signed : {}),
    })),
    ...(turn.toolCalls ?? []).map((call, at) => ({
      functionCall: {
        name: call.name,
        args: call.rawInput ?? call.input ?? {},
        ...(call.id === undefined ? {} : { id: call.id }),
      },
      ...(at === 0 ? signed : {}),
    })),
  ]
}
