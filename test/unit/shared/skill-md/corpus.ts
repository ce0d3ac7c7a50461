import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export type Verdict = 'fine' | 'warned' | 'repaired' | 'broken'

export interface Expected {
  verdict: Verdict
  name?: string
  label?: string
  description?: string
  /** Code and line of the first diagnostic; null when there is none. */
  first: { code: string; line?: number } | null
  fields?: Record<string, unknown>
  body?: string
}

export interface ExpectedSkill extends Partial<Expected> {
  /** Below the folder that the skills lie in. */
  folder: string
  status: 'listed' | 'child' | 'refused'
  scripts?: string[]
}

export interface TextCase {
  quirk: number
  id: string
  folder: string
  text: string
  expect: Expected
}

/** A file with its contents, or a link with its target. */
export type CorpusFile = { text: string; mode: number } | { link: string }

export interface FolderCase {
  quirk: number
  id: string
  scope: 'personal' | 'project'
  files: Record<string, CorpusFile>
  expectSkills: ExpectedSkill[]
}

interface Written {
  quirk: number
  id: string
  folder: string
  eol?: string
  lines?: string[]
  scope?: 'personal' | 'project'
  files?: Record<string, { lines?: string[]; mode?: string; link?: string }>
  expect?: Expected
  expectSkills?: ExpectedSkill[]
}

const FOLDER = resolve(import.meta.dirname, '../../../fixtures/skill-corpus')

/** Cases about the text of SKILL.md. */
export function textCases(): TextCase[] {
  return written().flatMap(({ quirk, id, folder, lines, eol, expect }) =>
    lines && expect ? [{ quirk, id, folder, text: lines.join(eol ?? '\n'), expect }] : [],
  )
}

/** Cases about folders, links and file names. */
export function folderCases(): FolderCase[] {
  return written().flatMap(({ quirk, id, scope = 'personal', files, expectSkills }) => {
    if (!files || !expectSkills) return []
    const all = Object.entries(files).map(([path, file]) => [path, toFile(file)] as const)
    return [{ quirk, id, scope, files: Object.fromEntries(all), expectSkills }]
  })
}

/** Writes the files of a case below `dir`, the folder that the skills lie in. */
export function writeFolderCase(dir: string, files: Record<string, CorpusFile>): void {
  for (const [path, file] of Object.entries(files)) {
    const target = join(dir, path)
    mkdirSync(dirname(target), { recursive: true })
    if ('link' in file) symlinkSync(file.link, target)
    else {
      writeFileSync(target, file.text)
      chmodSync(target, file.mode)
    }
  }
}

function toFile({
  lines = [],
  mode = '644',
  link,
}: {
  lines?: string[]
  mode?: string
  link?: string
}): CorpusFile {
  return link === undefined ? { text: lines.join('\n'), mode: Number.parseInt(mode, 8) } : { link }
}

/** `[[x*3]]` stands for `xxx`. */
function written(): Written[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8').replace(
        /\[\[([^*\]]+)\*(\d+)\]\]/g,
        (_, what: string, times: string) => what.repeat(Number(times)),
      )
      return JSON.parse(text) as Written[]
    })
}
