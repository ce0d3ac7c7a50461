import { CALL_PART_NAMES } from '@shared/call-part-names'
import type { ModelCall } from '@shared/domain/context'
import { defineStrings } from '@shared/catalogue'
import { formatNumber, formatTokens, plural } from '../../ui/format'

const WHY: Readonly<Record<string, string>> = defineStrings('why a skill is sent', {
  fits: 'all fit',
  'always-on': 'always on',
  pinned: 'pinned',
  recent: 'used lately',
  relevant: 'best match',
  name: 'by name',
  'over-count': 'over the number of entries',
  'over-budget': 'over the tokens',
  style: 'the style lists none',
  'people-only': 'for people only',
  shadowed: 'shadowed',
  off: 'turned off',
  unavailable: 'not for this agent',
  broken: 'won’t load',
  'not-trusted': 'not trusted',
})

export const context = defineStrings('context', {
  title: 'What the model saw',
  back: 'Back to details',
  worksHere: (name: string) => `${name} works by itself for this chat.`,
  call: 'Call',
  next: 'The next call',
  notKept: 'What this message was answered from was not kept.',
  model: 'Model',
  estimated: 'Sent',
  outcome: 'Outcome',
  counted: 'Counted',
  notCounted: 'not counted by the provider',
  cost: 'Cost',
  noPrice: 'price not known',
  took: 'Took',
  retries: 'Tried again',
  catalogue: 'Skills in the catalogue',
  left: 'Not in the catalogue',
  shown: 'In the catalogue',
  outcomes: {
    open: 'under way',
    answered: 'answered',
    stopped: 'stopped',
    failed: 'failed',
    interrupted: 'interrupted',
  } satisfies Record<ModelCall['outcome'], string>,
  parts: CALL_PART_NAMES,
  shortened: {
    sentence: 'Of each description only the first sentence is sent, to save tokens.',
    short: 'Of each description at most 60 characters are sent, to save tokens.',
    none: 'Only names are sent, to save tokens.',
  },
  callName: (number: number, at: string, kind: ModelCall['kind']) =>
    `Call ${formatNumber(number)}, ${at}${kind === 'summary' ? ', summary' : ''}`,
  ofWindow: (tokens: number, window: number) => `≈${formatNumber(tokens)} of ${formatTokens(window)}`,
  usage: (input: number, output: number) => `${formatTokens(input)} in, ${formatNumber(output)} out`,
  dollars: (usd: number) => `$${usd.toFixed(usd < 1 ? 4 : 2)}`,
  exactText: (what: string) => `${what}, exact text`,
  tools: (n: number) => plural(n, { one: 'tool', other: 'tools' }),
  messages: (n: number) => plural(n, { one: 'message', other: 'messages' }),
  message: (n: number, role: string) => `${formatNumber(n)} ${role}`,
  earlier: (n: number) => `Show ${plural(n, { one: 'earlier message', other: 'earlier messages' })}`,
  ofSkills: (entries: number, all: number) =>
    entries === all ? formatNumber(all) : `${formatNumber(entries)} of ${formatNumber(all)}`,
  more: (n: number) => `and ${formatNumber(n)} more`,
  why: (why: string, score: number | undefined) =>
    [WHY[why] ?? why, score === undefined ? '' : score.toFixed(1)].filter(Boolean).join(', '),
})
