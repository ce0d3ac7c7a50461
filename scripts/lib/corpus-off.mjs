// Takes one defence after the other out of the sources as they are loaded, and plays the attacks that name it: each must
// succeed then.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { titlePattern, toldByPlaywright, toldByVitest } from './corpus-result.mjs'
import { openDesktop } from './corpus-run.mjs'
import { readDefences, readTestDefences } from './defences.mjs'
import { root } from './project.mjs'

/**
 * @typedef {import('./corpus-run.mjs').Context} Context
 * @typedef {import('./corpus-result.mjs').Told} Told
 * @typedef {import('./defences.mjs').Change} Change
 * @typedef {import('./defences.mjs').Proof} Proof
 * @typedef {{ name: string, missed: string[] }} Tried missed: what did not succeed, or why nothing was tried
 */

const CONFIG = join('test', 'mutants', 'vitest.config.ts')
const WINDOW_CASES = 'test/corpus/window-cases.ts'

/**
 * @param {Context} context
 * @param {{ names: readonly string[], withWindow: boolean }} options without names all are tried
 * @returns {Promise<{ tried: number, failed: number }>}
 */
export async function playWithoutDefences(context, { names, withWindow }) {
  const total = { tried: 0, failed: 0 }
  const tell = (/** @type {Tried} */ { name, missed }) => {
    total.tried += 1
    if (missed.length > 0) total.failed += 1
    console.log(
      `${name} off: ${missed.length === 0 ? 'its attacks succeed' : `FAILED: ${missed.join('; ')}`}`,
    )
  }
  const isWanted = (/** @type {string} */ name) => names.length === 0 || names.includes(name)
  const off = readTestDefences().off.filter(({ id }) => isWanted(id))
  // Two lines side by side.
  await Promise.all([coresTried(context, isWanted, tell), unitsTried(context, off, tell)])
  if (withWindow) for await (const tried of windowTried(context, off)) tell(tried)
  if (names.length > 0 && total.tried === 0) return { tried: 0, failed: 1 }
  console.log(`${total.tried} tried, ${total.tried - total.failed} as they must be, ${total.failed} failed`)
  return total
}

/**
 * @param {Context} context
 * @param {(name: string) => boolean} isWanted
 * @param {(tried: Tried) => void} tell
 */
async function coresTried(context, isWanted, tell) {
  const { defences, groups } = readDefences()
  for (const group of groups.filter((one) => isWanted(one.join('+')))) {
    const changes = group.flatMap((id) => defences.find((one) => one.id === id)?.changes ?? [])
    tell({ name: group.join(' and '), missed: await playCore(context, group, changes) })
  }
}

/**
 * @param {Context} context
 * @param {readonly import('./defences.mjs').TestDefence[]} off
 * @param {(tried: Tried) => void} tell
 */
async function unitsTried(context, off, tell) {
  for (const { id, changes, proofs } of off) {
    const own = proofs.filter(({ file }) => file.endsWith('.test.ts'))
    if (own.length > 0) tell({ name: id, missed: await playUnits(context, own, changes) })
  }
}

/**
 * @param {Context} context
 * @param {readonly string[]} group
 * @param {readonly Change[]} changes
 */
async function playCore(context, group, changes) {
  const env = { ...planted(context, changes), SATCHEL_TEST_LONG: '1', SATCHEL_DEFENCES_OFF: group.join(',') }
  const args = ['run', '--config', CONFIG, 'test/long/corpus-off.test.ts']
  const { code, output } = await context.processes.run('vitest', args, { ...context, env })
  return code === 0 ? [] : [failureOf(output)]
}

/**
 * @param {Context} context
 * @param {readonly Proof[]} proofs
 * @param {readonly Change[]} changes
 */
async function playUnits(context, proofs, changes) {
  const report = join(context.temp, 'off.json')
  rmSync(report, { force: true })
  const args = ['run', '--config', CONFIG, '--reporter=json', `--outputFile.json=${report}`]
  const files = [...new Set(proofs.map(({ file }) => file))]
  await context.processes.run('vitest', [...args, '-t', wordsOf(proofs), ...files], {
    ...context,
    env: planted(context, changes),
  })
  const told = existsSync(report) ? toldByVitest(JSON.parse(readFileSync(report, 'utf8')), root) : []
  return stillHeld(proofs, told)
}

/**
 * Those of the window share two builds, one for what a text of a model does in the page and one for what the page does:
 * each changes other places, and other cases name it.
 * @param {Context} context
 * @param {readonly import('./defences.mjs').TestDefence[]} off
 * @returns {AsyncGenerator<Tried>}
 */
async function* windowTried(context, off) {
  const texts = off.filter(({ proofs }) => proofs.some(({ file }) => file === WINDOW_CASES))
  const pages = off.filter(({ proofs }) => proofs.some(({ file }) => file.endsWith('.spec.ts')))
  if (texts.length + pages.length === 0) return
  const desktop = await openDesktop(context)
  try {
    if (texts.length > 0) yield* textsTried(context, desktop, texts)
    if (pages.length > 0) yield* pagesTried(context, desktop, pages)
  } finally {
    // Nobody may start an app without its defences.
    rmSync(join(root, 'out'), { recursive: true, force: true })
  }
}

/**
 * @param {Context} context
 * @param {import('./corpus-run.mjs').Desktop} desktop
 * @param {readonly import('./defences.mjs').TestDefence[]} off
 * @returns {AsyncGenerator<Tried>}
 */
async function* textsTried(context, desktop, off) {
  await build(context, off)
  const report = join(context.temp, 'harmed.json')
  const ids = off.flatMap(({ proofs }) => proofs.flatMap((proof) => proof.ids))
  await desktop.play(['corpus-off.spec.ts'], {
    SATCHEL_TEST_LONG: '1',
    SATCHEL_DEFENCES_OFF: ids.join(','),
    SATCHEL_CORPUS_REPORT: report,
  })
  /** @type {{ ids: string[] }} */
  const harmed = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { ids: [] }
  for (const { id, proofs } of off) {
    const own = proofs.filter(({ file }) => file === WINDOW_CASES).flatMap((proof) => proof.ids)
    yield { name: id, missed: own.filter((one) => !harmed.ids.includes(one)) }
  }
}

/**
 * @param {Context} context
 * @param {import('./corpus-run.mjs').Desktop} desktop
 * @param {readonly import('./defences.mjs').TestDefence[]} off
 * @returns {AsyncGenerator<Tried>}
 */
async function* pagesTried(context, desktop, off) {
  await build(context, off)
  for (const { id, proofs } of off) {
    const missed = []
    for (const proof of proofs.filter(({ file }) => file.endsWith('.spec.ts'))) {
      // What waits for something that no longer comes has succeeded, and a few of a kind are enough.
      const args = ['--timeout=20000', '--max-failures=2', '-g', wordsOf([proof])]
      const report = await desktop.play([...args, proof.file.slice(proof.file.lastIndexOf('/') + 1)], {})
      missed.push(...stillHeld([proof], toldByPlaywright(report, 'test/e2e')))
    }
    yield { name: id, missed }
  }
}

/**
 * @param {Context} context
 * @param {readonly import('./defences.mjs').TestDefence[]} off
 */
async function build(context, off) {
  rmSync(join(root, 'out'), { recursive: true, force: true })
  const env = planted(
    context,
    off.flatMap(({ changes }) => changes),
  )
  const args = ['build', '--logLevel', 'warn', '--config', 'electron.vite.planted.config.ts']
  const { code, output } = await context.processes.run('electron-vite', args, { ...context, env })
  if (code !== 0) throw new Error(`The app can not be built without its defences:\n${output.slice(-2000)}`)
}

/**
 * @param {Context} context
 * @param {readonly Change[]} changes
 */
function planted({ env }, changes) {
  // The configuration builds on that of the other tests.
  return { ...env, VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true', SATCHEL_MUTANT: JSON.stringify(changes) }
}

/**
 * What none of the played tests turned red for.
 * @param {readonly Proof[]} proofs
 * @param {readonly Told[]} told
 */
export function stillHeld(proofs, told) {
  return proofs.flatMap(({ file, test = '', ids }) =>
    ids
      .filter((id) => !told.some((one) => !one.ok && isMeant(one, file, titlePattern(id, test))))
      .map((id) => `${id} ${test}`),
  )
}

/**
 * @param {Told} told
 * @param {string} file
 * @param {RegExp} pattern
 */
function isMeant(told, file, pattern) {
  return told.file === file && told.titles.some((title) => pattern.test(title))
}

/**
 * Chooses tests by their titles; a place for a value may hold anything.
 * @param {readonly Proof[]} proofs
 */
function wordsOf(proofs) {
  return proofs
    .map(({ test = '' }) => titlePattern('', test).source.replace(/^\^ ?/, '').replace(/\$$/, ''))
    .join('|')
}

/** @param {string} output */
function failureOf(output) {
  // oxlint-disable-next-line no-control-regex -- colours are what is taken out
  const lines = output.replaceAll(/\u001b\[\d*m/g, '').split('\n')
  const missed = lines.filter((line) => /^\+ {3}"/.test(line)).map((line) => line.slice(4))
  return (
    missed.join(' ') ||
    lines
      .filter((line) => /Error/.test(line))
      .slice(0, 3)
      .join(' ')
  )
}
