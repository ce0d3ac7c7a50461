import { useState } from 'react'
import { formatExact } from '../ui/format'
import { SelectField } from '../ui/field'
import { StatusMark, type Tone } from '../ui/marks'
import { Note } from '../ui/note'
import type { PageProps } from './pages'
import { Page, Row } from './rows'
import { SandboxRow } from './sandbox-row'
import { ATTACK_CASES, attacksOf, byGroup, type Attack, type CaseState, type LastRun } from './self-test'
import { selfTest } from './self-test-strings'

/** Digest of the sources of this build. */
declare const SATCHEL_CONTENT: string

const RESULT = import.meta.glob<LastRun>('../../../resources/corpus-result.json', {
  eager: true,
  import: 'default',
})
const LAST_RUN = Object.values(RESULT)[0] ?? null
const ATTACKS = attacksOf(ATTACK_CASES, LAST_RUN, navigator.platform.startsWith('Linux'))

const TONES: Record<CaseState, Tone> = {
  held: 'ok',
  failed: 'bad',
  'not-run': 'off',
  'not-here': 'off',
  'not-covered': 'warn',
}

/** All attacks that Satchel knows, what must come of each, and what came of it when they were last played. */
export function SelfTestPage({ view }: PageProps) {
  const [isOpenOnly, setOpenOnly] = useState(false)
  const shown = ATTACKS.filter(({ state }) => !isOpenOnly || state !== 'held')
  return (
    <Page title={selfTest.title}>
      <p className="small t3 set-lead">{selfTest.lead}</p>
      <SandboxRow sandbox={view.sandbox} />
      <LastRunRows />
      <Row name={selfTest.show}>
        <SelectField
          label={selfTest.show}
          value={isOpenOnly ? 'open' : 'all'}
          onChange={(event) => setOpenOnly(event.target.value === 'open')}
        >
          <option value="all">{selfTest.all}</option>
          <option value="open">{selfTest.open}</option>
        </SelectField>
      </Row>
      {shown.length === 0 && <p className="small t2 set-demand">{selfTest.nothingOpen}</p>}
      {byGroup(shown).map(([group, attacks]) => (
        <AttackTable key={group} group={group} attacks={attacks} />
      ))}
    </Page>
  )
}

function LastRunRows() {
  if (LAST_RUN === null) {
    return (
      <Row name={selfTest.lastRun} hint={selfTest.neverText}>
        <StatusMark tone="warn">{selfTest.never}</StatusMark>
      </Row>
    )
  }
  const held = ATTACKS.filter(({ state }) => state === 'held').length
  const failed = ATTACKS.filter(({ state }) => state === 'failed')
  const day = formatExact(Date.parse(LAST_RUN.date))
  return (
    <>
      <Row name={selfTest.lastRun} hint={selfTest.about(day, LAST_RUN)}>
        <StatusMark tone={failed.length > 0 ? 'bad' : 'ok'}>
          {failed.length > 0 ? selfTest.someFailed(failed.length) : selfTest.counts(held, ATTACKS.length)}
        </StatusMark>
      </Row>
      {failed.length > 0 && (
        <Note tone="bad" title={selfTest.failedTitle}>
          {failed.map(({ id, title }) => `${id} ${title}`).join('; ')}
        </Note>
      )}
      {LAST_RUN.sources !== SATCHEL_CONTENT && (
        <Note tone="warn" title={selfTest.olderTitle}>
          {selfTest.olderText}
        </Note>
      )}
      <Row name={selfTest.defences} hint={selfTest.defencesHint}>
        <span className="small t2">
          {LAST_RUN.defences ? selfTest.defencesTried(LAST_RUN.defences) : selfTest.never}
        </span>
      </Row>
    </>
  )
}

function AttackTable({ group, attacks }: { group: string; attacks: readonly Attack[] }) {
  return (
    <>
      <div className="row set-sub">
        <h3>{group}</h3>
      </div>
      <table className="set-table set-attacks" aria-label={group}>
        <thead>
          <tr className="small t3">
            {selfTest.columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {attacks.map((attack) => (
            <AttackRow key={attack.id} attack={attack} />
          ))}
        </tbody>
      </table>
    </>
  )
}

function AttackRow({ attack }: { attack: Attack }) {
  const { id, title, expected, proofs, gap, state } = attack
  const files = [...new Set(proofs.map(({ file }) => file))]
  return (
    <tr>
      <th scope="row">
        <span className="mono small t3">{id}</span> {title}
        {gap !== undefined && (
          <div className="small t2">{proofs.length > 0 ? selfTest.missing(gap) : gap}</div>
        )}
        {state === 'not-here' && <div className="small t2">{selfTest.notHere}</div>}
      </th>
      <td>{expected}</td>
      <td className="small">
        {files.length === 0 && <span className="t3">{selfTest.notProved}</span>}
        {files.map((file) => (
          <div key={file}>
            <code className="set-path selectable">{file.replace(/^test\//, '')}</code>
          </div>
        ))}
      </td>
      <td>
        <StatusMark tone={TONES[state]}>{selfTest.states[state]}</StatusMark>
      </td>
    </tr>
  )
}
