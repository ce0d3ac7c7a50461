import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '../..')
let built: Promise<string> | undefined

/** The worker thread's entry as a CommonJS file: from the last build when it is newer than the sources, else made now. */
export function builtWorker(): Promise<string> {
  built ??= find()
  return built
}

async function find(): Promise<string> {
  const ready = join(root, 'out', 'main', 'worker.cjs')
  if (existsSync(ready) && statSync(ready).mtimeMs > (await newestSource())) return ready
  // Inside the project, so that the worker finds better-sqlite3.
  const cache = join(root, 'node_modules', '.cache', 'satchel')
  mkdirSync(cache, { recursive: true })
  const outDir = mkdtempSync(join(cache, 'worker-'))
  process.on('exit', () => rmSync(outDir, { recursive: true, force: true }))
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { '@shared': join(root, 'src/shared') } },
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: join(root, 'src/main/worker.ts'),
      target: 'node20.18',
      outDir,
      emptyOutDir: false,
      rollupOptions: { output: { format: 'cjs', entryFileNames: 'worker.cjs' } },
    },
  })
  return join(outDir, 'worker.cjs')
}

async function newestSource(): Promise<number> {
  const files = await readdir(join(root, 'src'), { recursive: true, withFileTypes: true })
  return Math.max(...files.filter((f) => f.isFile()).map((f) => statSync(join(f.parentPath, f.name)).mtimeMs))
}
