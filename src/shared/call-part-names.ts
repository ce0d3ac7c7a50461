import type { CallPart } from './domain/context'

/** What people call the parts of a model call, in the window and in the command (G6). */
export const CALL_PART_NAMES: Readonly<Record<CallPart, string>> = {
  role: 'Role',
  tools: 'Tool rules',
  skills: 'Skill rules',
  project: 'Project instructions',
  catalogue: 'Skill catalogue',
  active: 'Active skills',
  overrides: 'Last instructions',
  summary: 'How to summarise',
  'tool-list': 'Tools',
  'files-read': 'Skill files read',
  conversation: 'Conversation',
}
