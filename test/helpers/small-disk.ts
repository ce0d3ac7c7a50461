import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A disk of its own, small enough to fill. */
export interface SmallDisk {
  dir: string
  /** Writes a file until the disk takes no more byte. */
  fill(): void
  /** Takes that file away. */
  free(): void
  /** Takes the disk away, at the latest when nothing on it is open any more. */
  remove(): void
}

/** Why no disk can be mounted here, for `skip`; null when one can. */
export function whyNoDisk(): string | null {
  if (process.platform !== 'linux') return 'a small disk is a tmpfs, which only Linux has'
  if (process.getuid?.() !== 0) return 'only root may mount a small disk'
  return mayMount() ? null : 'this container may not mount a small disk'
}

/** Mounts a tmpfs on a folder, which is made. */
export function mountSmallDisk(dir: string, options: { megabytes: number }): SmallDisk {
  mkdirSync(dir, { recursive: true })
  run('mount', ['-t', 'tmpfs', '-o', `size=${options.megabytes}m,mode=0700`, 'satchel-test', dir])
  const filler = join(dir, 'filler')
  return {
    dir,
    fill: () => fill(filler),
    free() {
      // First the bytes: on a disk without any space left even removing may need some.
      truncateSync(filler)
      rmSync(filler)
    },
    remove: () => run('umount', ['-l', dir]),
  }
}

/** Mounts a file on itself, so that it alone can be made read-only, also for root. */
export function mountOnItself(file: string): { remove(): void } {
  run('mount', ['--bind', file, file])
  return { remove: () => run('umount', ['-l', file]) }
}

/** Makes what is mounted there read-only, or writable again. */
export function setReadOnly(path: string, readOnly: boolean): void {
  run('mount', ['-o', `remount,bind,${readOnly ? 'ro' : 'rw'}`, path])
}

function fill(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (const size of [65_536, 4096, 1]) writeUntilFull(file, Buffer.alloc(size, 1))
  } finally {
    closeSync(file)
  }
}

function writeUntilFull(file: number, block: Buffer): void {
  try {
    for (;;) writeSync(file, block)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

function mayMount(): boolean {
  const tried = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'satchel-test', '/mnt'])
  return tried.status === 0
}

function run(command: string, args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
}
