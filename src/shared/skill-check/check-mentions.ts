import { scriptKind } from '../script-kind'
import type { CheckedFolder } from './checked-folder'
import type { MarkdownLine } from './markdown'
import type { Place, Report } from './report'

/** Characters of one line that are searched for paths. */
const MAX_LINE = 4000
const EXTENSION = String.raw`\.(?:py|sh|bash|js|mjs|cjs|ts|rb|pl|ps1|php|R|lua)(?![\w-])`
const PATH = String.raw`[\w.\-/]{1,200}`
const PROGRAM = String.raw`(?<![\w./-])(?:python3?|bash|sh|zsh|node|bun|deno run|tsx|uv run|ruby|perl|pwsh|php|Rscript|lua)`
/** `python scripts/x.py`: an interpreter and a path that starts neither at a root nor at a variable. */
const BARE = new RegExp(
  String.raw`${PROGRAM}(?:[ \t]+-[\w-]{1,40}){0,4}[ \t]+["']?((?!/)${PATH}${EXTENSION})`,
  'g',
)
/** `./scripts/x.sh` at the start of a command. */
const DIRECT = new RegExp(
  String.raw`(?:^|[\`;&|]|(?<!\])\(|[$>][ \t]|\b(?:[Rr]un|[Ee]xecute|[Cc]all|[Ii]nvoke)[ \t]+\`?)[ \t]*\./(${PATH})`,
  'g',
)
/** A path below one of the customary folders; a variable or `./` may stand before it. */
const MENTION =
  /(?<![\w./\\~}-])(?:(?:\{baseDir\}|\$\{?(?:CLAUDE_)?SKILL_DIR\}?)\/|\.\/)?((?:scripts|references?|assets|resources|templates|examples)\/[\w.\-/]{1,200}\.[A-Za-z0-9]{1,8})(?![\w/*-])/g
/** Names that stand for whatever the reader has. */
const PLACEHOLDER =
  /(?:^|[/_-])(?:x+|foo|bar|example|your|my|some|name|file(?:name)?|script|path|to)(?:[/._-]|$)/i
/** `~/.claude/skills/…`: the skills folder of one other client. */
const FOREIGN_HOME =
  /(?:~|\$HOME|\$\{HOME\})\/\.(?!agents\/|satchel\/)[\w-]{1,40}(?:\/[\w-]{1,40})?\/skills?\/[\w./-]{0,100}/
const PERSONAL = /(?<![\w.~}-])(?:\/(?:Users|home)\/|[A-Z]:\\Users\\)([A-Za-z][\w.-]{0,60})/g
const NOBODY =
  /^(?:x+|users?|username|name|you|your.*|me|my.*|example|runner|ubuntu|node|vscode|shared|public|app|some.*)$/i

/** What the instructions name or call: files of the skill, and places that exist on one machine only. */
export function checkMentions(folder: CheckedFolder, report: Report): void {
  checkPlaces('SKILL.md', folder.bodyLines, report)
  for (const { path, lines } of folder.documents) checkPlaces(path, lines, report)
  const bare = new Set<string>()
  for (const { text, line, fenced } of folder.bodyLines) {
    const cut = text.slice(0, MAX_LINE)
    checkCalls(folder, cut, { line, bare }, report)
    checkDirect(folder, cut, { line }, report)
    checkNamed(folder, cut, { line }, report)
    if (!fenced) checkLiteral(folder, cut, { line }, report)
  }
}

function checkPlaces(file: string, lines: readonly MarkdownLine[], report: Report): void {
  for (const { text, line } of lines) {
    const cut = text.slice(0, MAX_LINE)
    const foreign = FOREIGN_HOME.exec(cut)
    if (foreign) addForeignHome(report, foreign[0], { file, line, column: foreign.index + 1 })
    for (const match of cut.matchAll(PERSONAL)) {
      if (!NOBODY.test(match[1]!)) addPersonal(report, { file, line, column: match.index + 1 })
    }
  }
}

interface At {
  line: number
  /** Scripts whose bare call was told. */
  bare: Set<string>
}

function checkCalls(folder: CheckedFolder, text: string, { line, bare }: At, report: Report): void {
  for (const match of text.matchAll(BARE)) {
    const path = match[1]!.replace(/^(?:\.\/)+/, '')
    if (path.split('/').includes('..')) {
      addTraversal(report, match[1]!, { line, column: match.index + 1 })
    } else if (folder.file(path) && !bare.has(path)) {
      bare.add(path)
      addBare(report, path, { line, column: match.index + 1 })
    }
  }
}

function addTraversal(report: Report, path: string, place: Place): void {
  report.add(
    {
      code: 'path-traversal',
      severity: 'warning',
      message: `The instructions call "${path}", which leads out of the skill; it is refused.`,
      fix: 'Copy the script into the skill and name it by its path there.',
    },
    place,
  )
}

function addBare(report: Report, path: string, place: Place): void {
  report.add(
    {
      code: 'script-path-bare',
      severity: 'info',
      message: `"${path}" is called as if the skill's folder were the current one; in most clients it is the project.`,
      fix: `Write {baseDir}/${path}, or say that paths start at the folder of the skill.`,
    },
    place,
  )
}

function checkDirect(folder: CheckedFolder, text: string, place: Place, report: Report): void {
  if (folder.environment.os === 'win32') return
  for (const match of text.matchAll(DIRECT)) {
    const path = match[1]!
    const file = folder.file(path)
    if (!file || file.executable || scriptKind(path, firstLine(file.head)) === null) continue
    report.add(
      {
        code: 'script-not-executable',
        severity: 'info',
        message: `"${path}" is called directly but is not executable; here its interpreter is called instead.`,
        fix: `Set its executable bit (chmod +x ${path}), or name the interpreter in the instructions.`,
      },
      { ...place, column: match.index + 1 },
    )
  }
}

function checkNamed(folder: CheckedFolder, text: string, place: Place, report: Report): void {
  for (const match of text.matchAll(MENTION)) {
    const path = match[1]!
    const column = match.index + match[0].length - path.length + 1
    if (path.split('/').includes('..')) addTraversal(report, path, { ...place, column })
    else if (!PLACEHOLDER.test(path) && !folder.exists(path) && !isLinkTarget(text, match.index)) {
      addNotThere(folder, report, path, { ...place, column })
    }
  }
}

/** A link's target was looked at as a link. */
function isLinkTarget(text: string, index: number): boolean {
  return /\]\(<?$|\]: *<?$/.test(text.slice(Math.max(0, index - 4), index))
}

/** Where the skill has no such folder the text may speak of another one: only an information. */
function addNotThere(folder: CheckedFolder, report: Report, path: string, place: Place): void {
  const alike = folder.alike(path)
  const top = path.slice(0, path.indexOf('/'))
  report.add(
    {
      code: 'file-not-there',
      severity: folder.exists(top) ? 'warning' : 'info',
      message: `The instructions name "${path}", which is not in the skill.`,
      fix:
        alike === undefined
          ? 'Add the file, or correct its name.'
          : `Write it as the file is named: "${alike}".`,
    },
    place,
  )
}

/** Notations that other clients act on when a skill is loaded (`format.md` 2.5, quirk 30). */
function checkLiteral(folder: CheckedFolder, text: string, place: Place, report: Report): void {
  const command = /(?<![^\s(])!`[^`]{1,500}`/.exec(text)
  if (command) addDynamic(report, { ...place, column: command.index + 1 })
  const positional = /(?<![\w$\\])\$[1-9](?![\w.,])/.exec(text)
  const announced = folder.skill.argumentHint !== undefined || folder.skill.arguments.length > 0
  if (positional && !announced) {
    addPositional(report, positional[0], { ...place, column: positional.index + 1 })
  }
}

function addDynamic(report: Report, place: Place): void {
  report.add(
    {
      code: 'dynamic-command',
      severity: 'info',
      message: 'A command in !`…` is not run when the skill is loaded; it stays text.',
      fix: 'Say in words when to run it, or put it into a script.',
    },
    place,
  )
}

function addPositional(report: Report, written: string, place: Place): void {
  report.add(
    {
      code: 'positional-without-args',
      severity: 'info',
      message: `"${written}" stays text unless the skill is called with arguments, and it announces none.`,
      fix: 'Add "argument-hint:" to the frontmatter, or replace it by words.',
    },
    place,
  )
}

function addForeignHome(report: Report, path: string, place: Place): void {
  report.add(
    {
      code: 'foreign-home-path',
      severity: 'warning',
      message: `"${path}" is the folder of one other client; the skill may lie elsewhere.`,
      fix: 'Write {baseDir} for the folder of the skill.',
    },
    place,
  )
}

function addPersonal(report: Report, place: Place): void {
  report.add(
    {
      code: 'personal-path',
      severity: 'info',
      message: "This path lies in one person's home folder, which others do not have.",
      fix: 'Write a path relative to the skill or to the project, or start it at ~.',
    },
    place,
  )
}

function firstLine(head: string | null): string {
  return (head ?? '').split('\n', 1)[0]!
}
