import { useSessions } from '../../stores/sessions'
import { StepRow } from './step-row'

/** The step of a call, where its message stands. */
export function ToolPart({ callId }: { callId: string }) {
  const call = useSessions((state) => state.chat?.calls[callId])
  const calls = useSessions((state) => state.chat?.calls)
  return call && calls ? <StepRow call={call} calls={calls} /> : null
}
