import type { SkillSummary } from '@shared/domain/skill'
import type { SkillEntry } from '../record'

/** A row of the list. */
export function summaryOf({
  record,
  status,
  statusReason,
  byPolicy,
  byHand,
  shadowedBy,
  pinned,
}: SkillEntry): SkillSummary {
  const { root } = record
  return {
    key: record.key,
    name: record.name,
    description: record.description,
    scope: record.scope,
    location: record.location,
    status,
    statusReason,
    ...(byPolicy ? { byPolicy } : {}),
    ...(byHand ? { byHand } : {}),
    ...(shadowedBy ? { shadowedBy } : {}),
    tokens: record.tokens,
    scripts: record.scripts,
    files: record.files,
    problems: record.problems,
    changedAt: record.changedAt,
    hiddenFromModel: record.disableModelInvocation,
    userInvocable: record.userInvocable,
    label: record.label,
    tags: record.tags,
    tools: record.allowedTools,
    ...(record.author === undefined ? {} : { author: record.author }),
    ...(record.license === undefined ? {} : { license: record.license }),
    ...(root.plugin ? { package: root.plugin.name } : {}),
    ...(root.tool ? { tool: root.tool.name } : {}),
    readOnly: root.readOnly,
    ...(record.parent === null ? {} : { parent: record.parent }),
    pinned,
  }
}
