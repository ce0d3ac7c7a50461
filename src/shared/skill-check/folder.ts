import type { Diagnostic } from '../domain/skill'
import { checkFiles } from './check-files'
import { checkFrontmatter } from './check-frontmatter'
import { checkLinks } from './check-links'
import { checkMentions } from './check-mentions'
import { checkMergeMarks } from './check-merge'
import { checkNeeds } from './check-needs'
import { checkScripts } from './check-scripts'
import { checkTexts } from './check-text'
import { prepareFolder } from './checked-folder'
import type { FolderInput } from './folder-input'
import { createReport } from './report'

/**
 * The compatible validator: what a person should know about a skill's folder beyond what reading its SKILL.md already
 * told (`ux.md` 3.3, *Problems*). It refuses nothing: every finding is a warning or an information, with a sentence
 * on what to do; `RULES` explains each code. At most `MAX_PER_CODE` of a kind are listed. Never throws; the time grows
 * with the size of the texts, not with its square.
 */
export function checkFolder(input: FolderInput): Diagnostic[] {
  const folder = prepareFolder(input)
  const report = createReport()
  checkFrontmatter(folder, report)
  checkNeeds(folder, report)
  checkLinks(folder, report)
  checkMentions(folder, report)
  checkMergeMarks(folder, report)
  checkScripts(folder, report)
  checkFiles(folder, report)
  checkTexts(folder, report)
  return report.list()
}
