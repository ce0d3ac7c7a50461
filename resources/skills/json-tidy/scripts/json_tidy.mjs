#!/usr/bin/env node
// Validates, formats and queries JSON files. No dependencies, no network.
// Reads only, except "format --write", which replaces the named files.

import { readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync, realpathSync } from 'node:fs'
import { dirname, basename, join } from 'node:path'

const USAGE = `Usage: json_tidy.mjs check [FILE...]          is it valid JSON? line and column if not
       json_tidy.mjs format FILE... [options]  print it formatted
       json_tidy.mjs query FILE PATH [options] print the values a path leads to
       json_tidy.mjs keys FILE [PATH]          list keys, types and sizes
Options: --indent N|tab   spaces for each level, 0 to 8 (default: 2)
         --compact        everything on one line
         --sort-keys      keys in alphabetical order
         --write          format: replace the file if something changes
         --raw            query: texts without quotes
Without arguments every .json file directly in the working folder is checked. FILE - is stdin.
Exit codes: 0 fine, 1 not valid or not found, 2 wrong usage.`

const MAX_DEPTH = 1000
const MAX_BYTES = 200 * 1024 * 1024
const MAX_LINES = 200

class Refusal extends Error {}
class WrongUsage extends Error {}

class SyntaxProblem extends Error {
  constructor(message, at) {
    super(message)
    this.at = at
  }
}

// --- Reading JSON. A node keeps the text of numbers and strings as written. -------------------

function parse(text) {
  const state = { text, at: 0, doubles: [] }
  skipSpace(state)
  if (state.at === text.length) throw new SyntaxProblem('the file is empty; JSON needs one value, such as {}', 0)
  const node = readValue(state, 0)
  skipSpace(state)
  if (state.at < text.length) fail(state, commentOr(state, 'there is more text after the end of the value'))
  return { node, doubles: state.doubles }
}

function fail(state, message, at = state.at) {
  throw new SyntaxProblem(message, at)
}

function skipSpace(state) {
  while (' \t\n\r'.includes(state.text[state.at] ?? 'x')) state.at++
}

function commentOr(state, message) {
  const two = state.text.slice(state.at, state.at + 2)
  return two === '//' || two === '/*' || two[0] === '#' ? 'comments are not allowed in JSON' : message
}

function readValue(state, depth) {
  if (depth > MAX_DEPTH) fail(state, `more than ${MAX_DEPTH} levels of nesting`)
  const sign = state.text[state.at]
  if (sign === '{') return readObject(state, depth)
  if (sign === '[') return readList(state, depth)
  if (sign === '"') return readString(state)
  if (sign === "'") fail(state, 'texts must be in double quotes, not single')
  if (/[-+.\d]/.test(sign ?? '')) return readNumber(state)
  return readWord(state)
}

function readWord(state) {
  const word = /^[\p{L}\p{N}_$]+/u.exec(state.text.slice(state.at, state.at + 60))?.[0]
  if (word === 'true' || word === 'false' || word === 'null') {
    state.at += word.length
    return { type: word === 'null' ? 'null' : 'boolean', raw: word }
  }
  if (word !== undefined) fail(state, `${word} is not a JSON value; texts need double quotes`)
  if (state.at >= state.text.length) fail(state, 'a value is missing at the end of the file')
  return fail(state, commentOr(state, `a value is missing before ${quote(state.text[state.at])}`))
}

function quote(sign) {
  return sign === ',' || sign === ':' || sign === '}' || sign === ']' ? sign : JSON.stringify(sign)
}

function readNumber(state) {
  const raw = /^[-+.\w]+/.exec(state.text.slice(state.at, state.at + 2000))[0]
  if (/^[-+]?(Infinity|NaN)/.test(raw)) fail(state, `${raw} is not a JSON value; use null or a text`)
  if (/^(\+|-?\.|-?0\d)/.test(raw)) fail(state, "a number can't start with 0, + or a point")
  if (/^-?\d*\.?$|\.(e|$)|e[-+]?$/i.test(raw) && !/^-?\d+$/.test(raw)) fail(state, `a digit is missing in the number ${raw}`)
  if (!/^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(raw)) fail(state, `${raw} is not a number; texts need double quotes`)
  state.at += raw.length
  return { type: 'number', raw }
}

function readString(state) {
  const start = state.at++
  for (;;) {
    const sign = state.text[state.at]
    if (sign === '"') break
    if (sign === undefined || sign === '\n' || sign === '\r') fail(state, 'the text is not closed on its line', start)
    if (sign < ' ') fail(state, `a control character in a text must be escaped, here as ${JSON.stringify(sign).slice(1, -1)}`)
    if (sign === '\\') checkEscape(state)
    state.at++
  }
  state.at++
  return { type: 'text', raw: state.text.slice(start, state.at) }
}

/** Leaves state.at at the last character of the escape. */
function checkEscape(state) {
  const next = state.text[state.at + 1] ?? ''
  if (next === 'u') {
    if (!/^[\da-f]{4}$/i.test(state.text.slice(state.at + 2, state.at + 6))) fail(state, '\\u needs four hexadecimal digits')
    state.at += 5
  } else if ('"\\/bfnrt'.includes(next) && next !== '') {
    state.at++
  } else {
    fail(state, `\\${next} is not an escape sequence; write \\\\ for a backslash`)
  }
}

function readList(state, depth) {
  const items = []
  const node = { type: 'list', items }
  readMembers(state, { close: ']', name: 'list' }, () => items.push(readValue(state, depth + 1)))
  return node
}

function readObject(state, depth) {
  const members = []
  const seen = new Set()
  readMembers(state, { close: '}', name: 'object' }, () => {
    const at = state.at
    const key = readKey(state)
    if (seen.has(key.name)) state.doubles.push({ name: key.name, at })
    seen.add(key.name)
    members.push({ ...key, value: readValue(state, depth + 1) })
  })
  return { type: 'object', members }
}

function readKey(state) {
  const sign = state.text[state.at]
  if (sign === "'") fail(state, 'texts must be in double quotes, not single')
  if (sign !== '"') fail(state, commentOr(state, 'keys must be in double quotes'))
  const { raw } = readString(state)
  skipSpace(state)
  if (state.text[state.at] !== ':') fail(state, commentOr(state, 'a colon is missing after the key'))
  state.at++
  skipSpace(state)
  return { raw, name: JSON.parse(raw) }
}

function readMembers(state, kind, readMember) {
  const start = state.at++
  skipSpace(state)
  if (state.text[state.at] === kind.close) return void state.at++
  for (;;) {
    if (state.at >= state.text.length) fail(state, `the ${kind.name} is never closed`, start)
    readMember()
    skipSpace(state)
    const sign = state.text[state.at]
    if (sign === kind.close) return void state.at++
    if (sign === undefined) fail(state, `the ${kind.name} is never closed`, start)
    if (sign === '}' || sign === ']') fail(state, `${sign} does not fit here, ${kind.close} is expected`)
    if (sign !== ',') fail(state, commentOr(state, `a comma is missing before this ${kind.close === '}' ? 'key' : 'value'}`))
    const comma = state.at++
    skipSpace(state)
    if (state.text[state.at] === kind.close) fail(state, `a comma before ${kind.close} is not allowed in JSON`, comma)
  }
}

// --- Writing JSON ------------------------------------------------------------------------------

function write(node, options, level = 0) {
  if (node.type !== 'object' && node.type !== 'list') return node.raw
  const [open, close] = node.type === 'object' ? '{}' : '[]'
  const parts = node.type === 'list' ? node.items.map((n) => write(n, options, level + 1)) : writeMembers(node, options, level)
  if (parts.length === 0) return open + close
  if (options.compact) return open + parts.join(',') + close
  const pad = '\n' + options.indent.repeat(level)
  return open + parts.map((part) => pad + options.indent + part).join(',') + pad + close
}

function writeMembers(node, options, level) {
  const members = options.sortKeys ? [...node.members].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)) : node.members
  return members.map((m) => `${m.raw}:${options.compact ? '' : ' '}${write(m.value, options, level + 1)}`)
}

// --- Paths -------------------------------------------------------------------------------------

function parsePath(path) {
  const steps = []
  let rest = path.replace(/^\$(?=$|[.[])\.?/, '')
  while (rest !== '') {
    const match = /^(?:\.?\[\s*(?:(\*)|(-?\d+)|("(?:[^"\\]|\\.)*"))\s*\]|\.?(\*)(?=$|[.[])|\.?([^.[\]"]+))/.exec(rest)
    if (!match) throw new WrongUsage(`The path ${path} can't be read at ${rest}. Keys with other signs go in ["..."].`)
    steps.push(toStep(match, path))
    rest = rest.slice(match[0].length)
  }
  return steps
}

function toStep([, star, index, quoted, dotStar, name], path) {
  if (star || dotStar) return { every: true }
  if (index !== undefined) return { index: Number(index) }
  if (quoted === undefined) return { name }
  try {
    return { name: JSON.parse(quoted) }
  } catch {
    throw new WrongUsage(`The path ${path} holds ${quoted}, which is not a JSON text.`)
  }
}

function find(node, path) {
  let hits = [{ node, at: 'the document' }]
  let lenient = false
  for (const step of parsePath(path)) {
    hits = hits.flatMap((hit) => take(hit, step, lenient))
    lenient ||= step.every === true
  }
  if (hits.length === 0) throw new Refusal(`the path ${path} leads to no value`)
  return hits.map((hit) => hit.node)
}

/** The values one step leads to. After a [*] elements without the key are left out. */
function take(hit, step, lenient) {
  const found = step.every ? everyValue(hit) : step.index === undefined ? byName(hit, step.name) : byIndex(hit, step.index)
  if (found.problem === undefined) return found
  if (lenient) return []
  throw new Refusal(found.problem)
}

function everyValue({ node, at }) {
  if (node.type === 'list') return node.items.map((item, i) => ({ node: item, at: join2(at, `[${i}]`) }))
  if (node.type === 'object') return node.members.map((m) => ({ node: m.value, at: join2(at, m.name) }))
  return { problem: `${at} is a ${node.type}, it has no elements` }
}

function byName({ node, at }, name) {
  if (node.type === 'list') return { problem: `${at} is a list, use [0] or [*]` }
  if (node.type !== 'object') return { problem: `${at} is a ${node.type}, it has no keys` }
  const member = node.members.findLast((m) => m.name === name)
  if (member) return [{ node: member.value, at: join2(at, name) }]
  const names = node.members.slice(0, 20).map((m) => m.name).join(', ') || 'no keys'
  return { problem: `there is no key ${JSON.stringify(name)}; it has: ${names}${node.members.length > 20 ? ' ...' : ''}` }
}

function byIndex({ node, at }, index) {
  if (node.type !== 'list') return { problem: `${at} is not a list but a ${node.type}` }
  const item = node.items.at(index)
  if (item) return [{ node: item, at: join2(at, `[${index}]`) }]
  const size = node.items.length
  return { problem: size ? `the list ${at} has ${plural(size, 'element')} (0 to ${size - 1})` : `the list ${at} is empty` }
}

function join2(at, part) {
  if (at === 'the document') return part
  return part.startsWith('[') ? at + part : `${at}.${part}`
}

// --- Commands ----------------------------------------------------------------------------------

function load(file) {
  const text = decode(readBytes(file))
  const bom = text.startsWith('\ufeff')
  const body = bom ? text.slice(1) : text
  try {
    return { ...parse(body), text: body, bom }
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    const { line, column } = place(body, error.at)
    throw new Refusal(`${error.message}\n${excerpt(body, line, column)}`, { cause: `${line}:${column}` })
  }
}

function readBytes(file) {
  if (file === '-') return readFileSync(0)
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) throw new Refusal('no such file in the working folder. Check the name.')
  if (!stat.isFile()) throw new Refusal('is not a file. Name the JSON file in it.')
  if (stat.size > MAX_BYTES) throw new Refusal(`has ${stat.size} bytes, the limit is ${MAX_BYTES}.`)
  return readFileSync(file)
}

function decode(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // The decoder only says that it failed; the next step for the person is the same in every case.
    throw new Refusal('the file is not UTF-8. Save it as UTF-8 and try again.')
  }
}

function place(text, at) {
  const before = text.slice(0, at).split(/\r\n|\r|\n/)
  return { line: before.length, column: [...before.at(-1)].length + 1 }
}

function excerpt(text, line, column) {
  const full = [...(text.split(/\r\n|\r|\n/)[line - 1] ?? '')]
  const from = Math.max(0, column - 60)
  const shown = full.slice(from, from + 100).map((c) => (c < ' ' || c === '\x7f' ? ' ' : c)).join('')
  return `  ${line} | ${shown}\n  ${' '.repeat(String(line).length)} | ${' '.repeat(column - 1 - from)}^`
}

function check(files, options) {
  if (files.length === 0) throw new WrongUsage('check needs at least one file.')
  eachFile(files, options, (file) => {
    const { doubles, text, bom } = load(file)
    console.log(`${clean(file)}: valid`)
    if (bom) console.log('  Note: the file starts with a byte order mark, which many programs refuse')
    for (const { name, at } of doubles.slice(0, 10)) {
      console.log(`  Note: line ${place(text, at).line}: the key ${clean(JSON.stringify(name))} is there twice, most programs take the last`)
    }
  })
}

function format(files, options) {
  if (files.length === 0) throw new WrongUsage('format needs at least one file.')
  eachFile(files, options, (file) => {
    const { node, text, bom } = load(file)
    const result = write(node, options) + '\n'
    if (!options.write || file === '-') return void process.stdout.write(result)
    if (result === text && !bom) return void console.log(`${clean(file)}: already formatted`)
    replaceFile(file, result)
    console.log(`${clean(file)}: formatted`)
  })
}

/** A new file beside the old one takes its place in one step, so a crash leaves no half file. */
function replaceFile(file, text) {
  const target = realpathSync(file)
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`)
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: statSync(target).mode })
    renameSync(draft, target)
  } catch (error) {
    rmSync(draft, { force: true })
    throw new Refusal(`could not be written: ${error.code ?? error.message}. It is unchanged.`)
  }
}

function query([file, path, ...more], options) {
  if (file === undefined || path === undefined || more.length > 0) throw new WrongUsage('query needs one file and one path.')
  eachFile([file], options, () => {
    for (const node of find(load(file).node, path)) {
      console.log(options.raw && node.type === 'text' ? JSON.parse(node.raw) : write(node, options))
    }
  })
}

function keys([file, path = '$', ...more], options) {
  if (file === undefined || more.length > 0) throw new WrongUsage('keys needs one file and at most one path.')
  eachFile([file], options, () => {
    const lines = find(load(file).node, path).flatMap(describeKeys)
    for (const line of lines.slice(0, MAX_LINES)) console.log(line)
    if (lines.length > MAX_LINES) console.log(`... and ${lines.length - MAX_LINES} more`)
  })
}

function describeKeys(node) {
  if (node.type !== 'object' || node.members.length === 0) return [describe(node)]
  return node.members.map((m) => `${clean(m.name)}: ${describe(m.value)}`)
}

function describe(node) {
  if (node.type === 'object') return `object with ${plural(node.members.length, 'key')}`
  if (node.type !== 'list') return node.type
  const types = [...new Set(node.items.map((n) => n.type))].join(', ')
  return `list with ${plural(node.items.length, 'element')}${types && ` (${types})`}`
}

function eachFile(files, options, work) {
  for (const file of files) {
    try {
      work(file)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const spot = error.cause ? `${clean(file)}:${error.cause}` : clean(file)
      console.error(`${spot}: ${error.message}`)
      process.exitCode = 1
    }
  }
}

// --- Arguments ---------------------------------------------------------------------------------

function readArguments(args) {
  const options = { indent: '  ', compact: false, sortKeys: false, write: false, raw: false }
  const words = []
  for (let i = 0; i < args.length; i++) {
    const [name, given] = /^--[\w-]+=/.test(args[i]) ? args[i].split(/=(.*)/s) : [args[i]]
    if (name === '--') return { options, words: [...words, ...args.slice(i + 1)] }
    if (name === '--indent') options.indent = indentOf(given ?? args[++i])
    else if (name === '--compact') options.compact = true
    else if (name === '--sort-keys') options.sortKeys = true
    else if (name === '--write') options.write = true
    else if (name === '--raw') options.raw = true
    else if (name.startsWith('--')) throw new WrongUsage(`Unknown option ${clean(name)}.`)
    else words.push(name)
  }
  return { options, words }
}

function indentOf(value) {
  if (value === 'tab') return '\t'
  if (!/^[0-8]$/.test(value ?? '')) throw new WrongUsage('--indent takes a number from 0 to 8, or tab.')
  return ' '.repeat(Number(value))
}

/** Control characters in a name could move the cursor of a terminal. */
function clean(text) {
  return text.replace(/\p{Cc}/gu, '?')
}

function plural(count, word) {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

function main(args) {
  if (args[0] === '--help' || args[0] === '-h') return void console.log(USAGE)
  const { options, words } = readArguments(args)
  const [command, ...rest] = words
  const commands = { check, format, query, keys }
  if (command !== undefined && !Object.hasOwn(commands, command)) {
    throw new WrongUsage(`Unknown command ${clean(command)}. There are check, format, query and keys.`)
  }
  if (command !== undefined) return void commands[command](rest, options)
  const files = readdirSync('.').filter((n) => n.endsWith('.json')).sort()
  if (files.length > 0) return void check(files, options)
  console.log(`${USAGE}\n\nThere is no .json file in the working folder, so nothing was checked.`)
}

try {
  main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof WrongUsage)) throw error
  console.error(`json_tidy.mjs: ${error.message}\n${USAGE}`)
  process.exitCode = 2
}
