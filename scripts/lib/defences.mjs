import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './project.mjs'

/**
 * What stops attacks, and how it is taken away: each text to find stands once in its file.
 * @typedef {{ id: string, what: string, changes: { file: string, find: string, replace: string }[] }} Defence
 */

/** The defences of test/corpus, and those of them that are taken away together. */
export function readDefences() {
  /** @type {Defence[]} */
  const defences = read('defences.json')
  /** @type {Record<string, string[] | { notTried: string }>} */
  const defended = read('defended.json')
  const named = Object.values(defended).flatMap((one) => (Array.isArray(one) ? [one.join('+')] : []))
  return { defences, groups: [...new Set(named)].map((names) => names.split('+')) }
}

/** @param {string} name */
function read(name) {
  return JSON.parse(readFileSync(join(root, 'test', 'corpus', name), 'utf8'))
}
