import type { CheckedFolder } from './checked-folder'
import { linksIn } from './markdown'
import type { MarkdownLine, MarkdownLink } from './markdown'
import type { Place, Report } from './report'

/** Links of the body and of every Markdown file, and symbolic links (`ux.md` 3.3, *Problems*). */
export function checkLinks(folder: CheckedFolder, report: Report): void {
  checkDocument(folder, 'SKILL.md', folder.bodyLines, report)
  for (const { path, lines } of folder.documents) checkDocument(folder, path, lines, report)
  for (const { path, target, leaves, broken } of folder.links) {
    if (broken) addBrokenSymlink(report, path, target)
    else if (leaves) addLeavingSymlink(report, path)
  }
}

function checkDocument(
  folder: CheckedFolder,
  file: string,
  lines: readonly MarkdownLine[],
  report: Report,
): void {
  for (const link of linksIn(lines)) checkLink(folder, file, link, report)
}

function checkLink(folder: CheckedFolder, file: string, link: MarkdownLink, report: Report): void {
  const target = readTarget(link.target)
  if (!target) return
  const place = { file, line: link.line, column: link.column }
  if (target.path === '') return checkAnchor(folder, { path: file, anchor: target.anchor }, place, report)
  const near = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : ''
  const candidates = [resolve(near, target.path), resolve('', target.path)]
  const found = candidates.find((path) => path !== null && folder.exists(path))
  if (found !== undefined && found !== null) {
    return checkAnchor(folder, { path: found, anchor: target.anchor }, place, report)
  }
  if (candidates.every((path) => path === null)) return addLeaving(report, link.target, place)
  const path = candidates.find((candidate) => candidate !== null) ?? ''
  if (isLikePath(target.path)) addMissing(folder, report, { path, written: link.target, place })
}

interface Target {
  path: string
  anchor: string
}

const SCHEME = /^(?:[a-z][a-z0-9+.-]*:|\/\/|~|\$)/i
/** Words in angle, curly or square brackets, stars and dots stand for something else. */
const PLACEHOLDER = /[<>{}*|$[\]]|\.\.\.|…/

/** Null for addresses of the network, homes (they have rules of their own) and placeholders. */
function readTarget(written: string): Target | null {
  const inSkill = written.replace(/^(?:\{baseDir\}|\$\{?(?:CLAUDE_)?SKILL_DIR\}?)\//, '')
  if (SCHEME.test(inSkill) || PLACEHOLDER.test(inSkill)) return null
  const hash = inSkill.indexOf('#')
  const before = hash === -1 ? inSkill : inSkill.slice(0, hash)
  const path = decode(before.replace(/\?.*$/s, ''))
  return { path, anchor: hash === -1 ? '' : decode(inSkill.slice(hash + 1)).toLowerCase() }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a percent sign that encodes nothing is a part of the name
  }
}

/** A path from a folder of the skill, normalised; null when it leads out of the skill. */
function resolve(from: string, path: string): string | null {
  if (path.startsWith('/') || path.includes('\\')) return null
  const parts = from === '' ? [] : from.split('/')
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.length === 0) return null
      parts.pop()
    } else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** `[title](link)` is an explanation of links, not a link to a file named "link". */
function isLikePath(path: string): boolean {
  return path.includes('/') || /\.[A-Za-z0-9]{1,10}$/.test(path)
}

function checkAnchor(
  folder: CheckedFolder,
  { path, anchor }: { path: string; anchor: string },
  place: Place,
  report: Report,
): void {
  if (anchor === '' || anchor === 'top' || /^l\d+(?:-l?\d+)?$/.test(anchor)) return
  const anchors = folder.anchors(path)
  if (!anchors || anchors.has(anchor)) return
  const where = path === (place.file ?? '') ? 'this file' : `"${path}"`
  report.add(
    {
      code: 'anchor-missing',
      severity: 'warning',
      message: `There is no heading "#${short(anchor)}" in ${where}.`,
      fix: 'Link to a heading that is there, or to the file alone.',
    },
    place,
  )
}

interface Missing {
  path: string
  written: string
  place: Place
}

function addMissing(folder: CheckedFolder, report: Report, { path, written, place }: Missing): void {
  const alike = folder.alike(path)
  report.add(
    {
      code: 'link-target-missing',
      severity: 'warning',
      message: `The link leads to "${short(written)}", which is not in the skill.`,
      fix:
        alike === undefined
          ? 'Add the file, or correct the link; paths start at the folder of the skill.'
          : `Write it as the file is named: "${short(alike)}".`,
    },
    place,
  )
}

function addLeaving(report: Report, written: string, place: Place): void {
  report.add(
    {
      code: 'link-leaves-skill',
      severity: 'warning',
      message: `The link "${short(written)}" leads out of the skill, where nothing is read.`,
      fix: 'Copy the file into the skill and link to the copy.',
    },
    place,
  )
}

function addBrokenSymlink(report: Report, path: string, target: string): void {
  report.add(
    {
      code: 'symlink-broken',
      severity: 'warning',
      message: `"${short(path)}" is a link to "${short(target)}", which leads nowhere.`,
      fix: 'Replace it by the file itself, or delete it.',
    },
    { file: path },
  )
}

function addLeavingSymlink(report: Report, path: string): void {
  report.add(
    {
      code: 'symlink-leaves-skill',
      severity: 'warning',
      message: `"${short(path)}" is a link that leaves the skill, so it is not followed.`,
      fix: 'Replace it by a copy of what it leads to.',
    },
    { file: path },
  )
}

function short(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}
