import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { AppError } from '@shared/errors'
import { decodeSkillMd, parseSkillMd } from '@shared/skill-md'
import { editSkillMd } from '@shared/skill-md/edit'
import { fastYamlMap } from '@shared/skill-md/fast-yaml'
import { readFront } from '@shared/skill-md/front'
import { repairedText } from '@shared/skill-md/repaired-text'
import { parseYamlMap } from '@shared/skill-md/yaml-map'
import type { Registry } from '../../src/main/skills/registry/registry'
import { writeFiles } from './app'
import { createRandom, type Random } from './random'
import { localRegistry } from './registry'

export interface SkillMdReport {
  texts: number
  /** How the texts were read: broken ones and usable ones. */
  broken: number
  usable: number
  scans: number
  slowestMs: number
  faults: string[]
}

/** Files in one scan. */
const BATCH = 250
/** Milliseconds of the processor that one text may take. */
const TEXT_LIMIT = 500
const GOOD = ['good-apple', 'good-pear', 'good-quince']
const BUNDLED = resolve(import.meta.dirname, '../../resources/skills')

/** Parses seeded mutations of real SKILL.md files, and scans them as files beside good skills. */
export async function skillMdFuzz(options: { texts: number; seed: number }): Promise<SkillMdReport> {
  const random = createRandom(options.seed)
  const originals = [...REAL_LOOKING, ...bundledTexts()].map((text) => Buffer.from(text))
  const report: SkillMdReport = { texts: 0, broken: 0, usable: 0, scans: 0, slowestMs: 0, faults: [] }
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-fuzz-')))
  const registry = localRegistry({
    homeDir: home,
    resourcesDir: join(home, 'resources'),
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (message, error) => report.faults.push(`${message}: ${String(error)}`),
    },
    // Each batch is looked at when it is complete.
    scanner: { watch: false },
  })
  try {
    for (const name of GOOD) writeFiles(join(home, '.satchel/skills', name), { 'SKILL.md': goodSkill(name) })
    while (report.texts < options.texts) {
      const count = Math.min(BATCH, options.texts - report.texts)
      const batch = Array.from({ length: count }, () => mutate(random, random.pick(originals)))
      batch.forEach((bytes) => parseOne(bytes, report))
      await scan(registry, home, batch, report)
    }
  } finally {
    registry.close()
    rmSync(home, { recursive: true, force: true })
  }
  return report
}

function parseOne(bytes: Buffer, report: SkillMdReport): void {
  report.texts += 1
  const before = process.cpuUsage()
  try {
    const { text, problem } = decodeSkillMd(bytes)
    const skill = parseSkillMd(text, { folderName: 'fuzz' })
    if (!/^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u.test(skill.name))
      fault(bytes, report, `has the name ${skill.name}`)
    if (skill.broken && !skill.diagnostics.some(({ severity }) => severity === 'error'))
      fault(bytes, report, 'is broken without a reason')
    if (problem || skill.broken) report.broken += 1
    else report.usable += 1
    JSON.stringify(skill)
  } catch (error) {
    fault(bytes, report, `throws ${String(error)}`)
  }
  const { user, system } = process.cpuUsage(before)
  const ms = (user + system) / 1000
  report.slowestMs = Math.max(report.slowestMs, Math.round(ms))
  if (ms > TEXT_LIMIT) fault(bytes, report, `takes ${Math.round(ms)} ms`)
}

function fault(bytes: Buffer, report: SkillMdReport, what: string): void {
  report.faults.push(`${bytes.toString('base64').slice(0, 2000)} ${what}`)
}

export interface FrontmatterReport extends SkillMdReport {
  /** How often the fast path, the full parser and the repair read a text. */
  fast: number
  full: number
  repaired: number
  /** Edits that were made, and those that were refused. */
  edits: number
  refused: number
  /** Bytes of the heap, after a collection, in the last third over those in the first. */
  growth: number
}

/** Reads, edits and repairs seeded mutations of real frontmatter, nothing else, until `done` says so. */
export function frontmatterFuzz(seed: number, done: (texts: number) => boolean): FrontmatterReport {
  const random = createRandom(seed)
  const originals = [...REAL_LOOKING, ...bundledTexts()].map((text) => Buffer.from(text.slice(0, 2000)))
  const report: FrontmatterReport = {
    texts: 0,
    broken: 0,
    usable: 0,
    scans: 0,
    slowestMs: 0,
    faults: [],
    fast: 0,
    full: 0,
    repaired: 0,
    edits: 0,
    refused: 0,
    growth: 0,
  }
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heap: number[] = []
  while (!done(report.texts) && report.faults.length < 20) {
    const bytes = mutate(random, random.pick(originals))
    parseOne(bytes, report)
    compareReaders(bytes, report)
    editOne(bytes, random, report)
    if (report.texts % 50 > 0) continue
    collect()
    heap.push(process.memoryUsage().heapUsed)
  }
  const third = Math.floor(heap.length / 3)
  const mean = (part: number[]) => part.reduce((sum, size) => sum + size, 0) / Math.max(part.length, 1)
  report.growth = Math.round(mean(heap.slice(-third)) - mean(heap.slice(0, third)))
  return report
}

/** The fast reader and the first look never differ from the full parser. */
function compareReaders(bytes: Buffer, report: FrontmatterReport): void {
  const { text, problem } = decodeSkillMd(bytes)
  const skill = parseSkillMd(text, { folderName: 'fuzz' })
  const front = readFront(bytes, { folderName: 'fuzz', complete: true })
  if (typeof front !== 'string' && (front.description !== skill.description || front.name !== skill.name))
    fault(bytes, report, 'differs at first look')
  if (problem) return
  const yaml = /^\uFEFF?---\r?\n([^]*?)\r?\n---\r?\n/.exec(text)?.[1] ?? text
  const fast = fastYamlMap(yaml, 2)
  const full = parseYamlMap(yaml, 2)
  if (fast) {
    report.fast += 1
    if (!full.ok || !isDeepStrictEqual(fast, full.map)) fault(bytes, report, 'differs on the fast path')
  } else if (full.ok) report.full += 1
  else if (!skill.broken) report.repaired += 1
}

/** An edit is made as asked or refused as a whole; what stands there already changes nothing. */
function editOne(bytes: Buffer, random: Random, report: FrontmatterReport): void {
  const { text, problem } = decodeSkillMd(bytes)
  if (problem) return
  const read = (from: string) => parseSkillMd(from, { folderName: 'fuzz' })
  const key = random.pick(['name', 'description', 'metadata.author', 'tags', 'license'])
  const value = random.pick(['plain', 'a: b', '# x', "it's", 'two\nlines', '"', '1.0'])
  try {
    const skill = read(text)
    const same = editSkillMd(text, { set: skill.frontmatter })
    if (Object.keys(skill.frontmatter).length > 0 && same !== text)
      fault(bytes, report, 'changes though nothing was asked')
    const edited = editSkillMd(text, { set: { [key]: value } })
    report.edits += 1
    if (!JSON.stringify(read(edited).frontmatter).includes(JSON.stringify(value).slice(1, -1)))
      fault(bytes, report, `loses ${key}`)
  } catch (error) {
    report.refused += 1
    if (!(error instanceof AppError)) fault(bytes, report, `can't be edited: ${String(error)}`)
  }
  const repaired = repairedText(text)
  if (repaired && read(repaired.text).diagnostics.some(({ code }) => code === 'yaml-invalid'))
    fault(bytes, report, 'is repaired to what can not be read')
}

/** Every file is listed, as usable or with its reason, and the good skills are used as if they were alone. */
async function scan(registry: Registry, home: string, batch: Buffer[], report: SkillMdReport): Promise<void> {
  const folder = join(home, '.satchel/skills')
  const names = batch.map((_, n) => `fuzz-${n}`)
  for (const [n, bytes] of batch.entries()) {
    mkdirSync(join(folder, names[n]!), { recursive: true })
    writeFileSync(join(folder, names[n]!, 'SKILL.md'), bytes)
  }
  await registry.refresh()
  report.scans += 1
  const entries = registry.list(null)
  const good = entries.filter(({ record, status }) => GOOD.includes(record.folder) && status === 'effective')
  if (good.length !== GOOD.length) report.faults.push(`scan ${report.scans}: a good skill is not used`)
  if (entries.length !== batch.length + GOOD.length)
    report.faults.push(`scan ${report.scans}: ${entries.length} of ${batch.length + GOOD.length} are listed`)
  const mute = entries.filter(({ record }) => record.broken && record.brokenReason === '')
  if (mute.length > 0) report.faults.push(`scan ${report.scans}: broken without a reason`)
  for (const name of names) rmSync(join(folder, name), { recursive: true })
}

/** One to four changes, in bytes or in structure. */
function mutate(random: Random, original: Buffer): Buffer {
  let bytes: Buffer = original
  for (let times = 1 + random.int(4); times > 0; times -= 1) {
    bytes = random.pick(MUTATIONS)(random, bytes)
  }
  return bytes
}

type Mutation = (random: Random, bytes: Buffer) => Buffer

const PIECES = [
  '---',
  '---\n',
  '\n---\n',
  '...\n',
  '\n',
  '\r\n',
  '\r',
  '\t',
  '  ',
  ' ',
  ': ',
  '- ',
  '? ',
  '#',
  '%',
  '|\n',
  '>-\n',
  '"',
  "'",
  '[',
  ']',
  '{',
  '}',
  '*x',
  '&x ',
  '!!js/function ',
  '!!binary ',
  '<<: *x\n',
  '@',
  '`',
  '\\',
  '\uFEFF',
  '\u0000',
  '\u2028',
  '\u202E',
  '\u00A0',
  '\u{E0041}',
  '\uFFFD',
  '\x1b[2J',
  '=======\n',
  '<<<<<<< HEAD\n',
  'name: ',
  'description: ',
  'name: name: x\n',
  '__proto__: {a: 1}\n',
  'allowed-tools: ',
  'metadata:\n  a: b\n',
  'constructor: x\n',
  'null',
  '~',
  'true',
  '1e999',
  '.inf',
  '0x1F',
  '2026-01-01',
  '[[[[[[[[',
  '{{{{{{{{',
  '- - - - - ',
]

const MUTATIONS: readonly Mutation[] = [
  // Bytes.
  (random, bytes) => {
    const copy = Buffer.from(bytes)
    if (copy.length > 0) copy[random.int(copy.length)] = random.int(256)
    return copy
  },
  (random, bytes) => bytes.subarray(0, random.int(bytes.length + 1)),
  (random, bytes) => bytes.subarray(random.int(Math.min(bytes.length, 200) + 1)),
  (random, bytes) => splice(bytes, place(random, bytes), 0, Buffer.from(random.pick(PIECES))),
  (random, bytes) => splice(bytes, place(random, bytes), 0, Buffer.from(random.pick(PIECES))),
  (random, bytes) =>
    splice(bytes, place(random, bytes), 1 + random.int(20), Buffer.from(random.pick(PIECES))),
  (random, bytes) =>
    splice(bytes, place(random, bytes), 0, Buffer.from(random.pick(PIECES).repeat(random.int(3000)))),
  (random, bytes) => splice(bytes, place(random, bytes), 0, Buffer.from([random.int(256), random.int(256)])),
  (random, bytes) => Buffer.from(bytes.toString('utf8'), random.pick(['utf16le', 'latin1'])),
  // Structure.
  (random, bytes) => ofLines(bytes, (lines) => lines.splice(random.int(lines.length), 1)),
  (random, bytes) => ofLines(bytes, (lines) => lines.splice(line(random, lines), 0, random.pick(lines))),
  (random, bytes) =>
    ofLines(bytes, (lines) =>
      lines.splice(line(random, lines), 1, ' '.repeat(random.int(9)) + random.pick(lines)),
    ),
  (random, bytes) => ofLines(bytes, (lines) => lines.sort(() => random.int(3) - 1)),
  (random, bytes) =>
    ofLines(bytes, (lines) =>
      lines.splice(line(random, lines), 0, `k${random.int(9)}: &a [${'*a,'.repeat(random.int(50))}]`),
    ),
  (random, bytes) =>
    Buffer.from(bytes.toString('utf8').replaceAll('\n', random.pick(['\r\n', '\r', '\n\n', '\u2028']))),
  (random, bytes) =>
    Buffer.from(
      bytes.toString('utf8').replace(/: (.+)/, (_, value: string) => `: ${random.pick(PIECES)}${value}`),
    ),
]

/** Mostly within the frontmatter, where the parser works. */
function place(random: Random, bytes: Buffer): number {
  return random.int((random.chance(0.8) ? Math.min(bytes.length, 500) : bytes.length) + 1)
}

function line(random: Random, lines: string[]): number {
  return random.int(Math.min(lines.length, 12))
}

function splice(bytes: Buffer, at: number, remove: number, insert: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)])
}

function ofLines(bytes: Buffer, change: (lines: string[]) => void): Buffer {
  const lines = bytes.toString('utf8').split('\n')
  change(lines)
  return Buffer.from(lines.join('\n'))
}

function bundledTexts(): string[] {
  return readdirSync(BUNDLED).map((name) => readFileSync(join(BUNDLED, name, 'SKILL.md'), 'utf8'))
}

function goodSkill(name: string): string {
  return `---\nname: ${name}\ndescription: Picks ${name}.\n---\n# ${name}\n`
}

const REAL_LOOKING = [
  '---\nname: pdf\ndescription: "Fills: forms in PDF files"\nallowed-tools: Read, Bash(git add *)\nlicense: MIT\n---\n# PDF\n\nRun `scripts/fill.py`.\n',
  '---\nname: deploy\ndescription: >-\n  Deploys the site\n  to staging.\nmetadata:\n  tags: [web, ops]\n  owner: {team: web, on-call: true}\nrequires:\n  - pdf\n---\n\n1. Build.\n2. Deploy.\n',
  '\uFEFF---\r\nname: windows\r\ndescription: Was saved on Windows.\r\n---\r\nText.\r\n',
  '---\nname: chart\ndescription: Draws charts: bars, lines\nversion: 1.0\n---\n```yaml\n---\nname: other\n---\n```\n',
  '---\nname: zitat\ndescription: |\n  Findet Zitate – „genau so“.\n\n  Zweite Zeile.\ndisable-model-invocation: true\n---\nText mit ---\n---\nund mehr.\n',
]
