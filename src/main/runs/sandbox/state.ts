import { join } from 'node:path'
import type { SandboxView } from '@shared/domain/settings'
import { AppError } from '@shared/errors'
import type { Capabilities, SandboxBackend } from './backend'
import { createNoSandbox } from './none'
import { probeSandbox } from './probe'
import type { ProbeResult } from './probe'

export interface SandboxState {
  /** Proves the sandbox; `anew`: also where it was proved before with this kernel and this bubblewrap. */
  probe(anew?: boolean): Promise<void>
  view(): SandboxView & { capabilities: Capabilities }
  /** What runs use. Throws `sandbox_failed` where none may run: as root without a working sandbox. */
  backend(): Promise<SandboxBackend>
}

interface StateDeps {
  dataDir: string
  env: Readonly<Record<string, string | undefined>>
  snapshotDir: (digest: string) => string
  runAsRoot: boolean
}

const AS_ROOT = 'Satchel runs as root, and as root nothing runs outside a sandbox.'

/** What this machine can do for a run, proved once and kept until asked to prove it again. */
export function createSandboxState(deps: StateDeps): SandboxState {
  const none = createNoSandbox(deps.dataDir, deps.snapshotDir)
  let proving: Promise<ProbeResult> | null = null
  let found: ProbeResult | null = null
  const file = join(deps.dataDir, 'sandbox-proof.json')
  const prove = async (anew = false) => {
    found = await probeSandbox(deps.env['PATH'] ?? '', { file, trust: !anew })
    return found
  }
  return {
    async probe(anew) {
      proving = prove(anew)
      await proving
    },
    view: () => viewOf(found, none, deps.runAsRoot),
    async backend() {
      proving ??= prove()
      const result = await proving
      if (result.works) return result.backend
      if (deps.runAsRoot) throw new AppError('sandbox_failed', `${result.reason} ${AS_ROOT}`)
      return none
    },
  }
}

function viewOf(
  found: ProbeResult | null,
  none: SandboxBackend,
  runAsRoot: boolean,
): SandboxView & { capabilities: Capabilities } {
  if (found?.works) {
    return {
      backend: 'bwrap',
      works: true,
      summary:
        `${found.backend.label}: scripts write to the project only, ` +
        `can not read your home folder, and have no network${found.noHosts === null ? ' but hosts that you let a run reach' : ''}.`,
      network: hostWords(found.noHosts),
      runsRefused: false,
      capabilities: found.backend.capabilities,
    }
  }
  const reason = found === null ? 'Satchel is still looking for a sandbox.' : found.reason
  return {
    backend: 'none',
    works: false,
    summary: runAsRoot
      ? `${reason} ${AS_ROOT}`
      : `${reason} Scripts run unconfined, and each request says so.`,
    network: 'Without a sandbox nothing limits the network of a script.',
    runsRefused: runAsRoot || found === null,
    capabilities: none.capabilities,
  }
}

function hostWords(noHosts: string | null): string {
  return noHosts === null
    ? 'Off. You can let a run reach hosts that its skill names: by encrypted connections, and no others.'
    : `Off. No host can be allowed on this computer: ${noHosts}`
}
