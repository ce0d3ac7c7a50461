import { useRef, useState } from 'react'
import type { ChangeEvent } from 'react'
import type { FileRule } from '@shared/domain/rule'
import { visibleLine } from '@shared/visible-text'
import { api } from '../../api'
import { guarded } from '../../shell/actions'
import { refreshRules } from '../../stores/rules'
import { addNotice } from '../../stores/ui'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Option } from '../../ui/field'
import { words } from '../words'

interface Read {
  text: string
  rules: FileRule[]
}

/** Rules as files: saved, and looked at one by one before any of them is taken. */
export function RuleFiles() {
  const [read, setRead] = useState<Read | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const choose = (event: ChangeEvent<HTMLInputElement>): void => {
    const file = event.target.files?.[0]
    // The same file can be chosen again after it was mended.
    event.target.value = ''
    if (file) void guarded(async () => setRead(await readRules(file)))
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label={words.ruleFile}
        onChange={choose}
      />
      <Button onClick={() => input.current?.click()}>{words.importRules}</Button>
      <Button onClick={() => void guarded(exportRules)}>{words.exportRules}</Button>
      {read && <ImportDialog read={read} onDone={() => setRead(null)} />}
    </>
  )
}

async function readRules(file: File): Promise<Read> {
  if (file.size > MAX_BYTES) throw new Error(words.ruleFileTooLarge)
  const text = await file.text()
  return { text, rules: await api.call('rules.readFile', { text }) }
}

/** As main takes at most. */
const MAX_BYTES = 2_000_000

async function exportRules(): Promise<void> {
  const { path, count } = await api.call('rules.export', {})
  if (path !== null) addNotice('info', words.rulesExported(count, path))
}

function ImportDialog({ read, onDone }: { read: Read; onDone: () => void }) {
  const [chosen, setChosen] = useState(
    () => new Set(read.rules.flatMap((rule, at) => (isUsual(rule) ? [at] : []))),
  )
  const toggle = (at: number, on: boolean): void => {
    const next = new Set(chosen)
    if (on) next.add(at)
    else next.delete(at)
    setChosen(next)
  }
  const save = (): void => {
    onDone()
    void guarded(async () => {
      const { added } = await api.call('rules.import', { text: read.text, chosen: [...chosen] })
      await refreshRules()
      addNotice('info', words.rulesImported(added))
    })
  }
  return (
    <Dialog
      open
      className="rule-import"
      title={words.importTitle}
      onClose={onDone}
      footer={
        <>
          <Button onClick={onDone}>{words.keep}</Button>
          <Button variant="solid" unavailable={chosen.size === 0 && words.chooseRules} onClick={save}>
            {words.saveRules(chosen.size)}
          </Button>
        </>
      }
    >
      <p className="small t2">{words.importHint}</p>
      <ul className="col rule-file" aria-label={words.rulesOfFile}>
        {read.rules.map((rule, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- rules of a fixed text: the place is what they are
          <li key={at}>
            <Option
              type="checkbox"
              label={visibleLine(rule.text, MAX_SENTENCE)}
              checked={chosen.has(at)}
              disabled={rule.problem !== null}
              onChange={(event) => toggle(at, event.target.checked)}
            />
            <p className="small t3">{rule.problem ?? words.wouldMatch(rule.matched, rule.of)}</p>
          </li>
        ))}
        {read.rules.length === 0 && <li className="small t3">{words.noRulesInFile}</li>}
      </ul>
    </Dialog>
  )
}

const MAX_SENTENCE = 2000

/** What allows something that was never asked for here is only taken when it is chosen. */
function isUsual({ problem, effect, matched }: FileRule): boolean {
  return problem === null && (effect !== 'allow' || matched > 0)
}
