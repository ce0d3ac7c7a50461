import { AppError } from '@shared/errors'
import type { Client } from '@shared/ipc/define'
import type { WorkerClient } from '../../search/worker-client'
import type { scanContract, ScanDelta, Scanner } from '../../skills/scan/scan-contract'
import type { ScanInput } from '../../skills/roots/roots'

type ScanClient = Client<typeof scanContract>

interface State {
  client: ScanClient | null
  input: ScanInput | null
  keys: readonly string[]
  /** Number of the last part that was handed on. */
  seq: number
  waiting: Set<() => void>
  closed: boolean
}

/**
 * The scanner of the worker thread, as if it were here. A worker that takes the place of a dead one is told again what
 * to look at, and tells everything anew.
 */
export function scannerInWorker(
  worker: Pick<WorkerClient, 'serve'>,
  onDelta: (delta: ScanDelta) => void,
): Scanner {
  const state: State = {
    client: null,
    input: null,
    keys: [],
    seq: 0,
    waiting: new Set(),
    closed: false,
  }
  worker.serve<typeof scanContract>((client) => start(state, client, onDelta))
  return {
    configure(input) {
      state.input = input
      void tell(state, (client) => client.call('scan.configure', input))
    },
    refresh: () => refresh(state),
    deepen(keys) {
      state.keys = keys
      void tell(state, (client) => client.call('scan.deepen', { keys: [...keys] }))
    },
    close() {
      state.closed = true
      wake(state)
    },
  }
}

function start(state: State, client: ScanClient, onDelta: (delta: ScanDelta) => void): void {
  if (state.closed) return
  const { input, keys } = state
  Object.assign(state, { client, seq: 0 })
  client.stream(
    'scan.deltas',
    {},
    {
      event(delta) {
        if (state.client !== client || state.closed) return
        onDelta(delta)
        state.seq = delta.seq
        wake(state)
      },
    },
  )
  if (input) void tell(state, () => client.call('scan.configure', input))
  if (keys.length > 0) void tell(state, () => client.call('scan.deepen', { keys: [...keys] }))
}

/** What a dead worker did not hear, the next one is told at its start. */
async function tell(state: State, say: (client: ScanClient) => Promise<unknown>): Promise<void> {
  try {
    if (state.client) await say(state.client)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}

/** Asks the worker; when it dies meanwhile, the next one. Then waits for the parts that belong to the look. */
async function refresh(state: State): Promise<void> {
  while (!state.closed) {
    const { client } = state
    const done = await client!.call('scan.refresh', {}).catch(() => null)
    if (done && state.client === client) {
      while (!state.closed && state.client === client && state.seq < done.seq) await awake(state)
      if (state.client === client) return
    } else if (state.client === client) await awake(state)
  }
}

function awake(state: State): Promise<void> {
  return new Promise((resolve) => {
    const once = () => {
      state.waiting.delete(once)
      resolve()
    }
    state.waiting.add(once)
  })
}

function wake({ waiting }: State): void {
  for (const once of waiting) once()
}
