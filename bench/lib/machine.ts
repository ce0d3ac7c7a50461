import { spawnSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem } from 'node:os'

const BUSY = ': the machine is busy, so times and ratios scatter; run it again when it is not'

/** One line each: when, what code, on what machine. */
export function describeRun(): string[] {
  const cores = cpus()
  const load = loadavg()[0]!
  return [
    `date     ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `commit   ${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain') === '' ? '' : ' with uncommitted changes'}`,
    `machine  ${cores.length} cores (${cores[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, ` +
      `${process.platform} ${release()}`,
    `runtime  Node ${process.versions.node}`,
    `load     ${load.toFixed(1)} programs want a core${load > cores.length / 2 ? BUSY : ''}`,
  ]
}

function git(...args: string[]): string {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : 'unknown'
}
