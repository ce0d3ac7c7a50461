import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import type { Extension } from '@codemirror/state'
import { FIELDS } from '@shared/skill-md/field-table'

/** Tools that `allowed-tools` may name: Satchel's own and those of the common agents. */
export const TOOL_NAMES = [
  'Read',
  'Write',
  'Edit',
  'Glob',
  'Grep',
  'Bash',
  'Bash(git:*)',
  'Bash(python3:*)',
  'WebFetch',
  'WebSearch',
  'Task',
  'skills_run_script',
] as const

const FIELD_OPTIONS: Completion[] = Object.entries(FIELDS)
  .filter(([key]) => !key.includes('.'))
  .map(([key, { what, use }]) => ({
    label: key,
    apply: `${key}: `,
    detail: use === 'acts' ? '' : use,
    info: what,
    type: 'property',
  }))

const TOOL_OPTIONS: Completion[] = TOOL_NAMES.map((label) => ({ label, type: 'keyword' }))

/** Fields and tools in the frontmatter, paths of the skill behind `](` and in backticks. */
export function skillCompletion(files: () => readonly string[]): Extension {
  return EditorState.languageData.of(() => [
    { autocomplete: (context: CompletionContext) => complete(context, files()) },
  ])
}

export function complete(context: CompletionContext, files: readonly string[]): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos)
  const before = line.text.slice(0, context.pos - line.from)
  if (isInFrontmatter(context.state, line.number)) return inFrontmatter(context, before)
  const path = /(?:\]\(|`)([\w./-]*)$/.exec(before)?.[1]
  if (path === undefined || (path === '' && !context.explicit)) return null
  const options = files.map((label): Completion => ({ label, type: 'text' }))
  return { from: context.pos - path.length, options, validFor: /^[\w./-]*$/ }
}

function inFrontmatter(context: CompletionContext, before: string): CompletionResult | null {
  const tool = /^(?:allowed|disallowed)[-_]?tools\s*:.*?([\w()*:]*)$/i.exec(before)?.[1]
  if (tool !== undefined) {
    return { from: context.pos - tool.length, options: TOOL_OPTIONS, validFor: /^[\w()*:]*$/ }
  }
  const key = /^([\w-]*)$/.exec(before)?.[1]
  if (key === undefined || (key === '' && !context.explicit)) return null
  const known = new Set(keysOf(context.state))
  const options = FIELD_OPTIONS.filter(({ label }) => label === key || !known.has(label))
  return { from: context.pos - key.length, options, validFor: /^[\w-]*$/ }
}

function keysOf(state: EditorState): string[] {
  const keys: string[] = []
  for (let at = 2; at <= state.doc.lines; at += 1) {
    const { text } = state.doc.line(at)
    if (/^---\s*$/.test(text)) break
    const key = /^([\w-]+)\s*:/.exec(text)?.[1]
    if (key !== undefined) keys.push(key)
  }
  return keys
}

/** Between the first line, which is a fence, and the next one. */
function isInFrontmatter(state: EditorState, line: number): boolean {
  if (line < 2 || !/^---\s*$/.test(state.doc.line(1).text)) return false
  for (let at = 2; at < line; at += 1) if (/^---\s*$/.test(state.doc.line(at).text)) return false
  return true
}
