import type { ToolCall } from '@shared/domain/session'
import { lazy, Suspense, useState } from 'react'
import type { FormEvent } from 'react'
import { api } from '../../api'
import { guarded } from '../../shell/actions'
import { useRun } from '../../stores/runs'
import { Button } from '../../ui/button'
import { StopIcon } from '../../ui/icons'
import { fields, text } from './read-result'
import { interruptedWords, isInterruptedHook, isLive, isRun } from './steps'
import type { StepView } from './steps'
import { chat } from '../strings'
import { KeptTerminal, LiveTerminal } from '../terminal/terminal'

/** With the terminal emulator: loaded when a person has allowed the first full-screen program. */
const FullScreen = lazy(async () => {
  const { FullScreen: loaded } = await import('../terminal/full-screen')
  // Its cells are as wide as the letters are when it is made; without that font they are those of another.
  await document.fonts.load("12px 'Plex Mono'").catch(() => [])
  return { default: loaded }
})

/** What stands under a row without opening it: a run's output, and that a hook was interrupted. */
export function StepBody({ call, view }: { call: ToolCall; view: StepView }) {
  if (isInterruptedHook(call)) return <InterruptedRun call={call} />
  if (!isRun(call)) return null
  if (isLive(call) && call.runId)
    return <LiveRun runId={call.runId} isFull={call.edited?.fullScreen === true} />
  if (view.kind !== 'run-done') return null
  return call.state === 'interrupted' ? <InterruptedRun call={call} /> : <KeptOutput call={call} />
}

/** The log has everything in its order; the call's own row is what is left when the log is gone. */
function InterruptedRun({ call }: { call: ToolCall }) {
  return (
    <>
      <p className="small t2 step-note">{interruptedWords(call)}</p>
      {call.runId ? (
        <LiveTerminal runId={call.runId} instead={<KeptOutput call={call} />} />
      ) : (
        <KeptOutput call={call} />
      )}
    </>
  )
}

/** Output as the call's row holds it, its beginning and its end; the whole of it on request. */
function KeptOutput({ call }: { call: ToolCall }) {
  const [full, setFull] = useState(false)
  if (full && call.runId) return <LiveTerminal runId={call.runId} />
  const result = fields(call.envelope?.result ?? call.envelope?.partial)
  return (
    <KeptTerminal
      out={text(result['stdout']) || text(result['output'])}
      err={text(result['stderr']) || text(result['error'])}
      full={
        result['truncated'] === true ? (
          <Button variant="quiet" small onClick={() => setFull(true)}>
            {chat.fullOutput}
          </Button>
        ) : null
      }
    />
  )
}

function LiveRun({ runId, isFull }: { runId: string; isFull: boolean }) {
  const run = useRun(runId)
  const [stopping, setStopping] = useState(false)
  const kill = () => {
    setStopping(true)
    void guarded(async () => void (await api.call('runs.kill', { runId, force: stopping })))
  }
  return (
    <>
      <div className="progress" aria-hidden="true" />
      {isFull ? (
        <Suspense>
          <FullScreen runId={runId} />
        </Suspense>
      ) : (
        <LiveTerminal runId={runId} />
      )}
      <div className="row live-tools">
        {run?.interactive && !isFull ? <InputLine runId={runId} /> : <span className="sp" />}
        <Button small icon={<StopIcon size={14} weight="fill" />} onClick={kill}>
          {stopping ? chat.forceStop : chat.stopScript}
        </Button>
      </div>
    </>
  )
}

/** Only for a run whose request said that it may ask questions. */
function InputLine({ runId }: { runId: string }) {
  const [line, setLine] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    setLine('')
    void guarded(async () => void (await api.call('runs.input', { runId, data: `${line}\n` })))
  }
  return (
    <form className="grow" onSubmit={send}>
      <input
        className="inp mono"
        aria-label={chat.inputLabel}
        placeholder={chat.inputLabel}
        value={line}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setLine(event.target.value)}
      />
    </form>
  )
}
