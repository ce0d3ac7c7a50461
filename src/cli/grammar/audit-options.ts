import { AuditView } from '@shared/domain/audit'
import type { OptionSpec } from './command'

/** Options that narrow the record, the same for list and export. */
export const AUDIT_OPTIONS: readonly OptionSpec[] = [
  { name: 'view', value: 'view', choices: AuditView.options, help: 'Only entries of one kind.' },
  { name: 'event', value: 'name', help: 'Only this event: run.finished.' },
  {
    name: 'since',
    value: 'time',
    help: 'From this day or time on, or from so long ago: 2026-11-03, 7d, 12h.',
  },
  { name: 'until', value: 'time', help: 'Before this day or time.' },
  { name: 'skill', value: 'name', help: 'About one skill.' },
  { name: 'agent', value: 'name', help: 'In chats with one agent.' },
  { name: 'project', value: 'dir', help: 'In chats of one project.' },
  { name: 'chat', value: 'id', help: 'In one chat.' },
  { name: 'person', value: 'name', help: 'Under one account of this computer.' },
  {
    name: 'decision',
    value: 'how',
    choices: ['allowed', 'rule', 'denied', 'unanswered'],
    help: 'Decisions of one kind.',
  },
  { name: 'result', value: 'how', choices: ['succeeded', 'failed'], help: 'Runs that ended so.' },
  { name: 'hash', value: 'sha256', help: 'With a hash or digest that begins so.' },
]
