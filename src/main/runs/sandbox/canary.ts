import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { RunPlan } from '@shared/domain/approval'

/** How long a canary may take. */
export const PROBE_MS = 10_000

/** A plan for what a probe tries: it writes to `workspace`. */
export function probePlan(workspace: string): RunPlan {
  return {
    version: 1,
    kind: 'shell',
    skill: null,
    script: null,
    interpreter: { name: 'bash', path: '/bin/bash', version: '', source: 'shell', prefixes: [] },
    argv: ['/bin/bash'],
    cwd: workspace,
    workspace,
    env: [{ name: 'PATH', value: '/usr/bin:/bin' }],
    stdin: null,
    interactive: false,
    timeoutMs: PROBE_MS,
    mounts: [],
    sandbox: {
      backend: 'bwrap',
      label: '',
      profile: 'workspace-write',
      network: 'off',
      writable: [workspace],
      readable: [],
    },
  }
}

/** Seen from outside: whether anything came. */
export interface Listener {
  port: number
  reached(): boolean
  close(): Promise<void>
}

/** On the loopback device of this computer. */
export function listen(): Promise<Listener> {
  return new Promise((resolve, reject) => {
    let reached = false
    const server = createServer((socket) => {
      reached = true
      socket.destroy()
    })
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      resolve({
        port: (server.address() as AddressInfo).port,
        reached: () => reached,
        close: () => new Promise((done) => server.close(() => done())),
      })
    })
  })
}
