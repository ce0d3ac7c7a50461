import { CALL_PART_NAMES } from '@shared/call-part-names'
import type { CallContext, CallPart, ModelCall } from '@shared/domain/context'
import { counted, shown, shownLines } from './output'
import type { Style } from './output'
import { table } from './table'

/** A call as people read it: what it cost by part, then every text, then what the catalogue left out. */
export function contextText(context: CallContext, style: Style): string {
  const parts = [head(context, style), costs(context, style), ...texts(context, style), left(context, style)]
  return parts.filter((text) => text !== '').join('\n\n')
}

/** The part of the instructions that no skill, project or chat adds to. */
const BASE: readonly CallPart[] = ['role', 'tools', 'skills']

function head({ call, model }: CallContext, style: Style): string {
  if (call === null) return style.paint('strong', `The next call, to ${shown(model)}`)
  const lines = [
    style.paint(
      'strong',
      `Call ${call.number}, to ${shown(model)}, ${new Date(call.startedAt).toISOString()}`,
    ),
    [OUTCOMES[call.outcome], duration(call), retried(call), usage(call), cost(call)]
      .filter(Boolean)
      .join(', '),
  ]
  return lines.join('\n')
}

const OUTCOMES: Readonly<Record<ModelCall['outcome'], string>> = {
  open: 'under way, or the app ended before it did',
  interrupted: 'under way, or the app ended before it did',
  answered: 'answered',
  stopped: 'stopped',
  failed: 'failed',
}

function duration({ startedAt, endedAt }: ModelCall): string {
  return endedAt === null ? '' : `in ${((endedAt - startedAt) / 1000).toFixed(1)} s`
}

function retried({ retries }: ModelCall): string {
  return retries === 0 ? '' : `tried again ${counted(retries, 'time')}`
}

function usage({ usage: counts }: ModelCall): string {
  return counts
    ? `${number(counts.inputTokens)} tokens in, ${number(counts.outputTokens)} out`
    : 'tokens not counted'
}

function cost({ costUsd, usage: counts }: ModelCall): string {
  if (counts === null) return ''
  return costUsd === null ? 'price not known' : `$${costUsd.toFixed(4)}`
}

function costs({ parts, tokens, window }: CallContext, style: Style): string {
  const rows = Object.entries(CALL_PART_NAMES).flatMap(([part, name]) => {
    const cost = parts[part as CallPart]
    return cost === undefined ? [] : [[{ text: name }, { text: `≈${number(cost)}` }]]
  })
  const base = BASE.reduce((sum, part) => sum + (parts[part] ?? 0), 0)
  return [
    table([{ title: 'PART' }, { title: 'TOKENS', align: 'right' }], rows, style),
    `≈${number(tokens)} of ${number(window)}; the base instructions (role and rules) are ≈${number(base)}.`,
  ].join('\n')
}

/** Everything that is sent, word for word; what could act on a terminal is written out. */
function texts({ blocks, tools, messages }: CallContext, style: Style): string[] {
  const piece = (title: string, { tokens, text }: { tokens: number; text: string }) =>
    `${style.paint('strong', `── ${shown(title)} `)}${style.paint('quiet', `≈${number(tokens)}`)}\n${shownLines(text)}`
  return [
    ...blocks.map((block) => piece(CALL_PART_NAMES[block.part], block)),
    ...tools.map((tool) => piece(`Tool ${tool.name}`, tool)),
    ...messages.map((message, at) => piece(`Message ${at + 1}, ${message.role}`, message)),
  ]
}

const MAX_LEFT = 50

function left({ catalogue }: CallContext, style: Style): string {
  const { entries, omitted, left: names, more } = catalogue
  if (names.length === 0) return ''
  const rows = names
    .slice(0, MAX_LEFT)
    .map(({ name, why, score }) => [
      { text: shown(name) },
      { text: why },
      { text: score === undefined ? '' : score.toFixed(2) },
    ])
  const rest = names.length - rows.length + more
  return [
    style.paint(
      'strong',
      `Not in the catalogue (${number(entries)} of ${counted(entries + omitted, 'skill')} are)`,
    ),
    table(
      [{ title: 'NAME', shrinksTo: 20 }, { title: 'WHY' }, { title: 'SCORE', align: 'right' }],
      rows,
      style,
    ),
    ...(rest > 0 ? [`and ${number(rest)} more`] : []),
  ].join('\n')
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}
