import { join } from 'node:path'
import { EXIT } from './grammar/exit-codes'
import { runCommand } from './run'
import { processWorld } from './world'

/** Runs the command on this process; gives the exit code. `root` is the folder of package.json. */
export function main(args: readonly string[], { root }: { root: string }): Promise<number> {
  endQuietlyWithoutReader()
  // Built beside this one.
  const workerFile = join(import.meta.dirname, 'worker.mjs')
  return runCommand(args, processWorld({ root, workerFile }))
}

/** `satchel skills list | head`: who reads has seen enough, which is no failure. */
function endQuietlyWithoutReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed)
    })
  }
}
