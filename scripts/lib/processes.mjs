// Child processes that are gone when the script is: each leads its own process group, and carries a mark in its
// environment by which also those that left the group are found.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

const markName = 'SATCHEL_TEST_RUN'
const outputLimit = 4_000_000 // characters kept of what a program prints
const patience = 3_000 // ms between asking a program to stop and ending it

/**
 * @typedef {{ code: number, output: string }} Outcome code is -1 when the program was ended or did not start
 * @typedef {import('node:child_process').ChildProcess} Child
 * @typedef {ReturnType<typeof createProcesses>} Processes
 */

/** Starts programs, and ends all that is left of them, and of what this process starts by other ways. */
export function createProcesses() {
  const mark = randomUUID()
  process.env[markName] = mark
  /** @type {Set<Child>} */
  const alive = new Set()

  /**
   * @param {string} program
   * @param {string[]} args
   * @param {{ env: NodeJS.ProcessEnv, stdio: import('node:child_process').StdioOptions }} options
   */
  function start(program, args, { env, stdio }) {
    const isWindows = process.platform === 'win32'
    const marked = { ...env, [markName]: mark }
    const child = spawn(program, args, { env: marked, stdio, detached: !isWindows, shell: isWindows })
    alive.add(child)
    child.once('exit', () => alive.delete(child))
    child.once('error', () => alive.delete(child))
    return child
  }

  /**
   * Runs a program to its end, or for `limit` milliseconds.
   * @param {string} program
   * @param {string[]} args
   * @param {{ env: NodeJS.ProcessEnv, limit: number }} options
   * @returns {Promise<Outcome>}
   */
  async function run(program, args, { env, limit }) {
    const child = start(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const collect = (/** @type {string} */ text) => (output = (output + text).slice(-outputLimit))
    child.stdout?.setEncoding('utf8').on('data', collect)
    child.stderr?.setEncoding('utf8').on('data', collect)
    const timer = setTimeout(() => {
      collect(`\nStopped after ${Math.round(limit / 60_000)} minutes.\n`)
      void stop(child)
    }, limit)
    const code = await ended(child, collect)
    clearTimeout(timer)
    signalGroup(child, 'SIGKILL')
    return { code, output }
  }

  /** Ends everything that was started and returns the command lines of what had to be ended outside our groups. */
  async function stopAll() {
    await Promise.all([...alive].map(stop))
    return endMarked(mark)
  }

  return { start, run, stop, stopAll }
}

/**
 * @param {Child} child
 * @param {(text: string) => void} collect
 * @returns {Promise<number>}
 */
async function ended(child, collect) {
  const closed = new Promise((done) => child.once('close', done))
  const code = await new Promise((done) => {
    child.once('exit', (value) => done(value ?? -1))
    child.once('error', (error) => {
      collect(`${error.message}\n`)
      done(-1)
    })
  })
  // A grandchild may hold the pipe open for ever; what the program itself wrote has arrived by then.
  await Promise.race([closed, wait(2_000, undefined, { ref: false })])
  return code
}

/** @param {Child} child */
async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid) return
  const gone = new Promise((done) => child.once('exit', done))
  signalGroup(child, 'SIGTERM')
  await Promise.race([gone, wait(patience, undefined, { ref: false })])
  signalGroup(child, 'SIGKILL')
  await gone
}

/**
 * @param {Child} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
  if (!child.pid) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // the group is empty: all of it has ended
  }
}

/**
 * @param {string} mark
 * @returns {string[]}
 */
function endMarked(mark) {
  /** @type {string[]} */
  const commands = []
  for (let round = 0; round < 5; round += 1) {
    const found = markedProcesses(mark)
    if (found.length === 0) break
    for (const { pid, command } of found) {
      commands.push(command)
      process.kill(pid, 'SIGKILL')
    }
  }
  return [...new Set(commands)]
}

/** @param {string} mark */
function markedProcesses(mark) {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        if (!readFileSync(`/proc/${name}/environ`, 'utf8').includes(`${markName}=${mark}`)) return []
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        return [{ pid: Number(name), command }]
      } catch {
        return [] // ended meanwhile, or somebody else's
      }
    })
}
