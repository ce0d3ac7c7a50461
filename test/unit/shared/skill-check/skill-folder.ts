import { checkFolder } from '@shared/skill-check/folder'
import type { CheckedFile, CheckEnvironment, CheckedLink } from '@shared/skill-check/folder-input'
import type { FolderCode } from '@shared/skill-check/rules'
import { parseSkillMd } from '@shared/skill-md'

/** A skill in memory: what is not given is in order. */
export interface Sketch {
  /** Lines of the frontmatter beside the name; a good description when none is given. */
  front?: string[]
  body?: string
  folderName?: string
  /** Text by path; null for a binary file. */
  files?: Record<string, string | null>
  executable?: string[]
  sizes?: Record<string, number>
  filesCut?: boolean
  links?: CheckedLink[]
  environment?: Partial<CheckEnvironment>
}

/** A bad example of a rule and its good twin. */
export interface Examples {
  bad: Sketch
  good: Sketch
  /** Line of the finding, where it has one. */
  line?: number
  file?: string
}

export type RuleRow = readonly [FolderCode, Examples]

const EVERYTHING: CheckEnvironment = {
  hasProgram: () => true,
  hasVariable: () => true,
  interpreterFor: () => true,
  os: 'linux',
  knownTools: ['Read', 'Write', 'Bash', 'Grep'],
}

export function skillMdOf({ front = [], body = 'Do it.' }: Sketch): string {
  const fields = ['name: pdf-tools', ...front]
  if (!front.some((line) => line.startsWith('description'))) {
    fields.push('description: Reads PDF files. Use when a person asks for their text.')
  }
  return `---\n${fields.join('\n')}\n---\n\n${body}\n`
}

export function check(sketch: Sketch) {
  const folderName = sketch.folderName ?? 'pdf-tools'
  const text = skillMdOf(sketch)
  const files = Object.entries({ 'SKILL.md': text, ...sketch.files }).map(([path, content]): CheckedFile => {
    const size = sketch.sizes?.[path] ?? content?.length ?? 1000
    const file = { path, size, executable: sketch.executable?.includes(path) ?? false }
    return content === null
      ? { ...file, head: null }
      : { ...file, head: content.slice(0, 256), text: content }
  })
  return checkFolder({
    skill: parseSkillMd(text, { folderName }),
    folderName,
    files,
    filesCut: sketch.filesCut ?? false,
    links: sketch.links ?? [],
    environment: { ...EVERYTHING, ...sketch.environment },
  })
}

export const codesOf = (sketch: Sketch): string[] => [...new Set(check(sketch).map(({ code }) => code))]
