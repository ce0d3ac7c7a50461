import { basename, dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '@shared/ipc/server'
import { threadPort } from './search/thread-port'
import type { LogLine } from './search/thread-port'
import { workerContract, WorkerData } from './search/worker-contract'
import { createWorkerHandlers } from './search/worker-handlers'
import { readSkillMd } from './skills/facts'

/** Entry of the worker thread: search and long reads of the record, each over a connection of its own. */
function run(port: NonNullable<typeof parentPort>): void {
  const { handlers, close } = createWorkerHandlers({
    ...WorkerData.parse(workerData),
    readBody: (skillMd) => readSkillMd(skillMd, basename(dirname(skillMd))).body,
  })
  port.once('close', close)
  serve(
    workerContract,
    handlers,
    threadPort(port, (listener) => port.once('close', listener)),
    {
      // One trusted asker, which sends as fast as it is answered.
      ratePerSecond: 1_000_000,
      onInternalError(name, error) {
        const line: LogLine = {
          t: 'log',
          message: `worker: ${name}: ${error instanceof Error ? error.stack : String(error)}`,
        }
        port.postMessage(line)
      },
    },
  )
}

if (parentPort) run(parentPort)
