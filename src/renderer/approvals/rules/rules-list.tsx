import { useEffect, useState } from 'react'
import type { RuleChange, RuleView } from '@shared/domain/rule'
import { ruleText, type SentencePart } from '@shared/rule-sentence'
import { api } from '../../api'
import { guarded } from '../../shell/actions'
import { refreshRules, useRules } from '../../stores/rules'
import { openReview } from '../../stores/ui'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/field'
import { formatAgo, formatDay, formatExact } from '../../ui/format'
import { Tag } from '../../ui/marks'
import { EmptyState, Note } from '../../ui/note'
import { useNow } from '../../ui/use-now'
import { NewRuleForm } from './new-rule'
import { ArgsChoice, DaysChoice } from '../review/review-remember'
import { RuleFiles } from './rule-files'
import { RuleSentence } from './rule-sentence'
import { words } from '../words'

/** The rules of the person, and what projects demand: found by words, turned off, revoked, tried on the past. */
export function RulesList() {
  const list = useRules((state) => state.list)
  const [query, setQuery] = useState('')
  const [revoked, setRevoked] = useState<RuleView | null>(null)
  useEffect(() => void guarded(refreshRules), [])
  if (!list) return null
  const shown = list.rules.filter((rule) => isFound(rule, query))
  const revoke = (rule: RuleView): void => {
    setRevoked(rule)
    change({ id: rule.id, state: 'revoked' })
  }
  return (
    <div className="rules">
      <div className="row rules-head">
        <TextField label={words.findRules} value={query} onChange={(event) => setQuery(event.target.value)} />
        <NewRuleForm />
        <RuleFiles />
      </div>
      {list.notes.map((note) => (
        <Note key={note} tone="warn">
          {note}
        </Note>
      ))}
      {revoked && <Undo rule={revoked} onDone={() => setRevoked(null)} />}
      {shown.length === 0 ? (
        <EmptyState text={list.rules.length === 0 ? words.noRules : words.noRuleFound} />
      ) : (
        <ul className="rule-list" aria-label={words.rulesTab}>
          {shown.map((rule) => (
            <li key={rule.id} className="rule" data-rule={rule.id} data-state={rule.state}>
              <RuleRow rule={rule} onRevoke={() => revoke(rule)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function isFound(rule: RuleView, query: string): boolean {
  const text = `${ruleText(rule, formatExact)} ${rule.chatTitle ?? ''}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function Undo({ rule, onDone }: { rule: RuleView; onDone: () => void }) {
  const undo = (): void => {
    onDone()
    change({ id: rule.id, state: rule.state })
  }
  return (
    <Note
      tone="info"
      action={
        <Button small onClick={undo}>
          {words.undo}
        </Button>
      }
    >
      {words.revoked}
    </Note>
  )
}

function RuleRow({ rule, onRevoke }: { rule: RuleView; onRevoke: () => void }) {
  const isOwn = rule.origin === 'own'
  return (
    <>
      <div className="rule-says">
        {rule.state === 'off' && <Tag>{words.off}</Tag>}
        {!isOwn && <Tag>{rule.origin === 'policy' ? words.ofOrganisation : words.ofProject}</Tag>}
        <EditableSentence rule={rule} />
        {rule.problem && <Note tone="bad">{`${rule.problem} ${words.notUsed}`}</Note>}
        <RuleFacts rule={rule} />
      </div>
      {isOwn && <RuleActions rule={rule} onRevoke={onRevoke} />}
    </>
  )
}

function EditableSentence({ rule }: { rule: RuleView }) {
  const { match, argScopes, id } = rule
  if (rule.origin !== 'own' || !('fingerprint' in match) || rule.lifetime === 'chat') {
    return <RuleSentence rule={rule} />
  }
  const edit = (part: SentencePart) =>
    part.kind === 'args' ? (
      <ArgsChoice offered={argScopes} value={match.shape} onChange={(args) => change({ id, args })} />
    ) : (
      <DaysChoice text={part.text} value={nearestDays(rule)} onChange={(days) => change({ id, days })} />
    )
  return <RuleSentence rule={rule} edit={edit} />
}

function nearestDays({ expiresAt, createdAt }: RuleView): 30 | 90 | null {
  if (expiresAt === null) return null
  return expiresAt - createdAt > 31 * 24 * 60 * 60 * 1000 ? 90 : 30
}

function RuleFacts({ rule }: { rule: RuleView }) {
  const now = useNow(60_000)
  const { createdFrom, lastUsedAt, useCount, createdAt, origin } = rule
  if (origin !== 'own') return null
  return (
    <p className="small t3 row rule-facts">
      <span title={formatExact(createdAt)}>{words.made(formatDay(createdAt, now))}</span>
      {createdFrom !== null && (
        <button type="button" className="link" onClick={() => openReview(createdFrom)}>
          {words.madeFrom}
        </button>
      )}
      <span>{lastUsedAt === null ? words.neverUsed : words.used(useCount, formatAgo(lastUsedAt, now))}</span>
      {rule.chatTitle !== null && <span>{words.inChat(rule.chatTitle)}</span>}
    </p>
  )
}

function RuleActions({ rule, onRevoke }: { rule: RuleView; onRevoke: () => void }) {
  const [found, setFound] = useState('')
  const test = () =>
    guarded(async () => {
      const { matched, of } = await api.call('rules.wouldMatch', { id: rule.id })
      setFound(words.wouldMatch(matched, of))
    })
  return (
    <div className="row rule-acts">
      <output className="small t3">{found}</output>
      <Button small variant="quiet" onClick={() => void test()}>
        {words.tryOn}
      </Button>
      <Button small onClick={() => change({ id: rule.id, state: rule.state === 'on' ? 'off' : 'on' })}>
        {rule.state === 'on' ? words.turnOff : words.turnOn}
      </Button>
      <Button small onClick={onRevoke}>
        {words.revoke}
      </Button>
    </div>
  )
}

function change(wanted: RuleChange): void {
  void guarded(async () => {
    await api.call('rules.change', wanted)
    await refreshRules()
  })
}
