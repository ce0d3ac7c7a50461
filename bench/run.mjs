// `npm run bench -- discovery|search|watch|turn|exec|tokens|chat|library|audit`: bundles the benchmarks with the code they measure, as a release
// would be bundled, and runs them under the Node that the native modules are built for. See docs/performance.md.
import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
// Inside the project, so that the bundles find better-sqlite3.
const outDir = join(root, 'node_modules', '.cache', 'satchel', `bench-${process.pid}`)
const ownNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

try {
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    resolve: { alias: { '@shared': join(root, 'src/shared') } },
    ssr: { noExternal: true, external: ['better-sqlite3', 'node-pty', '@playwright/test', 'vite'] },
    build: {
      ssr: true,
      target: 'node20.18',
      outDir,
      rollupOptions: {
        input: {
          main: join(root, 'bench/main.ts'),
          child: join(root, 'bench/child.ts'),
          writer: join(root, 'bench/writer.ts'),
          worker: join(root, 'src/main/worker.ts'),
        },
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'part-[hash].cjs' },
      },
    },
  })
  process.exitCode = await run(join(outDir, 'main.cjs'), process.argv.slice(2))
} finally {
  rmSync(outDir, { recursive: true, force: true })
}

/**
 * @param {string} file
 * @param {string[]} args
 * @returns {Promise<number>}
 */
function run(file, args) {
  const child = spawn(existsSync(ownNode) ? ownNode : process.execPath, [file, ...args], { stdio: 'inherit' })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => void child.kill(signal))
  }
  return new Promise((resolve) => void child.on('exit', (code) => resolve(code ?? 1)))
}
