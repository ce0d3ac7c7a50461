import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './project.mjs'

/**
 * What stops attacks, and how it is taken away: each text to find stands once in its file.
 * @typedef {{ file: string, find: string, replace: string }} Change
 * @typedef {{ id: string, what: string, changes: Change[] }} Defence
 * @typedef {{ file: string, test?: string, ids: string[] }} Proof a test, or a file of cases, that shows an attack of
 *   each of these ids to fail
 * @typedef {{ id: string, what: string, changes: Change[], proofs: Proof[] }} TestDefence what turns these proofs red
 */

/** The defences of the cases of the core, and those of them that are taken away together. */
export function readDefences() {
  /** @type {Defence[]} */
  const defences = read('defences.json')
  /** @type {Record<string, string[] | { notTried: string }>} */
  const defended = read('defended.json')
  const named = Object.values(defended).flatMap((one) => (Array.isArray(one) ? [one.join('+')] : []))
  return { defences, groups: [...new Set(named)].map((names) => names.split('+')) }
}

/** The defences that other proofs name, each with all of its changes, and the proofs that are not tried without one. */
export function readTestDefences() {
  /** @type {{ off: (Omit<TestDefence, 'changes'> & { changes?: Change[], uses?: string[] })[], notTried: { why: string, proofs: Proof[] }[] }} */
  const { off, notTried } = read('defended-tests.json')
  const { defences } = readDefences()
  /** @type {TestDefence[]} */
  const tried = off.map(({ changes = [], uses = [], ...rest }) => {
    const used = uses.flatMap((id) => defences.find((one) => one.id === id)?.changes ?? [])
    return { ...rest, changes: [...used, ...changes] }
  })
  return { off: tried, notTried }
}

/** @param {string} name */
function read(name) {
  return JSON.parse(readFileSync(join(root, 'test', 'corpus', name), 'utf8'))
}
