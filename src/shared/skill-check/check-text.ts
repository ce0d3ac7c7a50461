import { TAG_FLAGS } from '../skill-md/line-cures'
import { hiddenCharacters } from '../visible-text'
import type { HiddenCharacter } from '../visible-text'
import { isSkillMd } from './checked-folder'
import type { CheckedFolder } from './checked-folder'
import { MAX_PER_CODE } from './report'
import type { Finding, Report } from './report'

interface TextOf {
  path: string
  text: string
  firstLine: number
}

/** Every known text of the skill: characters nobody sees, and secrets (`ux.md` 3.3, *Problems*). */
export function checkTexts(folder: CheckedFolder, report: Report): void {
  const told = folder.skill.diagnostics.some(({ code }) => code === 'control-characters')
  for (const text of textsOf(folder)) {
    checkHidden(text, told, report)
    checkSecrets(text, report)
  }
  checkEscaped(folder, report)
}

function textsOf({ files, skill }: CheckedFolder): TextOf[] {
  const known = files.flatMap(({ path, text, head }): TextOf[] => {
    const content = text ?? head
    return content === null
      ? []
      : [{ path: isSkillMd(path) ? 'SKILL.md' : path, text: content, firstLine: 1 }]
  })
  if (known.some(({ path }) => path === 'SKILL.md')) return known
  return [{ path: 'SKILL.md', text: skill.body, firstLine: skill.bodyLine }, ...known]
}

const TAG = /[\u{E0000}-\u{E007F}]/u
const TAGS = /[\u{E0020}-\u{E007E}]{1,200}/u
// oxlint-disable-next-line no-control-regex -- these characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
const NEVER = /(?!)/
const BIDI = /[\u202a-\u202e\u2066-\u2069]/

/** One finding per file and kind, at the first place. `told`: reading SKILL.md already told of its controls. */
function checkHidden({ path, text, firstLine }: TextOf, told: boolean, report: Report): void {
  const plain = text.replace(/^\uFEFF/, '').replace(TAG_FLAGS, '')
  const leaveOut = told && path === 'SKILL.md' ? CONTROL : NEVER
  const hidden = hiddenCharacters(plain).filter(({ code }) => !leaveOut.test(characterOf(code)))
  for (const { found, finding } of kindsOf(hidden, plain)) {
    report.add(finding, { file: path, line: firstLine + lineOf(plain, found) })
  }
}

/**
 * The values of the frontmatter, where YAML escapes such as `\u202E` have become characters; those that the file also
 * has as they are were told with it.
 */
function checkEscaped(folder: CheckedFolder, report: Report): void {
  const own = textsOf(folder).find(({ path }) => path === 'SKILL.md')
  const told = new Set(hiddenCharacters(own?.text ?? '').map(({ code }) => code))
  for (const [key, value] of Object.entries(folder.skill.frontmatter)) {
    // A line end before each, because a byte order mark is ordinary only at the start of a file.
    const text = ['', ...textsIn(value)].join('\n').replace(TAG_FLAGS, '')
    const hidden = hiddenCharacters(text).filter(({ code }) => !told.has(code))
    for (const { finding } of kindsOf(hidden, text)) report.add(finding, { line: folder.fieldLine(key) })
  }
}

/** Every text of a value, keys of maps too. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)])
}

/** What is told of each kind that was found. */
function kindsOf(
  hidden: readonly HiddenCharacter[],
  text: string,
): { found: HiddenCharacter[]; finding: Finding }[] {
  if (hidden.length === 0) return []
  const tags = hidden.filter(({ code }) => TAG.test(characterOf(code)))
  const bidi = hidden.filter(({ code }) => BIDI.test(characterOf(code)))
  const others = hidden.filter((item) => !tags.includes(item) && !bidi.includes(item))
  const kinds = [
    { found: tags, finding: tagFinding(tags, text) },
    { found: bidi, finding: bidiFinding(bidi) },
    { found: others, finding: hiddenFinding(others) },
  ]
  return kinds.filter(({ found }) => found.length > 0)
}

function characterOf(code: string): string {
  return String.fromCodePoint(Number.parseInt(code.slice(2), 16))
}

/** Lines before the first of these characters that is hidden where it stands. */
function lineOf(text: string, found: readonly HiddenCharacter[]): number {
  const codes = new Set(found.map(({ code }) => code))
  // A line end before each line, because a byte order mark is ordinary only at the start of the file.
  const lines = text.split('\n')
  const at = lines.findIndex((line) => hiddenCharacters(`\n${line}\n`).some(({ code }) => codes.has(code)))
  return Math.max(0, at)
}

/** Tag characters copy ASCII one to one; what they spell is shown. */
function tagFinding(found: readonly HiddenCharacter[], text: string): Finding {
  const run = TAGS.exec(text)?.[0] ?? ''
  const spelt = Array.from(run, (char) => String.fromCodePoint((char.codePointAt(0) ?? 0) - 0xe0000)).join('')
  return {
    code: 'tag-characters',
    severity: 'warning',
    message: `Invisible tag characters (${listed(found)}) spell text that only a model reads: ${JSON.stringify(spelt)}.`,
    fix: 'Delete them, and ask where the file comes from.',
  }
}

function bidiFinding(found: readonly HiddenCharacter[]): Finding {
  return {
    code: 'bidi-characters',
    severity: 'warning',
    message: `Characters that reverse the order of others (${listed(found)}) make the text look other than it is.`,
    fix: 'Delete them.',
  }
}

function hiddenFinding(found: readonly HiddenCharacter[]): Finding {
  return {
    code: 'hidden-characters',
    severity: 'warning',
    message: `The text holds characters that nobody sees (${listed(found)}).`,
    fix: 'Delete them.',
  }
}

function listed(found: readonly HiddenCharacter[]): string {
  const shown = found.slice(0, 3).map(({ code, count }) => (count === 1 ? code : `${code} ×${count}`))
  return shown.join(', ') + (found.length > 3 ? ', …' : '')
}

/** Shapes of secrets with what they are. Where a group is there, it is the secret part. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN (?:[A-Z]{2,10} )?PRIVATE KEY-----(?:\s|\\n){1,4}([A-Za-z0-9+/=]{40,80})/g, 'a private key'],
  [/(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g, 'an AWS access key'],
  [/(?<![\w-])gh[pousr]_[A-Za-z0-9]{36}(?!\w)/g, 'a GitHub token'],
  [/(?<![\w-])github_pat_\w{22,100}/g, 'a GitHub token'],
  [/(?<![\w-])glpat-[\w-]{20,60}/g, 'a GitLab token'],
  [/(?<![\w-])sk-ant-[\w-]{20,150}/g, 'an Anthropic key'],
  [/(?<![\w-])sk-(?!ant-)(?:proj-)?[A-Za-z0-9_-]{24,200}/g, 'an API key'],
  [/(?<![\w-])[sr]k_live_[A-Za-z0-9]{16,100}/g, 'a Stripe key'],
  [/(?<![\w-])xox[abeprs]-[A-Za-z0-9-]{20,100}/g, 'a Slack token'],
  [/(?<![\w-])AIza[\w-]{35}(?![\w-])/g, 'a Google key'],
  [/(?<![\w-])eyJ[\w-]{15,400}\.eyJ[\w-]{15,2000}\.[\w-]{20,}/g, 'a signed token (JWT)'],
  [
    // It begins with what is rare, which makes it several times as fast.
    /:\/\/(?<=(?<![a-z0-9+])[a-z][a-z0-9+]{2,15}:\/\/)[\w.-]{1,60}:([^\s:@/'"`<>{}$]{8,100})@[\w.-]+/g,
    'a password in an address',
  ],
]
const MADE_UP =
  /example|sample|placeholder|dummy|fake|test|your|xxxx|\.\.\.|1234567|abcdef|password|secret|redacted|changeme|0000/i

/** "Example: " on the line before it. */
const EXAMPLE = /(?:example|sample|dummy|fake)[^\n]{0,24}$/i

function checkSecrets({ path, text, firstLine }: TextOf, report: Report): void {
  let found = 0
  for (const [pattern, what] of SECRETS) {
    for (const match of text.matchAll(pattern)) {
      if (
        isMadeUp(match[1] ?? match[0]) ||
        EXAMPLE.test(text.slice(Math.max(0, match.index - 30), match.index))
      )
        continue
      found += 1
      if (found > MAX_PER_CODE) return
      const before = text.slice(0, match.index)
      report.add(secretFinding(what), {
        file: path,
        line: firstLine + before.split('\n').length - 1,
        column: match.index - before.lastIndexOf('\n'),
      })
    }
  }
}

/** Placeholders of documentation: they say so, or repeat a few characters. */
function isMadeUp(secret: string): boolean {
  return MADE_UP.test(secret) || new Set(secret.replace(/^[a-z]{2,6}[-_]/i, '')).size < 8
}

/** The secret itself is never part of the message. */
function secretFinding(what: string): Finding {
  return {
    code: 'secret',
    severity: 'warning',
    message: `This looks like ${what}.`,
    fix: 'Delete it, make it invalid where it was issued, and have the skill ask for a secret instead.',
  }
}
