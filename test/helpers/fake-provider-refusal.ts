import type { Protocol } from './fake-provider-turn'

type Item = Record<string, unknown>
interface Mark {
  kind: 'call' | 'result'
  /** Its id; the name of the tool with Gemini, whose calls often have no id. */
  key: string
}

/** Why a real provider refuses this request: a call with two results, or a result without a call. */
export function refusalOf(protocol: Protocol, body: unknown): string | null {
  const open = new Map<string, number>()
  for (const { kind, key } of MARKS[protocol](asItem(body))) {
    const count = open.get(key) ?? 0
    if (kind === 'result' && count === 0) return `a result for ${key} has no call of its own`
    open.set(key, kind === 'call' ? count + 1 : count - 1)
  }
  return null
}

const MARKS: Record<Protocol, (body: Item) => Mark[]> = {
  anthropic: (body) =>
    items(body['messages'])
      .flatMap((message) => items(message['content']))
      .flatMap(({ type, id, tool_use_id }) => {
        if (type === 'tool_use') return mark('call', id)
        return type === 'tool_result' ? mark('result', tool_use_id) : []
      }),
  openai: (body) =>
    items(body['messages']).flatMap(({ role, tool_calls, tool_call_id }) =>
      role === 'tool'
        ? mark('result', tool_call_id)
        : items(tool_calls).flatMap((call) => mark('call', call['id'])),
    ),
  'openai-responses': (body) =>
    items(body['input']).flatMap(({ type, call_id }) => {
      if (type === 'function_call') return mark('call', call_id)
      return type === 'function_call_output' ? mark('result', call_id) : []
    }),
  google: (body) =>
    items(body['contents'])
      .flatMap((content) => items(content['parts']))
      .flatMap(({ functionCall, functionResponse }) => {
        if (functionCall) return mark('call', asItem(functionCall)['name'])
        return functionResponse ? mark('result', asItem(functionResponse)['name']) : []
      }),
}

function mark(kind: Mark['kind'], key: unknown): Mark[] {
  return [{ kind, key: String(key) }]
}

function items(value: unknown): Item[] {
  return Array.isArray(value) ? value.map(asItem) : []
}

function asItem(value: unknown): Item {
  return typeof value === 'object' && value !== null ? (value as Item) : {}
}
