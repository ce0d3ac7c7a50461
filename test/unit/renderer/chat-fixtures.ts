import type { Message, SessionDetail, SessionSummary, ToolCall } from '@shared/domain/session'

export function summary(id: string, over: Partial<SessionSummary> = {}): SessionSummary {
  return {
    id,
    title: `Chat ${id}`,
    projectDir: null,
    projectName: null,
    state: 'idle',
    waiting: 0,
    model: 'practice/scripted',
    createdAt: 1,
    updatedAt: 1,
    ...over,
  }
}

export function detail(over: Partial<SessionDetail> = {}): SessionDetail {
  return {
    ...summary('s1'),
    activeSkills: [],
    modelWishes: [],
    agent: {
      name: 'general',
      label: 'General',
      scope: 'bundled',
      digest: '0'.repeat(64),
      file: 'same',
      problems: [],
      notes: [],
      unconfirmed: [],
    },
    maxActiveSkills: 5,
    draft: '',
    mode: 'ask',
    agentMode: 'ask',
    projectTrusted: true,
    catalogue: { entries: 0, omitted: 0, tokens: 0 },
    branches: { count: 1, at: 1, points: [] },
    context: {
      rules: 0,
      catalogue: 0,
      activeSkills: 0,
      filesRead: 0,
      conversation: 0,
      window: 1000,
      used: 0,
      counted: false,
    },
    modelCalls: 0,
    spent: { inputTokens: 0, outputTokens: 0, costUsd: 0, unpriced: 0, estimated: 0, local: true },
    ...over,
  }
}

export function message(id: string, seq: number, over: Partial<Message> = {}): Message {
  return {
    id,
    sessionId: 's1',
    seq,
    role: 'assistant',
    status: 'done',
    parts: [],
    usage: null,
    model: null,
    createdAt: seq,
    ...over,
  }
}

export function call(step: number, name: string, over: Partial<ToolCall> = {}): ToolCall {
  return {
    id: `c${step}`,
    sessionId: 's1',
    messageId: 'm1',
    step,
    name,
    input: {},
    state: 'done',
    envelope: null,
    requestId: null,
    runId: null,
    startedAt: null,
    endedAt: null,
    ...over,
  }
}

export function success(result: unknown): NonNullable<ToolCall['envelope']> {
  return { success: true, result, duration_ms: 1, tokens_used: 0, cost_usd: 0, cached: false, retry_count: 0 }
}

export function failure(code: string, error: string): NonNullable<ToolCall['envelope']> {
  return {
    success: false,
    error,
    error_code: code,
    duration_ms: 1,
    tokens_used: 0,
    cost_usd: 0,
    cached: false,
    retry_count: 0,
  }
}
