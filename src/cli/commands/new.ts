import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '@shared/errors'
import { isLegalName, slugOf } from '@shared/skill-md/skill-name'
import { errorCode } from '../../main/skills/safe-read'
import { isSafeName } from '../../main/skills/source-store'
import { wrongUse } from '../command'
import type { Given, Outcome } from '../command'
import { shown } from '../output'
import { displayPath, isFolder, projectOf, typedPath } from '../places'
import { templateFiles } from '../skill-template'
import type { Template, TemplateFile } from '../skill-template'
import type { World } from '../world'

/** Longest description that every client loads (`format.md` 1.1). */
const MAX_DESCRIPTION = 1024

/** `satchel skills new`: makes a skill's folder, or nothing at all. */
export function run(given: Given, world: World): Outcome {
  const name = checkedName(given.words[0]!)
  const description = checkedDescription(given.values.get('description'))
  const template = (given.values.get('template') ?? 'blank') as Template
  const dir = join(placeOf(given.values.get('in') ?? 'personal', world), name)
  const files = templateFiles({ name, description, template })
  make(dir, files, world)
  const paths = files.map(({ path }) => path)
  return {
    result: { name, path: dir, files: paths },
    text(style) {
      const lines = paths.map((path) => `  ${path}`)
      const next = `Next: write what it is for in ${shown(displayPath(world, join(dir, 'SKILL.md')))}, then run`
      const check = `  satchel skills validate ${shown(displayPath(world, dir))}`
      const made = `Made the skill ${style.paint('strong', name)} in ${shown(displayPath(world, dir))}:`
      return { out: [made, ...lines, next, check].join('\n') }
    },
  }
}

function checkedName(name: string): string {
  if (isLegalName(name) && isSafeName(name)) return name
  if (isLegalName(name)) {
    throw wrongUse(
      `"${name}" can't be the name of a skill: Windows keeps it for a device, so the skill could not be copied there.`,
      `satchel skills new ${name}-skill`,
    )
  }
  throw wrongUse(
    `"${name}" can't be the name of a skill: 1 to 64 lower-case letters and digits, in words joined by single hyphens.`,
    `satchel skills new ${slugOf(name)}`,
  )
}

function checkedDescription(text: string | undefined): string | null {
  const description = text?.replace(/\s+/g, ' ').trim() ?? ''
  if (description === '') return null
  if (Array.from(description).length <= MAX_DESCRIPTION) return description
  throw wrongUse(
    `The description has more than ${MAX_DESCRIPTION} characters. Some clients would not load the skill.`,
    'satchel skills new <name> --description "one or two sentences"',
  )
}

function placeOf(place: string, world: World): string {
  if (place === 'personal') return join(world.homeDir, '.satchel', 'skills')
  if (place !== 'project') return typedPath(world, place)
  const project = projectOf(world, world.cwd)
  if (project !== null) return join(project, '.satchel', 'skills')
  throw wrongUse(
    'This folder is in no project: neither it nor one above it holds .satchel, .agents or .git.',
    'satchel skills new <name> --in <folder>',
  )
}

/** The folder must not be there: what is made is whole, and what was there stays. */
function make(dir: string, files: readonly TemplateFile[], world: World): void {
  const where = displayPath(world, dir)
  try {
    mkdirSync(dirname(dir), { recursive: true })
    mkdirSync(dir)
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && isFolder(dirname(dir))) {
      throw new AppError(
        'bad_input',
        `${where} is there already, and nothing in it was changed. Choose another name.`,
      )
    }
    throw notMade(where, error)
  }
  try {
    for (const file of files) {
      const path = join(dir, ...file.path.split('/'))
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, file.text, { flag: 'wx' })
      if (file.executable) chmodSync(path, 0o755)
    }
  } catch (error) {
    rmSync(dir, { recursive: true, force: true })
    throw notMade(where, error)
  }
}

function notMade(where: string, error: unknown): AppError {
  const code = errorCode(error)
  const reason = code === 'EACCES' || code === 'EPERM' || code === 'EROFS' ? 'it is not yours to write' : code
  return new AppError('bad_input', `${where} could not be made (${reason}). Choose another folder with --in.`)
}
