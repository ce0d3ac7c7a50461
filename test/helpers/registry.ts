import { join } from 'node:path'
import type { Log } from '../../src/main/lib/log'
import { createRegistry } from '../../src/main/skills/registry/registry'
import type { Registry, RegistryDeps } from '../../src/main/skills/registry/registry'
import type { ProjectFolder, ScanInput } from '../../src/main/skills/roots/roots'
import { createScanner } from '../../src/main/skills/scan/scanner'
import type { ScannerDeps } from '../../src/main/skills/scan/scanner-state'

export interface LocalRegistryOptions {
  homeDir: string
  resourcesDir: string
  projects?(): readonly ProjectFolder[]
  input?: Partial<ScanInput>
  registry?: Partial<RegistryDeps>
  scanner?: Partial<ScannerDeps>
  log?: Log
}

const QUIET: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** A registry whose scanner runs in this thread. It watches, but looks by itself only once an hour. */
export function localRegistry(options: LocalRegistryOptions): Registry {
  const { homeDir, resourcesDir } = options
  const projects = options.projects ?? (() => [])
  return createRegistry({
    scanner: (onDelta) =>
      createScanner({
        indexFile: null,
        watch: true,
        // Far away, so that what a test sees came by watching.
        pollMs: 3_600_000,
        log: options.log ?? QUIET,
        ...options.scanner,
        onDelta,
      }),
    projects,
    input: () => ({
      homeDir,
      resourcesDir,
      dataDir: join(homeDir, 'data'),
      policyDir: null,
      env: { PATH: process.env['PATH'] },
      projects: projects(),
      writableTools: [],
      sources: [],
      ...options.input,
    }),
    projectOverPersonal: () => false,
    onChange: () => undefined,
    ...options.registry,
  })
}
