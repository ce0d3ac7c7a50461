/** Lines of the SKILL.md in which is typed. */
export const LONG_LINES = 2000

/** A SKILL.md of 2,000 lines, the same each time. */
export function longSkillMd(): string {
  const head = [
    '---',
    'name: long-skill',
    'description: Answers questions about long files. Use when asked about one.',
    '---',
    '',
    '# Long files',
  ]
  const body = Array.from({ length: LONG_LINES - head.length }, (_, n) => {
    if (n % 40 === 0) return `## Part ${n / 40 + 1}`
    if (n % 9 === 0) return ''
    return n % 5 === 0
      ? `- Step ${n}: look at \`part-${n}.md\` and **note** what it says.`
      : `Line ${n} says what to do with the file when it has more than ${n} pages.`
  })
  return `${[...head, ...body].join('\n')}\n`
}
