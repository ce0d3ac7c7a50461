import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Task } from '../child'
import { threadMs } from '../lib/scanning'
import { summarise } from '../lib/statistics'

interface Args {
  dir: string
}

const HEAD = 4096

/** The least that discovery has to do: list the folder, and read the first 4 kB of every SKILL.md, nothing else. */
export const read4k: Task<Args> = async ({ dir }) => {
  const buffer = Buffer.allocUnsafe(HEAD)
  const cpu = threadMs()
  const started = performance.now()
  let bytes = 0
  for (const name of readdirSync(dir)) bytes += readHead(join(dir, name, 'SKILL.md'), buffer)
  return { ms: performance.now() - started, numbers: { bytes, thread: threadMs() - cpu } }
}

/** The same with 64 reads in flight, which is faster when the disk is cold. */
export const read64: Task<Args> = async ({ dir }) => {
  const started = performance.now()
  const names = await readdir(dir)
  let bytes = 0
  const worker = async () => {
    const buffer = Buffer.allocUnsafe(HEAD)
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const file = await open(join(dir, name, 'SKILL.md'))
      bytes += (await file.read(buffer, 0, HEAD, 0)).bytesRead
      await file.close()
    }
  }
  await Promise.all(Array.from({ length: 64 }, worker))
  return { ms: performance.now() - started, numbers: { bytes } }
}

/**
 * The least that a second look has to do: list the folder, and ask for the time and size of every SKILL.md. Of more than
 * one look the median, as a running program has it.
 */
export const statOnly: Task<Args & { repeats: number }> = async ({ dir, repeats }) => {
  let newest = 0
  const cpu = threadMs()
  const times = Array.from({ length: repeats }, () => {
    const started = performance.now()
    for (const name of readdirSync(dir)) {
      newest = Math.max(newest, statSync(join(dir, name, 'SKILL.md')).mtimeMs)
    }
    return performance.now() - started
  })
  return {
    ms: summarise(times).median,
    numbers: { newest, thread: (threadMs() - cpu) / repeats },
  }
}

function readHead(file: string, buffer: Buffer): number {
  const fd = openSync(file, 'r')
  try {
    return readSync(fd, buffer, 0, HEAD, 0)
  } finally {
    closeSync(fd)
  }
}
