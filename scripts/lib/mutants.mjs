import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './project.mjs'

/**
 * A change of the sources that breaks one behaviour.
 * @typedef {{
 *   id: string,
 *   breaks: string,
 *   file: string,
 *   find: string,
 *   replace: string,
 *   tests: string[],
 *   red: string,
 * }} Mutant breaks: the behaviour that is lost; find: stands once in the file; red: how the name of the test begins that
 * must turn red
 */

/** Every planted change, in the order of the files and of their lists. */
export function readMutants() {
  const dir = join(root, 'test', 'mutants')
  const files = readdirSync(dir).filter((name) => name.endsWith('.json'))
  return files.sort().flatMap((name) => {
    /** @type {Mutant[]} */
    const list = JSON.parse(readFileSync(join(dir, name), 'utf8'))
    return list
  })
}
