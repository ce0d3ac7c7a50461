import { useEffect, useRef } from 'react'
import type { RequestDetail } from '@shared/domain/approval'
import { ArgScope, type RuleDays } from '@shared/domain/arg-scope'
import { ARG_WORDS, type SentencePart } from '@shared/rule-sentence'
import { SelectField } from '../../ui/field'
import { useNow } from '../../ui/use-now'
import { choiceWords, ruleOf, type Remembering } from './remembering'
import { RuleSentence } from '../rules/rule-sentence'
import { words } from '../words'

export interface ReviewRememberProps {
  detail: RequestDetail
  value: Remembering
  /** The command was on screen to its end: before that nothing can be remembered. */
  seen: boolean
  onChange: (value: Remembering) => void
}

/** "Remember my choice": what Allow would save, as a sentence whose underlined parts can be changed. */
export function ReviewRemember({ detail, value, seen, onChange }: ReviewRememberProps) {
  const { remember, plan } = detail
  if (detail.status !== 'pending') return null
  if (remember.args.length === 0) {
    return (
      <section>
        <h2>{words.remember}</h2>
        <p className="small t2">{`${words.notOffered} ${remember.why ?? ''}`}</p>
      </section>
    )
  }
  return (
    <section className="rv-remember">
      <SelectField
        label={words.remember}
        value={value.lifetime}
        disabled={!seen}
        hint={seen ? undefined : words.rememberAfter(plan)}
        onChange={(event) => onChange({ ...value, lifetime: lifetimeOf(event.target.value) })}
      >
        <option value="once">{words.dontRemember}</option>
        <option value="chat">{words.forChat}</option>
        {!remember.chatOnly && <option value="always">{choiceWords('always', plan)}</option>}
      </SelectField>
      {value.lifetime === 'once' ? (
        <p className="small t2">{remember.chatOnly ? words.rememberHintChat : words.rememberHint}</p>
      ) : (
        <Sentence detail={detail} value={value} onChange={onChange} />
      )}
    </section>
  )
}

function lifetimeOf(value: string): Remembering['lifetime'] {
  return value === 'chat' || value === 'always' ? value : 'once'
}

function Sentence({ detail, value, onChange }: Omit<ReviewRememberProps, 'seen'>) {
  const now = useNow(60_000)
  const sentence = useRef<HTMLDivElement>(null)
  // Whoever allows has the rule that is saved before their eyes, also in a low window.
  useEffect(() => {
    if (value.lifetime !== 'once') sentence.current?.scrollIntoView({ block: 'nearest' })
  }, [value])
  const rule = ruleOf(detail, value, now)
  if (!rule) return null
  const { args, wouldMatch } = detail.remember
  const edit = (part: SentencePart) =>
    part.kind === 'args' ? (
      <ArgsChoice offered={args} value={value.args} onChange={(next) => onChange({ ...value, args: next })} />
    ) : (
      <DaysChoice text={part.text} value={value.days} onChange={(days) => onChange({ ...value, days })} />
    )
  return (
    <div ref={sentence} className="rv-sentence">
      <p className="small">
        <RuleSentence rule={rule} edit={edit} />
      </p>
      <p className="small t3">{words.wouldMatch(wouldMatch[value.args], wouldMatch.of)}</p>
    </div>
  )
}

export function ArgsChoice(props: {
  offered: readonly ArgScope[]
  value: ArgScope
  onChange: (value: ArgScope) => void
}) {
  return (
    <select
      className="rule-part"
      aria-label={words.whichArguments}
      value={props.value}
      onChange={(event) => props.onChange(ArgScope.parse(event.target.value))}
    >
      {props.offered.map((scope) => (
        <option key={scope} value={scope}>
          {ARG_WORDS[scope]}
        </option>
      ))}
    </select>
  )
}

/** The chosen one stands there as the day on which it ends. */
export function DaysChoice(props: { text: string; value: RuleDays; onChange: (days: RuleDays) => void }) {
  const choices: readonly RuleDays[] = [30, 90, null]
  return (
    <select
      className="rule-part"
      aria-label={words.howLong}
      value={String(props.value)}
      onChange={(event) => props.onChange(daysOf(event.target.value))}
    >
      {choices.map((days) => (
        <option key={String(days)} value={String(days)}>
          {days === props.value ? props.text : words.days(days)}
        </option>
      ))}
    </select>
  )
}

function daysOf(value: string): RuleDays {
  if (value === '30') return 30
  return value === '90' ? 90 : null
}
