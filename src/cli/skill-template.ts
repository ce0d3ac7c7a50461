/** What a new skill starts with. */
export type Template = 'blank' | 'script' | 'reference'

/** A file of a new skill. */
export interface TemplateFile {
  /** Relative to the skill, with /. */
  path: string
  text: string
  executable: boolean
}

export interface TemplateInput {
  /** A legal name. */
  name: string
  /** On one line; null: still to be written. */
  description: string | null
  template: Template
}

/** The files of a new skill; they pass both validators without an error. */
export function templateFiles({ name, description, template }: TemplateInput): TemplateFile[] {
  const about =
    description ??
    `Says in one sentence what ${name} does. Use when the words that people use for it come up.`
  const head = `---\nname: ${yamlText(name)}\ndescription: ${yamlText(about)}\n---\n\n# ${titleOf(name)}\n\n`
  const skillMd = { path: 'SKILL.md', text: head + BODIES[template], executable: false }
  return [skillMd, ...EXTRA[template]]
}

/** A text as a YAML value on one line: plain where that can't be misread, else in double quotes. */
export function yamlText(text: string): string {
  const plain = /^[\p{L}][\p{L}\p{N} .,;()/'+_-]*$/u.test(text) && !text.endsWith(' ')
  return plain && !SPECIAL.test(text) ? text : JSON.stringify(text)
}

/** Words that YAML reads as something else than a text. */
const SPECIAL = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i

function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const BODIES: Readonly<Record<Template, string>> = {
  blank: `Say what to do, step by step, as you would tell a colleague.

1. First step.
2. Second step.
`,
  script: `Run \`scripts/run.py\` with the file as its only argument. It prints the number of lines.

If it fails, show its message and stop.
`,
  reference: `Say what to do, step by step. Keep this page short; what is only needed at times belongs in a file of its own.

1. First step.
2. For the special cases read [the details](references/details.md).
`,
}

const SCRIPT = `#!/usr/bin/env python3
"""Prints the number of lines of a file."""

import sys


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: run.py FILE", file=sys.stderr)
        return 2
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        print(sum(1 for _ in file))
    return 0


if __name__ == "__main__":
    sys.exit(main())
`

const DETAILS = `# Details

What is only needed at times: formats, lists, longer examples.
`

const EXTRA: Readonly<Record<Template, readonly TemplateFile[]>> = {
  blank: [],
  script: [{ path: 'scripts/run.py', text: SCRIPT, executable: true }],
  reference: [{ path: 'references/details.md', text: DETAILS, executable: false }],
}
