import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '../..')
const built = new Map<string, Promise<string>>()

/** A program for tests, such as `crash-core.ts`, as one CommonJS file inside the project, so that it finds the native modules. */
export function builtCore(entry = 'crash-core.ts'): Promise<string> {
  const known = built.get(entry) ?? make(entry)
  built.set(entry, known)
  return known
}

async function make(entry: string): Promise<string> {
  const cache = join(root, 'node_modules', '.cache', 'satchel')
  mkdirSync(cache, { recursive: true })
  const outDir = mkdtempSync(join(cache, 'core-'))
  process.on('exit', () => rmSync(outDir, { recursive: true, force: true }))
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    resolve: { alias: { '@shared': join(root, 'src/shared') } },
    ssr: { noExternal: true, external: ['better-sqlite3', 'node-pty'] },
    build: {
      ssr: join(import.meta.dirname, entry),
      target: 'node20.18',
      outDir,
      emptyOutDir: false,
      rollupOptions: { output: { format: 'cjs', entryFileNames: 'core.cjs' } },
    },
  })
  return join(outDir, 'core.cjs')
}
