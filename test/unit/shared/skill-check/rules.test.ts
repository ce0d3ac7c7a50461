import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { RULES } from '@shared/skill-check/rules'

const SOURCES = fileURLToPath(new URL('../../../../src/', import.meta.url))
const CODE = "'([a-z0-9]+(?:-[a-z0-9]+)*)'"

/** Codes of diagnostics as the sources write them: `problem('error', 'code'`, `['code', 'Message`, `code: 'code'`. */
function codesIn(text: string): string[] {
  const shapes = [
    new RegExp(String.raw`problem\(\s*[^,()]+(?:\([^)]*\))?,\s*${CODE}`, 'g'),
    new RegExp(String.raw`note\([^;]*?\[\s*${CODE},`, 'g'),
    new RegExp(String.raw`\bcode: ${CODE}`, 'g'),
    new RegExp(String.raw`\bwarning\(\s*${CODE}`, 'g'),
    new RegExp(String.raw`(?:_FAILED|_EXHAUSTION): ${CODE}`, 'g'),
    new RegExp(String.raw`CODES\[[^\]]*\] \?\? ${CODE}`, 'g'),
  ]
  return shapes.flatMap((shape) =>
    [...text.matchAll(shape)].flatMap((match) => match.slice(1).filter(Boolean)),
  )
}

function sourcesOf(folder: string): { path: string; text: string }[] {
  return readdirSync(join(SOURCES, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path: `${folder}/${path}`, text: readFileSync(join(SOURCES, folder, path), 'utf8') }))
}

const MAKERS = [
  ...sourcesOf('shared/skill-md'),
  { path: 'shared/skill-md.ts', text: readFileSync(join(SOURCES, 'shared/skill-md.ts'), 'utf8') },
  ...sourcesOf('main/skills').filter(({ text }) => text.includes('skill-md/problem')),
]
const OWN = sourcesOf('shared/skill-check').filter(({ path }) => !/strict|rules|python/.test(path))

describe('the catalogue of rules', () => {
  it.each([...MAKERS, ...OWN])('holds every code that $path gives', ({ text }) => {
    expect(codesIn(text).filter((code) => !Object.hasOwn(RULES, code))).toEqual([])
  })

  it('is not larger than what can come out', () => {
    const given = new Set([...MAKERS, ...OWN].flatMap(({ text }) => codesIn(text)))
    expect(Object.keys(RULES).filter((code) => !given.has(code))).toEqual([])
  })

  it.each(Object.entries(RULES))('says what %s is and why, in plain sentences', (code, { title, why }) => {
    expect(code).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
    expect(title).toMatch(/^[A-Z].{4,60}(?<!\.)$/)
    expect(why).toMatch(/^.{10,160}[.]$/)
  })

  it('has titles that differ', () => {
    const titles = Object.values(RULES).map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
  })
})
