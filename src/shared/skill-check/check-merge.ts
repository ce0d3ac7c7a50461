import type { CheckedFolder } from './checked-folder'
import type { Finding, Report } from './report'

/** The marks of Git in the instructions; examples stand in fenced code. The frontmatter's are told when it is read. */
export function checkMergeMarks({ bodyLines }: CheckedFolder, report: Report): void {
  let isOpen = false
  for (const { text, line, fenced } of bodyLines) {
    if (fenced || !/^(?:<{7}|>{7})(?: |$)/.test(text)) continue
    // A block is told at its first mark.
    if (!isOpen || text.startsWith('<')) report.add(FINDING, { line })
    isOpen = text.startsWith('<')
  }
}

const FINDING: Finding = {
  code: 'merge-marks',
  severity: 'warning',
  message: 'The instructions hold the marks of a merge conflict, so an agent reads two versions.',
  fix: 'Keep one of the two versions and delete the lines with <<<<<<<, ======= and >>>>>>>.',
}
