import { AppError, isNoSpace } from '@shared/errors'
import type { Rules } from '../approvals/rules/rules'
import type { Audit } from '../audit/audit'
import { exportTo } from '../audit/export'

/** Writes the person's rules into a file, whole or not at all, and gives their number. That it was done is on record. */
export async function exportRules(
  { rules, audit }: { rules: Pick<Rules, 'exportFile'>; audit: Audit },
  path: string,
): Promise<number> {
  const { text, count } = rules.exportFile()
  try {
    await exportTo(path, [{ text, rows: count }], async () => undefined)
  } catch (error) {
    if (isNoSpace(error)) throw error
    throw new AppError(
      'bad_input',
      "The file can't be written there. Choose another folder. Nothing was saved.",
    )
  }
  const data = { path, rows: count, format: 'json' }
  audit.append({ actor: 'person', action: 'export.made', sessionId: null, target: 'rules', data })
  return count
}
