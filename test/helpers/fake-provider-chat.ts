import { argumentPieces, usageOf, type FakeToolCall, type FakeTurn } from './fake-provider-turn'

interface AnthropicEvent {
  type: string
  [field: string]: unknown
}

export function anthropicEvents(turn: FakeTurn): AnthropicEvent[] {
  const { input, output, cached } = usageOf(turn)
  const message = {
    id: 'msg_fake',
    type: 'message',
    role: 'assistant',
    model: 'model-a',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: input - cached, cache_read_input_tokens: cached, output_tokens: 1 },
  }
  const start: AnthropicEvent[] = [{ type: 'message_start', message }, { type: 'ping' }]
  const blocks = anthropicBlocks(turn).flatMap(({ block, deltas }, at): AnthropicEvent[] => {
    const index = turn.sameIndex ? 0 : at
    return [
      { type: 'content_block_start', index, content_block: block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]
  })
  if (turn.streamError) return [...start, ...blocks, { type: 'error', error: turn.streamError }]
  if (turn.finish === 'none') return [...start, ...blocks]
  const reasons = { length: 'max_tokens', refusal: 'refusal' }
  const reason = turn.finish ? reasons[turn.finish] : turn.toolCalls ? 'tool_use' : 'end_turn'
  return [
    ...start,
    ...blocks,
    {
      type: 'message_delta',
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: output },
    },
    ...(turn.noDone ? [] : [{ type: 'message_stop' }]),
  ]
}

function anthropicBlocks(turn: FakeTurn): { block: object; deltas: object[] }[] {
  const blocks: { block: object; deltas: object[] }[] = []
  if (turn.reasoning) {
    const deltas: object[] = turn.reasoning.map((thinking) => ({ type: 'thinking_delta', thinking }))
    if (turn.signature) deltas.push({ type: 'signature_delta', signature: turn.signature })
    blocks.push({ block: { type: 'thinking', thinking: '', signature: '' }, deltas })
  }
  if (turn.text) {
    const deltas = turn.text.map((text) => ({ type: 'text_delta', text }))
    blocks.push({ block: { type: 'text', text: '' }, deltas })
  }
  for (const [index, call] of (turn.toolCalls ?? []).entries()) {
    const id = call.id ?? `toolu_${index + 1}`
    const deltas = argumentPieces(call).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
    blocks.push({ block: { type: 'tool_use', id, name: call.name, input: {} }, deltas })
  }
  return blocks
}

export function openAiChunks(turn: FakeTurn): string[] {
  const chunk = (choices: object[], usage: object | null = null) =>
    JSON.stringify({
      id: 'chatcmpl_fake',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'model-a',
      choices,
      usage,
    })
  const delta = (fields: object, finish: string | null = null) =>
    chunk([{ index: 0, delta: fields, finish_reason: finish }])
  const content = [
    delta({ role: 'assistant', content: '' }),
    ...(turn.reasoning ?? []).map((reasoning_content) => delta({ reasoning_content })),
    ...(turn.text ?? []).map((text) => delta({ content: text })),
    ...(turn.toolCalls ?? []).flatMap((call, index) =>
      toolDeltas(call, turn.sameIndex ? 0 : index).map((part) => delta({ tool_calls: [part] })),
    ),
  ]
  if (turn.streamError) return [...content, JSON.stringify({ error: turn.streamError })]
  if (turn.finish === 'none') return content
  const reasons = { length: 'length', refusal: 'content_filter' }
  const reason = turn.finish ? reasons[turn.finish] : turn.toolCalls ? 'tool_calls' : 'stop'
  return [...content, delta({}, reason), chunk([], chatUsage(turn)), ...(turn.noDone ? [] : ['[DONE]'])]
}

function toolDeltas(call: FakeToolCall, index: number): object[] {
  const id = call.id ?? `call_${call.name}_${index + 1}`
  const first = { index, id, type: 'function', function: { name: call.name, arguments: '' } }
  return [first, ...argumentPieces(call).map((text) => ({ index, function: { arguments: text } }))]
}

function chatUsage(turn: FakeTurn): object {
  const { input, output, cached, reasoning } = usageOf(turn)
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}
