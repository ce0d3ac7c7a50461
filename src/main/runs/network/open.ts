import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxPlan } from '@shared/domain/approval'
import type { NetworkRecord } from '@shared/domain/run'
import { AppError } from '@shared/errors'
import type { Names } from './addresses'
import { createProxy } from './proxy'

/** The network of one run while it lasts. */
export interface RunNetwork {
  /** Real path of the proxy's socket, in the folder of the run. */
  socket: string
  isReady(): boolean
  record(): NetworkRecord
  close(): void
}

export interface NetworkDeps {
  /** Where names of hosts are asked for. */
  names: Names
  /** Takes secrets out of what a script names. */
  clean(text: string): string
}

/** Under the folder of a run. */
const NAME = 'network'

/**
 * Opens the way out for a run that may reach hosts, on a socket in its folder `dir`: nothing listens on a port of this
 * computer, and when this process is gone, nobody answers any more. Null: the run has no network. Throws
 * `sandbox_failed` where it can't listen.
 */
export function openNetwork(
  { names, clean }: NetworkDeps,
  { network, hosts }: Pick<SandboxPlan, 'network' | 'hosts'>,
  dir: string,
): RunNetwork | null {
  if (network !== 'hosts') return null
  const proxy = createProxy({ ...names, clean, hosts: hosts ?? [] })
  // The address of a socket has 108 bytes, fewer than many a path.
  const folder = openSync(dir, 'r')
  let listening = true
  proxy.server.on('error', () => {
    listening = false
  })
  proxy.server.on('close', () => closeSync(folder))
  proxy.server.listen(`/proc/self/fd/${folder}/${NAME}`)
  const socket = join(dir, NAME)
  if (!existsSync(socket)) {
    proxy.close()
    throw new AppError('sandbox_failed', 'The network of the run could not be opened. Nothing ran.')
  }
  return {
    socket,
    isReady: () => listening && proxy.isReady(),
    record: proxy.record,
    close: proxy.close,
  }
}
