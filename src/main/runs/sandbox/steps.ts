import { lstatSync, readlinkSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { isInside } from '../../lib/contain'
import { NOT_TEXT, refuseName } from './byte-names'

/** Links on one way. */
const MAX_LINKS = 40

/**
 * The links on the way to a place of the project and where it is in truth, relative to it; what leads out of the project
 * ends there. Throws where a link leads to a name that is not UTF-8.
 */
export function stepsTo(workspace: string, place: string): string[] {
  const steps: string[] = []
  const left = relative(workspace, place).split('/')
  let at = workspace
  while (left.length > 0 && steps.length < MAX_LINKS) {
    const next = join(at, left.shift() ?? '')
    if (!isInside(workspace, next)) return steps
    if (!lookAt(next)?.isSymbolicLink()) {
      at = next
      continue
    }
    steps.push(relative(workspace, next))
    const link = linkOf(next)
    if (link.includes(NOT_TEXT)) refuseName(relative(workspace, next))
    const target = resolve(at, link)
    if (!isInside(workspace, target)) return steps
    left.unshift(...relative(workspace, target).split('/'))
    at = workspace
  }
  return [...steps, relative(workspace, at)]
}

/** Without following a link; undefined: there is nothing that a program of this person could reach. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    // Below a file, or closed to the person and so to every program of theirs.
    return undefined
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    // Gone meanwhile.
    return '/'
  }
}
