import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { livingPrograms, registerProgram, type Program } from '../../../../src/main/db/programs'

let dir: string
let own: Program
let elsewhere: ChildProcess | undefined

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-programs-'))
  own = registerProgram(dir, 'window')
})
afterEach(async () => {
  own.release()
  if (elsewhere && elsewhere.exitCode === null && elsewhere.signalCode === null) await kill(elsewhere)
  elsewhere = undefined
  rmSync(dir, { recursive: true })
})

/** A process that locks a file of that name as a program does. */
async function startElsewhere(id: string): Promise<ChildProcess> {
  const script = `const D = require('better-sqlite3'); const d = new D(process.argv[1]);
    d.exec('BEGIN EXCLUSIVE'); process.stdout.write('held'); setInterval(() => d, 1e6)`
  const file = join(dir, `${id}.lock`)
  const child = spawn(process.execPath, ['-e', script, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

describe('a program', () => {
  test('is alive for itself and for others in the same process until it ends', () => {
    const other = registerProgram(dir, 'command')
    expect([own.isAlive(own.id), own.isAlive(other.id), other.isAlive(own.id)]).toEqual([true, true, true])
    other.release()
    expect(own.isAlive(other.id)).toBe(false)
  })

  test('in another process is alive until it is killed, and its file is removed then', async () => {
    elsewhere = await startElsewhere('other')
    expect(own.isAlive('other')).toBe(true)
    await kill(elsewhere)
    expect(own.isAlive('other')).toBe(false)
    expect(readdirSync(dir)).toEqual([`${own.id}.lock`])
  })

  test('that nobody has waited for counts as ended all the same', async () => {
    // The shell starts the holder, is told of no end, and so keeps it as a zombie.
    const script = `const D = require('better-sqlite3'); const d = new D(process.argv[1]);
      d.exec('BEGIN EXCLUSIVE'); process.stdout.write('held'); setInterval(() => d, 1e6)`
    const shell = `"$0" -e "$1" "$2" & echo " $!"; exec sleep 60`
    const args = ['-c', shell, process.execPath, script, join(dir, 'zombie.lock')]
    elsewhere = spawn('bash', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    while (!/held/.test(said) || !/\d/.test(said)) said += String((await once(elsewhere.stdout!, 'data'))[0])
    expect(own.isAlive('zombie')).toBe(true)
    process.kill(Number(/\d+/.exec(said)![0]), 'SIGKILL')
    while (own.isAlive('zombie')) await new Promise((done) => setImmediate(done))
  })

  test('is among the living ones for one that is no program itself', () => {
    expect(livingPrograms(dir)).toEqual([own.id])
    own.release()
    expect(livingPrograms(dir)).toEqual([])
    expect(livingPrograms(join(dir, 'not there'))).toEqual([])
  })

  test('that never was is not alive', () => {
    expect(own.isAlive('nobody')).toBe(false)
    expect(own.isAlive('')).toBe(false)
  })

  test('knows when it is alone', async () => {
    expect(own.isAlone()).toBe(true)
    elsewhere = await startElsewhere('other')
    expect(own.isAlone()).toBe(false)
    await kill(elsewhere)
    expect(own.isAlone()).toBe(true)
  })

  test('that starts removes what dead ones left, and nothing of living ones', () => {
    writeFileSync(join(dir, 'dead.lock'), '')
    const other = registerProgram(dir, 'command')
    expect(readdirSync(dir).toSorted()).toEqual([`${own.id}.lock`, `${other.id}.lock`].toSorted())
    other.release()
  })

  test('writes nothing, so that a full disk can not end it', () => {
    expect(statSync(join(dir, `${own.id}.lock`)).size).toBe(0)
  })

  test('is alive for the others however many there are', () => {
    const many = Array.from({ length: 50 }, () => registerProgram(dir, 'command'))
    expect(many.every(({ id }) => own.isAlive(id))).toBe(true)
    expect(new Set(many.map(({ id }) => id)).size).toBe(50)
    for (const one of many) one.release()
    expect(own.isAlone()).toBe(true)
  })
})
