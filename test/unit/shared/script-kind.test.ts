import { describe, expect, it } from 'vitest'
import { scriptKind } from '@shared/script-kind'

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
    ['a.ts', '#!/usr/bin/env bun', null],
    ['a.js', '#!/usr/bin/osascript', null],
    ['a.sh', '#!', null],
    ['a.sh', '# comment', 'bash'],
  ])('%s with the first line %j: %s', (path, firstLine, want) => {
    expect(scriptKind(path, firstLine)).toBe(want)
  })
})
