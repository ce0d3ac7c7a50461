import { basename, dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '@shared/ipc/server'
import type { Log } from './lib/log'
import { createScanHandlers } from './handlers/scan'
import { readTexts } from './search/skill-texts'
import { threadPort } from './search/thread-port'
import type { LogLine } from './search/thread-port'
import { workerContract, WorkerData } from './search/worker-contract'
import { createWorkerHandlers } from './search/worker-handlers'
import { readSkillMd } from './skills/scan/facts'
import { readStart } from './skills/store/safe-read'
import { togetherContract, togetherHandlers } from './app/skills/together'
import { scanContract } from './skills/scan/scan-contract'
import { listTree } from './skills/store/tree'

/** Files of one skill that are looked at for the index. */
const MAX_FILES = 2000

/**
 * Entry of the worker thread: the scanner, the search index that follows it, and long reads of the record, each over a
 * connection of its own.
 */
function run(port: NonNullable<typeof parentPort>): void {
  const data = WorkerData.parse(workerData)
  const log = logTo(port)
  const search = createWorkerHandlers({
    ...data,
    readBody: (skillMd) => readSkillMd(skillMd, basename(dirname(skillMd))).body,
    readTexts: (rootDir) =>
      readTexts(listTree(rootDir, { maxFiles: MAX_FILES, allowHardLinks: true }).files, readStart),
    onRemade: () => scan.reindex(),
  })
  const { handlers } = search
  const scan = createScanHandlers({
    scanFile: join(dirname(data.indexFile), 'scan.db'),
    index: {
      stamps: () => handlers['skills.stamps']({}) as { key: string; stamp: string }[],
      index: (changes) => handlers['skills.index'](changes),
    },
    log,
  })
  port.once('close', () => {
    scan.close()
    search.close()
  })
  serve(
    { ...workerContract, ...scanContract, ...togetherContract },
    { ...handlers, ...scan.handlers, ...togetherHandlers(scan.records) },
    threadPort(port, (listener) => port.once('close', listener)),
    {
      // One trusted asker, which sends as fast as it is answered.
      ratePerSecond: 1_000_000,
      onInternalError: (name, error) => log.error(name, error),
    },
  )
}

function logTo(port: NonNullable<typeof parentPort>): Log {
  const send = (message: string) =>
    port.postMessage({ t: 'log', message: `worker: ${message}` } satisfies LogLine)
  return {
    info: () => undefined,
    warn: () => undefined,
    error: (what, error) => send(`${what}: ${error instanceof Error ? error.stack : String(error)}`),
  }
}

if (parentPort) run(parentPort)
