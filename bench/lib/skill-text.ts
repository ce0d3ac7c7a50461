import type { Seeded } from './seeded'
import { capital, prose, topic, word, words } from './words'
import type { Topic } from './words'

/**
 * `fine`: every tool reads it. `lenient`: only those do that repair YAML (a colon without quotes) and skip a byte order
 * mark. `broken`: of no use.
 */
export type Verdict = 'fine' | 'lenient' | 'broken'

/** One skill as it will lie on disk, and what a reader should find in it. */
export interface MadeSkill {
  folder: string
  name: string
  description: string
  verdict: Verdict
  /** Paths inside the folder with /, and what they hold. */
  files: { path: string; text: string }[]
}

/** Shares are those of `format.md` 2.2 to 2.4, measured on 5,804 public skills. */
export function makeSkill(random: Seeded, index: number): MadeSkill {
  const about = topic(random)
  const folder = `${about.action}-${about.subject}-${index.toString(36)}`
  const way = wayOf(random)
  const name = nameOf(random, folder)
  const length = Math.min(1929, Math.max(12, Math.round(random.skewed(184, 0.62))))
  const written = descriptionIn(random, way, prose(random, about, length))
  const front = frontmatter(random, { name, way, lines: written.lines, about })
  const text = (way === 'bom' ? '\uFEFF' : '') + lineEnds(random, front + body(random, about))
  const files = [{ path: 'SKILL.md', text }, ...otherFiles(random, about)]
  const verdict = way === 'bom' || way === 'colon' ? 'lenient' : way
  return { folder, name, description: written.description, verdict, files }
}

type Way = 'fine' | 'bom' | 'colon' | 'broken'

function wayOf(random: Seeded): Way {
  const share = random.next()
  if (share < 0.01) return 'broken'
  if (share < 0.017) return 'colon'
  return share < 0.0174 ? 'bom' : 'fine'
}

/** 13 % differ from the folder; 4 % are no legal names. */
function nameOf(random: Seeded, folder: string): string {
  const share = random.next()
  if (share < 0.027) return folder.split('-').map(capital).join(' ')
  if (share < 0.034) return folder.replaceAll('-', '_')
  return share < 0.131 ? `${folder}-skill` : folder
}

/** The lines of the field `description` in one of the styles people write, and its value. */
function descriptionIn(random: Seeded, way: Way, text: string): { lines: string; description: string } {
  const plain = (value: string) => ({ lines: `description: ${value}\n`, description: value })
  if (way === 'colon') return plain(`${text} Note: read it first`)
  const share = random.next()
  if (share < 0.607) return plain(text)
  if (share < 0.891) return quoted(random, text)
  if (share < 0.953) {
    const value = `${text} Don't guess`
    return { lines: `description: '${value.replaceAll("'", "''")}'\n`, description: value }
  }
  return severalLines(random, text)
}

function quoted(random: Seeded, text: string): { lines: string; description: string } {
  const value = random.chance(0.3) ? `${text} Triggers: "${word(random)}", "${word(random)}"` : text
  return { lines: `description: ${JSON.stringify(value)}\n`, description: value }
}

function severalLines(random: Seeded, text: string): { lines: string; description: string } {
  const rows = text.match(/\S.{0,70}\S(?=\s|$)|\S+/g) ?? [text]
  const description = rows.join(' ')
  const share = random.next()
  if (share < 0.3) return { lines: `description: ${rows.join('\n  ')}\n`, description }
  const sign = random.pick(['|', '|', '>', '>', '>-'])
  return { lines: `description: ${sign}\n  ${rows.join('\n  ')}\n`, description }
}

interface Front {
  name: string
  way: Way
  lines: string
  about: Topic
}

function frontmatter(random: Seeded, { name, way, lines, about }: Front): string {
  const inner = `name: ${name}\n${lines}${otherFields(random, about)}`
  if (way !== 'broken') return `---\n${inner}---\n\n`
  return random.pick([`# ${name}\n\n`, `---\n${inner}\n`, `---\nname: ${name}\n<<<<<<< HEAD\n${lines}---\n`])
}

function otherFields(random: Seeded, about: Topic): string {
  const fields: readonly (readonly [share: number, text: () => string])[] = [
    [0.092, () => `license: ${random.pick(['MIT', 'Apache-2.0', 'Complete terms in LICENSE.txt'])}\n`],
    [0.084, () => `version: ${random.pick(['1.0.0', '1.2', '"2.1"'])}\n`],
    [0.064, () => `homepage: https://example.com/${about.subject}\n`],
    [0.058, () => `author: ${capital(word(random))} ${capital(word(random))}\n`],
    [0.043, () => `allowed-tools: ${allowedTools(random)}\n`],
    [0.037, () => `tags: [${about.subject}, ${about.other}]\n`],
    [0.026, () => `triggers:\n  - ${about.action} ${about.subject}\n  - ${words(random, 2)}\n`],
    [0.022, () => `user-invocable: ${random.pick(['true', 'false', 'false'])}\n`],
    [0.012, () => `compatibility: Requires git and ${word(random)}\n`],
    [0.229, () => metadata(random, about)],
    [0.144, () => 'requires:\n  mcp: [rube]\n'],
  ]
  return fields.map(([share, text]) => (random.chance(share) ? text() : '')).join('')
}

function allowedTools(random: Seeded): string {
  return random.pick(['Bash(git:*), Read, Grep', 'Bash Read Write', '[Read, Glob, Grep]', 'Bash'])
}

/** Six of ten hold something other than strings. */
function metadata(random: Seeded, about: Topic): string {
  if (random.chance(0.4)) return `metadata:\n  author: ${word(random)}\n  version: "1.${random.below(9)}"\n`
  const tools = `{ "bins": ["${about.subject}"], "env": ["${about.subject.toUpperCase()}_KEY"] }`
  return `metadata: { "openclaw": { "emoji": "📦", "requires": ${tools} } }\n`
}

/** Median 912 tokens, nine of ten below 3,200. */
function body(random: Seeded, about: Topic): string {
  if (random.chance(0.002)) return ''
  const length = Math.min(250_000, Math.round(random.skewed(3700, 0.98)))
  let text = `# ${capital(about.action)} ${about.subject}\n\n`
  while (text.length < length) text += block(random, about)
  return text
}

function block(random: Seeded, about: Topic): string {
  const share = random.next()
  if (share < 0.15) return `## ${capital(words(random, 3))}\n\n`
  if (share < 0.3)
    return `\`\`\`bash\npython scripts/${about.action}.py --${word(random)} ${word(random)}\n\`\`\`\n\n`
  if (share < 0.6) {
    const items = Array.from(
      { length: 2 + random.below(5) },
      () => `- **${word(random)}**: ${words(random, 8)}`,
    )
    return `${items.join('\n')}\n\n`
  }
  return `${prose(random, about, 120 + random.below(500))}\n\n`
}

/** 36 % are a SKILL.md alone. */
function otherFiles(random: Seeded, about: Topic): MadeSkill['files'] {
  const files: MadeSkill['files'] = []
  const add = (path: string, text: string) => void files.push({ path, text })
  const many = () => Math.min(40, 1 + Math.floor(random.skewed(1, 1)))
  const size = () => Math.min(60_000, Math.round(random.skewed(2500, 1)))
  if (random.chance(0.37)) add('_meta.json', `{"owner":"${word(random)}","version":"1.0.0"}\n`)
  if (random.chance(0.15)) add('README.md', prose(random, about, size()))
  if (random.chance(0.19)) {
    for (let at = many(); at > 0; at--)
      add(`scripts/${word(random)}${at}.${extension(random)}`, script(random, size()))
  }
  if (random.chance(0.245)) {
    for (let at = many(); at > 0; at--)
      add(`references/${word(random)}${at}.md`, prose(random, about, size()))
  }
  if (random.chance(0.051)) add('assets/template.txt', words(random, 60))
  if (random.chance(0.133))
    add(`${random.pick(['src', 'examples', 'agents'])}/${word(random)}.txt`, words(random, 90))
  return files
}

function extension(random: Seeded): string {
  return random.pick(['py', 'py', 'py', 'sh', 'ts', 'js'])
}

function script(random: Seeded, length: number): string {
  let text = '#!/usr/bin/env python3\nimport sys\n'
  while (text.length < length) text += `def ${word(random)}(${word(random)}):\n    return ${word(random)}\n`
  return text
}

function lineEnds(random: Seeded, text: string): string {
  const ended = random.chance(0.025) ? text.trimEnd() : text
  return random.chance(0.009) ? ended.replaceAll('\n', '\r\n') : ended
}
