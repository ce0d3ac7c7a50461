import type { Finding } from '@shared/domain/approval'
import type { FileChange } from '@shared/domain/file-change'
import { hiddenCharacters } from '@shared/visible-text'

/** A change of a file, with what the file system says about it. */
export interface EditFacts {
  change: FileChange
  /** The file can be run as a program. */
  executable: boolean
  /** It has other names too. */
  hardLinked: boolean
}

/** What the fixed rules find in a change of a file, worst first. Pure; an empty answer doesn't mean safe. */
export function editFindings(facts: EditFacts): Finding[] {
  return RULES.flatMap(({ check, ...rule }) => {
    const found = check(facts)
    if (found === null) return []
    return [
      {
        ...rule,
        text: [found.where, rule.text].filter(Boolean).join(' '),
        ...(found.line ? { line: found.line } : {}),
      },
    ]
  })
}

interface Found {
  where?: string
  line?: number | undefined
}

interface EditRule extends Omit<Finding, 'line'> {
  check(facts: EditFacts): Found | null
}

/** A longer line is not drawn as a whole at once. */
const LONG_LINE = 2000

const RULES: readonly EditRule[] = [
  {
    id: 'edit-hidden-characters',
    level: 'serious',
    title: 'Invisible characters',
    text: 'Characters that are not seen, or turn the order of others, stand in the new lines. They are drawn as ⟦U+…⟧.',
    check: ({ change }) => addedLine(change, (text) => hiddenCharacters(text).length > 0),
  },
  {
    id: 'edit-runs-itself',
    level: 'notable',
    title: 'Programs run this file',
    text: 'Build tools, test runners or package managers carry out what stands in a file of this name.',
    check: ({ change }) => named(change, RUNS),
  },
  {
    id: 'edit-instructions',
    level: 'notable',
    title: 'Agents take it as instructions',
    text: 'What stands in a file of this name is told to agents at the start of each chat.',
    check: ({ change }) => named(change, INSTRUCTS),
  },
  {
    id: 'edit-executable',
    level: 'notable',
    title: 'A program is changed',
    text: 'The file is marked as executable.',
    check: ({ executable }) => (executable ? {} : null),
  },
  {
    id: 'edit-hard-link',
    level: 'notable',
    title: 'The file has another name',
    text: 'It is a hard link. Only this name gets the new text; the others keep the old one.',
    check: ({ hardLinked }) => (hardLinked ? {} : null),
  },
  {
    id: 'edit-long-line',
    level: 'notable',
    title: 'Very long line',
    text: 'Look to its end before you allow it.',
    check: ({ change }) => addedLine(change, (text) => text.length > LONG_LINE),
  },
]

const RUNS =
  /^(?:(?:gnu)?makefile|justfile|package\.json|\.npmrc|\.yarnrc.*|conftest\.py|setup\.(?:py|cfg)|pyproject\.toml|dockerfile|compose\.ya?ml|docker-compose\.ya?ml|build\.(?:rs|gradle)|rakefile|.*\.(?:sh|bash|ps1|bat|cmd)|.*\.config\.[cm]?[jt]s)$/i
const INSTRUCTS = /^(?:agents|claude|gemini|skill)(?:\.local)?\.md$/i

function named({ path }: FileChange, pattern: RegExp): Found | null {
  const isMeant =
    pattern.test(path.slice(path.lastIndexOf('/') + 1)) || (pattern === RUNS && path.startsWith('.github/'))
  return isMeant ? {} : null
}

function addedLine({ diff }: FileChange, test: (text: string) => boolean): Found | null {
  const line = diff.find(({ kind, text }) => kind === 'add' && test(text))
  return line ? { where: `Line ${line.after}.`, line: line.after } : null
}
