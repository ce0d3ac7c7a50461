import { signal, childrenOf, descendantsOf } from '../process-tree'
import { spawnEnv } from '../env'
import { reachFields } from './profiles'
import type { SandboxBackend } from './backend'

/**
 * No confinement: the script can do what the person can. Only where there is no working sandbox, never as root, and
 * said on every request.
 */
export function createNoSandbox(dataDir: string, snapshotDir: (digest: string) => string): SandboxBackend {
  return {
    id: 'none',
    label: 'not sandboxed',
    capabilities: {
      fsWrite: false,
      fsRead: false,
      netDeny: false,
      netAllowlist: false,
      treeKill: false,
      winch: true,
      fullScreen: false,
    },
    home: `${dataDir}/run-home`,
    skillDir: (_name, treeDigest) => snapshotDir(treeDigest),
    describe: (reach) => ({
      // Nothing holds the script to what its skill asks for, but the person sees that it asks.
      ...reachFields(reach),
      backend: 'none',
      label: 'not sandboxed',
      profile: 'none',
      network: 'on',
      writable: ['/'],
      readable: ['every file that you can read'],
    }),
    wrap: (plan, place) => ({
      argv: plan.argv,
      env: spawnEnv(plan.env, place.runId),
      cwd: plan.cwd,
      options: [],
    }),
    scriptProcesses: (wrapperPid) => childrenOf(wrapperPid),
    // What left the tree is found by its mark when the run ends.
    end(wrapperPid) {
      for (const pid of descendantsOf(wrapperPid).reverse()) signal(pid, 'SIGKILL')
    },
    // The interpreter was looked at a moment ago, and there is no sandbox that could fail.
    scriptStarted: () => true,
  }
}
