import { z } from 'zod'
import { AppError } from '@shared/errors'
import { cutText } from '../../lib/well-formed'
import { globMatcher } from '../../workspace/glob'
import { createLineSearch, type LineSearch } from '../../workspace/line-search'
import { decodeText } from '../../workspace/text-file'
import { succeeded } from '../turn/envelope'
import { below, fileTarget, listTarget, readTarget, shownPath, type FileTarget } from './file-target'
import { defineTool, type ToolContext, type ToolOutcome } from './tool'

const MAX_LISTED = 20_000
const MAX_FILE = 1_000_000
const MAX_LINE = 300
const MAX_MATCHES = 200

const Input = z.object({
  pattern: z.string().min(1).max(1000).describe('A regular expression, tried on each line.'),
  path: z.string().min(1).max(4096).default('.').describe('A folder or a file. Left out: the project.'),
  glob: z.string().min(1).max(500).optional().describe('Only files like these, such as "**/*.md".'),
  ignore_case: z.boolean().default(false),
})

/** Finds lines. Files over 1 MB and files that are not text are left out. */
export const grepTool = defineTool(
  {
    name: 'Grep',
    description:
      'Finds lines that match a regular expression, in the files of the project or of an active skill; at most 200 lines.',
    input: Input,
  },
  search,
)

interface Match {
  path: string
  line: number
  text: string
}

async function search(context: ToolContext, input: z.output<typeof Input>): Promise<ToolOutcome> {
  const lines = createLineSearch(input.pattern, input.ignore_case)
  const isWanted = input.glob === undefined ? () => true : globMatcher(input.glob)
  const target = await fileTarget(context, input.path)
  const { files, cut } = await filesOf(context, target)
  const found: Match[] = []
  for (const file of files) {
    if (context.signal.aborted) throw new AppError('cancelled', 'The person stopped the search.')
    if (found.length >= MAX_MATCHES) break
    if (!isWanted(file)) continue
    const text = file === '' ? await onlyText(context, target) : await textOf(context, below(target, file))
    found.push(...matchesIn(text, lines, shownPath(below(target, file)), MAX_MATCHES - found.length))
  }
  return {
    kind: 'result',
    envelope: succeeded({
      matches: found,
      ...(found.length >= MAX_MATCHES ? { incomplete: `There may be more than ${MAX_MATCHES} lines.` } : {}),
      ...(cut ? { incomplete: `Only the first ${MAX_LISTED} files were looked at. Name a folder.` } : {}),
    }),
  }
}

/** A file stands for itself. */
async function filesOf(context: ToolContext, target: FileTarget): Promise<{ files: string[]; cut: boolean }> {
  const listing = await listTarget(context, target, MAX_LISTED).catch((error: unknown) => {
    // Not a folder: reading it will say what it is.
    if (error instanceof AppError && error.code === 'path_escape') return { files: [], cut: false }
    throw error
  })
  return listing.files.length > 0 || shownPath(target) === '.' ? listing : { files: [''], cut: false }
}

function matchesIn(text: string | null, lines: LineSearch, path: string, limit: number): Match[] {
  if (text === null) return []
  return lines
    .find(text, limit)
    .map(({ line, text: found }) => ({ path, line, text: cutText(found, MAX_LINE) }))
}

/** Of the one file that was asked for it is said why it can't be searched. */
async function onlyText(context: ToolContext, target: FileTarget): Promise<string> {
  const text = decodeText(await readTarget(context, target, MAX_FILE))
  if (text === null)
    throw new AppError('bad_input', `"${shownPath(target)}" is not text, so it is not searched.`)
  return text
}

/** Null for what can't be searched: too big, not text, or gone by now. */
async function textOf(context: ToolContext, target: FileTarget): Promise<string | null> {
  try {
    return decodeText(await readTarget(context, target, MAX_FILE))
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
