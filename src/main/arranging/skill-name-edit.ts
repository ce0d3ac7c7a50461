import { closeSync, constants, fstatSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@shared/errors'
import { decodeSkillMd, parseSkillMd } from '@shared/skill-md'
import { editSkillMd } from '@shared/skill-md/edit'
import { namesIn } from './durable'

/** What a new name changes in a SKILL.md. */
export interface NameEdit {
  file: string
  text: string
  before: string
  after: string
}

/**
 * The SKILL.md of a folder with another `name:`, every other byte as it was; null where it says that name already, or
 * says none: then the folder alone gives it. Throws `bad_input` where the frontmatter can't be edited.
 */
export function nameEdit(dir: string, name: string): NameEdit | null {
  const file = skillMdOf(dir)
  const { text, problem } = decodeSkillMd(readNoLink(join(dir, file)))
  if (problem) throw cantRename(problem.message)
  const said = parseSkillMd(text, { folderName: name }).frontmatter['name']
  if (said === undefined || said === name) return null
  const edited = editSkillMd(text, { set: { name } })
  const lines = text.split('\n')
  const changed = edited.split('\n')
  const at = lines.findIndex((line, n) => line !== changed[n])
  return { file, text: edited, before: lines[at] ?? '', after: changed[at] ?? '' }
}

/** Writes the name into a copy that nobody else uses yet. */
export function editSkillName(dir: string, name: string): void {
  const edit = nameEdit(dir, name)
  if (!edit) return
  const fd = openSync(join(dir, edit.file), constants.O_WRONLY | constants.O_TRUNC | NO_LINK)
  try {
    writeFileSync(fd, edit.text)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

const NO_LINK = constants.O_NOFOLLOW ?? 0

function skillMdOf(dir: string): string {
  const names = namesIn(dir).filter((name) => /^skill\.md$/i.test(name))
  const name = ['SKILL.md', 'skill.md'].find((usual) => names.includes(usual)) ?? names[0]
  if (name === undefined) throw cantRename('It has no SKILL.md.')
  return name
}

function readNoLink(path: string): Buffer {
  const fd = openSync(path, constants.O_RDONLY | NO_LINK | (constants.O_NONBLOCK ?? 0))
  try {
    if (!fstatSync(fd).isFile()) throw cantRename('Its SKILL.md is no file.')
    return readFileSync(fd)
  } finally {
    closeSync(fd)
  }
}

function cantRename(why: string): AppError {
  return new AppError('bad_input', `It can't get another name: ${why} Mend that first, then try again.`)
}
