import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { contentDigest } from './scripts/lib/content-digest.mjs'
import { withoutFaultPoints } from './scripts/lib/without-fault-points.mjs'

/** How long each plug-in took is no news to somebody who starts the app. */
const checks = { bundlerTimings: false }
const alias = { '@shared': resolve(import.meta.dirname, 'src/shared') }

// Targets are those of the oldest runtime the app is tried on (Electron 33: Node 20.18, Chrome 130).
export default defineConfig({
  main: {
    resolve: { alias },
    plugins: [withoutFaultPoints()],
    build: {
      target: 'node20.18',
      sourcemap: true,
      rollupOptions: {
        checks,
        input: {
          index: resolve(import.meta.dirname, 'src/main/index.ts'),
          worker: resolve(import.meta.dirname, 'src/main/worker.ts'),
        },
        external: ['electron', 'better-sqlite3', 'node-pty'],
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name]-[hash].cjs' },
      },
    },
  },
  preload: {
    resolve: { alias },
    build: {
      target: 'node20.18',
      externalizeDeps: false,
      rollupOptions: {
        checks,
        input: { index: resolve(import.meta.dirname, 'src/preload/index.ts') },
        external: ['electron'],
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    resolve: { alias },
    plugins: [react(), tailwindcss()],
    // Which app this is: the page of the security self-test compares it with the one that was attacked.
    define: { SATCHEL_CONTENT: JSON.stringify(contentDigest(import.meta.dirname)) },
    build: {
      target: 'chrome130',
      minify: true,
      // One local file, read from disk: nothing is saved by cutting it.
      chunkSizeWarningLimit: 2000,
      rollupOptions: { checks, input: { index: resolve(import.meta.dirname, 'src/renderer/index.html') } },
    },
  },
})
