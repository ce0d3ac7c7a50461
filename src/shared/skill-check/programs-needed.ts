/** Names of which one must be there. */
export type Programs = readonly string[]

/** Programs that are recognised as plain words, with the commands of which one must be there. */
const PROGRAMS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    (
      'git docker podman kubectl helm terraform ansible aws gcloud az gh glab node npm npx pnpm yarn bun deno tsx ' +
      'python3 pip pip3 pipx uv uvx poetry conda ruby perl php java mvn gradle cargo rustc cmake gcc clang ' +
      'ffmpeg ffprobe imagemagick pandoc pdftotext pdftoppm qpdf ghostscript tesseract libreoffice soffice graphviz ' +
      'jq yq curl wget rg ripgrep fzf tmux sqlite3 psql mysql redis-cli openssl gpg rsync ssh xelatex pdflatex latexmk'
    )
      .split(' ')
      .map((name) => [name, name]),
  ),
  python: 'python3 python',
  python3: 'python3 python',
  pip: 'pip pip3',
  'node.js': 'node',
  nodejs: 'node',
  imagemagick: 'magick convert',
  ghostscript: 'gs',
  graphviz: 'dot',
  libreoffice: 'soffice libreoffice',
  ripgrep: 'rg',
  'aws-cli': 'aws',
  'azure-cli': 'az',
  'github-cli': 'gh',
  'gitlab-cli': 'glab',
}
const NEEDS = /\b(?:requires?|required|needs?|needed|depends on|must have|installed|prerequisites?)\b/i
const NOT_NEEDED = /\b(?:no|not|without|optional(?:ly)?|doesn't|recommended|if available|unless)\b/i

/** A name in code or quotes that could be a program's: `foo`, "foo-bar", 'foo2'. With `_` it is a tool of an agent. */
const MARKED = /`([a-z][a-z0-9]*(?:-[a-z0-9]+)*)`|(["'])([a-z][a-z0-9]*(?:-[a-z0-9]+)*)\2/g
/** Further names of a list, up to what is said of all of them. */
const MORE_NAMES = /^(?:(?: ?[,/&+] ?| )(?:and |or )?(?:`[^`]*`|"[^"]*"|'[^']*'))+/i
/** A word that can be nothing but a program. */
const CLI = /(?<![\w@/.$-])[a-z][a-z0-9]*(?:-[a-z0-9]+)*-cli(?![\w/.-]|=)/g
/** What says of a name before it that it is a program. */
const IS_PROGRAM = /^ (?:command[- ]line (?:tool|utility)|program|commands?|cli|binary|executable)\b/i
const IS_INSTALLED = /^ \(?(?:(?:is|are|be|must be|to be) )*(?:installed|(?:on|in) (?:the |your )?\$?path)\b/i
/** What says of a name before it that it is something else. */
const IS_OTHER =
  /^ (?:\w+ )?(?:tools?|packages?|librar(?:y|ies)|modules?|gems?|crates?|skills?|plugins?|extensions?|servers?|mcp|env\w*|variables?|tokens?|keys?|accounts?|files?|folders?|director(?:y|ies)|fields?|permissions?|scopes?|apis?|modes?|branch(?:es)?|formats?|roles?|models?|features?|flags?|options?|settings?|config\w*|tags?|labels?|columns?|tables?|to)\b/i
/** Sentences about what is installed into a language: a name in code may be a library there. */
const OF_A_LANGUAGE = /\b(?:packages?|librar(?:y|ies)|modules?|python\w*|pip3?|npm|gems?|crates?|imports?)\b/i
/** What may stand between the word that speaks of a need and the names, besides other names. */
const FILLERS = /\b(?:the|an?|and|or|either|both|plus|also|that|have|having)\b|[\s\d.,:&+()<>=~^]/gi

/**
 * The programs that a text says it needs, in groups of which one must be there. Only sentences that speak of a need
 * count; each part between commas needs one of the programs it names. A program is a word of the list above, a word
 * that ends with "-cli", a name in code that follows "requires" or "needs" directly, and a name in code or quotes that
 * is called a command, program, tool or binary, or is to be installed. Other words are not guessed at.
 */
export function programsNeeded(text: string): Programs[] {
  const sentences = text.slice(0, 2000).split(/[.;](?:\s|$)|\n/)
  return sentences
    .map((sentence) => sentence.replace(/\s+/g, ' '))
    .filter((sentence) => NEEDS.test(sentence))
    .flatMap(inSentence)
}

function inSentence(sentence: string): Programs[] {
  const marked = markedIn(sentence)
  const groups: string[][] = []
  let from = 0
  for (const part of sentence.split(/([,+&()]|\band\b|\bplus\b)/i)) {
    const start = from
    from += part.length
    if (NOT_NEEDED.test(part)) continue
    const own = marked.filter(({ at }) => at >= start && at < from).map(({ name }) => name)
    const names = [...new Set([...plainIn(part), ...own.flatMap(commandsOf)])]
    const before = /^\s*or\b/i.test(part) ? groups.at(-1) : undefined
    if (before) before.push(...names)
    else if (names.length > 0) groups.push(names)
  }
  return groups
}

/** Names in code or quotes that are programs, with their places. */
function markedIn(sentence: string): { name: string; at: number }[] {
  const need = NEEDS.exec(sentence)
  const needEnd = need ? need.index + need[0].length : sentence.length
  return [...sentence.matchAll(MARKED)].flatMap((match) => {
    const name = match[1] ?? match[3]!
    const after = sentence.slice(match.index + match[0].length).replace(MORE_NAMES, '')
    if (IS_PROGRAM.test(after)) return [{ name, at: match.index }]
    if (IS_OTHER.test(after) || OF_A_LANGUAGE.test(sentence)) return []
    const between = sentence.slice(needEnd, match.index)
    const follows = match[1] !== undefined && match.index >= needEnd && isOnlyNames(between)
    return follows || IS_INSTALLED.test(after) ? [{ name, at: match.index }] : []
  })
}

function isOnlyNames(text: string): boolean {
  const isKnown = (word: string) => Object.hasOwn(PROGRAMS, word.toLowerCase())
  const others = text.replace(MARKED, '').replace(/[a-z][\w.-]*/gi, (word) => (isKnown(word) ? '' : word))
  return others.replace(FILLERS, '') === ''
}

function plainIn(part: string): string[] {
  const words = part.toLowerCase().match(/[a-z][\w.-]*/g) ?? []
  const known = words
    .map((word) => word.replace(/[.-]+$/, ''))
    .filter((word) => Object.hasOwn(PROGRAMS, word))
  return [...known, ...(part.match(CLI) ?? [])].flatMap(commandsOf)
}

/** What is called foo-cli is often run as foo. */
function commandsOf(name: string): string[] {
  if (Object.hasOwn(PROGRAMS, name)) return PROGRAMS[name]!.split(' ')
  return name.endsWith('-cli') ? [name, name.slice(0, -'-cli'.length)] : [name]
}
