import { describe, expect, it } from 'vitest'
import { extensionsOf, scriptKind, shellOptions } from '@shared/script-kind'

describe('the interpreter of a file', () => {
  it.each<[path: string, firstLine: string, want: string | null]>([
    ['a.py', '', 'python3'],
    ['a.sh', '', 'bash'],
    ['a.bash', '', 'bash'],
    ['dir.py/a.js', '', 'node'],
    ['a.mjs', '', 'node'],
    ['a.cjs', '', 'node'],
    ['a.ts', '', 'node'],
    ['a.rb', '', 'ruby'],
    ['a.pl', '', 'perl'],
    ['a.ps1', '', 'pwsh'],
    ['a.php', '', 'php'],
    ['a.R', '', 'Rscript'],
    ['a.lua', '', 'lua'],
    ['A.PY', '', 'python3'],
    ['types.d.ts', '', null],
    ['README.md', 'Title', null],
    ['.sh', '', null],
    ['constructor', '', null],
    ['a.constructor', '', null],
    ['dir.py/readme', '', null],
    ['run', '#!/bin/sh', 'sh'],
    ['run', '#!/bin/bash -e', 'bash'],
    ['run', '#! /usr/bin/env python3', 'python3'],
    ['run', '#!/usr/bin/env python3\r', 'python3'],
    ['run', '\uFEFF#!/usr/bin/env node', 'node'],
    ['a.py', '#!/bin/sh', 'sh'],
    ['a.py', '#!/home/someone/venv/bin/python3.12', 'python3'],
    ['run', '#!/usr/bin/env Rscript', 'Rscript'],
    ['a.py', '#!/usr/bin/env -S uv run --script', null],
    ['a.ts', '#!/usr/bin/env npx ts-node', null],
    ['a.sh', '#!/usr/bin/env A=b bash', null],
    ['a.sh', '#!/usr/bin/env', null],
    ['a.sh', '#!/usr/bin/env ../bash', null],
    ['a.ts', '#!/usr/bin/env bun', 'bun'],
    ['a.mts', '', 'node'],
    ['run', '#!/usr/bin/env -S python3', 'python3'],
    ['run', '#!/usr/bin/env -S python3 -u', 'python3'],
    ['run', '#!/usr/bin/env -S python3 -I -u', 'python3'],
    ['run', '#!/usr/bin/env -S bash -eu', 'bash'],
    ['run', '#!/usr/bin/env -S python3 -c import\u00a0x', null],
    ['run', '#!/usr/bin/env -S python3 -m evil', null],
    ['run', '#!/usr/bin/env -S bash -c evil', null],
    ['run', '#!/usr/bin/env -S node --require=./evil.js', null],
    ['run', '#!/usr/bin/env -S perl -e evil', null],
    ['run', '#!/usr/bin/env -S', null],
    ['run', '#!/usr/bin/env -S node --eval process.exit()', null],
    ['a.ts', '#!/usr/bin/env -S deno run --allow-read=. --allow-net', 'deno'],
    ['a.ts', '#!/usr/bin/env -S deno run --import-map=http://203.0.113.1/x', null],
    ['a.ts', '#!/usr/bin/env -S deno eval x', null],
    ['tool', '\u007fELF\u0002', 'program'],
    ['libx.so.1', '\u007fELF\u0002', null],
    ['a.js', '#!/usr/bin/osascript', null],
    ['a.sh', '#!', null],
    ['a.sh', '# comment', 'bash'],
  ])('%s with the first line %j: %s', (path, firstLine, want) => {
    expect(scriptKind(path, firstLine)).toBe(want)
  })
})

describe('options that a shell’s first line gives', () => {
  it.each([
    ['#!/bin/bash -e', ['-e']],
    ['\ufeff#! /bin/sh -eu\r', ['-eu']],
    ['#!/bin/bash', []],
    ['#!/bin/bash -c true', []],
    ['#!/bin/bash --rcfile', []],
    ['#!/usr/bin/perl -e', []],
  ])('%j: %j', (line, want) => {
    expect(shellOptions(line)).toEqual(want)
  })
})

it('the table says which endings a row runs', () => {
  expect(extensionsOf('node')).toEqual(['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts'])
  expect(extensionsOf('deno')).toEqual([])
})
