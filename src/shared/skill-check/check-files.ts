import { containRelative } from '../paths'
import { foldPath } from './checked-folder'
import type { CheckedFolder } from './checked-folder'
import type { Report } from './report'

const MAX_BYTES = 8_000_000
const MAX_FILES = 1000
const ENV_FILE = /(?:^|\/)\.env(?:\.(?!example|sample|template|dist|default)[\w-]+)?$/i

/** The list of files: size, names, what should not have been shared. */
export function checkFiles(folder: CheckedFolder, report: Report): void {
  checkSize(folder, report)
  checkAlike(folder, report)
  for (const { path } of folder.files) {
    if (ENV_FILE.test(path)) addEnvFile(report, path)
    if (!isReadable(path)) addUnreadable(report, path)
  }
}

function checkSize({ files, filesCut }: CheckedFolder, report: Report): void {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > MAX_BYTES) {
    report.add({
      code: 'skill-large',
      severity: 'warning',
      message: `The skill has ${(bytes / 1_000_000).toFixed(1)} MB; other clients stop at 8 MB.`,
      fix: 'Leave out what can be made or fetched again.',
    })
  }
  if (filesCut === true || files.length > MAX_FILES) {
    report.add({
      code: 'many-files',
      severity: 'warning',
      message: `The skill has more than ${MAX_FILES} files.`,
      fix: 'Move what agents need not open into an archive, or out of the skill.',
    })
  }
}

/** Names that are one name on some systems: there only one of the files survives a copy. */
function checkAlike({ files }: CheckedFolder, report: Report): void {
  const first = new Map<string, string>()
  for (const { path } of files) {
    const other = first.get(foldPath(path))
    if (other === undefined) first.set(foldPath(path), path)
    else {
      report.add(
        {
          code: 'file-names-alike',
          severity: 'warning',
          message: `"${other}" and "${path}" differ only by case or by how letters are composed.`,
          fix: 'Rename one of them: on macOS and Windows they are the same file.',
        },
        { file: path },
      )
    }
  }
}

function addEnvFile(report: Report, path: string): void {
  report.add(
    {
      code: 'env-file',
      severity: 'warning',
      message: `"${path}" usually holds secrets and should not be part of a skill.`,
      fix: 'Delete it, replace the secrets in it by new ones, and name the variables in the instructions.',
    },
    { file: path },
  )
}

function isReadable(path: string): boolean {
  try {
    containRelative(path)
    return true
  } catch {
    return false // the reason is for the one who asks for the file; here the name is the problem
  }
}

function addUnreadable(report: Report, path: string): void {
  report.add(
    {
      code: 'file-name-refused',
      severity: 'warning',
      message: `${JSON.stringify(path.slice(0, 120))} can't be read by its name, which means something else elsewhere.`,
      fix: 'Rename it: no colon, backslash, "%2e" or "..", and no dot or space at the end.',
    },
    { file: path },
  )
}
