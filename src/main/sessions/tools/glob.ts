import { z } from 'zod'
import { globMatcher } from '../../workspace/glob'
import { succeeded } from '../turn/envelope'
import { fileTarget, listTarget, shownPath } from './file-target'
import { defineTool, type ToolContext, type ToolOutcome } from './tool'

/** Files that are looked at, and that are told. */
const MAX_LISTED = 50_000
const MAX_TOLD = 200

const Input = z.object({
  pattern: z
    .string()
    .min(1)
    .max(500)
    .describe('Such as "**/*.md" or "src/*.{js,ts}", relative to the folder.'),
  path: z.string().min(1).max(4096).default('.').describe('The folder. Left out: the project.'),
})

/** Finds files by name. Folders that hold no work of the person (.git, node_modules) are left out. */
export const globTool = defineTool(
  {
    name: 'Glob',
    description: 'Lists files of the project or of an active skill whose paths match a pattern, at most 200.',
    input: Input,
  },
  find,
)

async function find(context: ToolContext, input: z.output<typeof Input>): Promise<ToolOutcome> {
  const matches = globMatcher(input.pattern)
  const target = await fileTarget(context, input.path)
  const { files, cut } = await listTarget(context, target, MAX_LISTED)
  const found = files.filter(matches)
  const base = shownPath(target)
  const told = found.slice(0, MAX_TOLD).map((file) => (base === '.' ? file : `${base}/${file}`))
  const more = found.length - told.length
  return {
    kind: 'result',
    envelope: succeeded({
      files: told,
      total: found.length,
      ...(more > 0 ? { not_shown: more } : {}),
      ...(cut ? { incomplete: `Only the first ${MAX_LISTED} files were looked at. Name a folder.` } : {}),
    }),
  }
}
