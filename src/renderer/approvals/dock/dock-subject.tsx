import type { FileEditPlan, RequestPlan } from '@shared/domain/approval'
import { Marked } from '../../ui/line-list'
import { visibleText } from '@shared/visible-text'
import { CommandLines } from '../review/command-lines'
import { DockBox } from './dock-box'
import { callText } from '../review/review-call'
import { words } from '../words'

/** What is asked for, in short: the command, the changed lines, or the call. */
export function DockSubject({ plan, onSeen }: { plan: RequestPlan; onSeen: (seen: boolean) => void }) {
  if (plan.kind === 'file_edit') {
    return (
      <DockBox label={words.exactChange} onSeen={onSeen}>
        <ChangedLines plan={plan} />
      </DockBox>
    )
  }
  if (plan.kind === 'mcp') {
    return (
      <DockBox label={words.exactCall} onSeen={onSeen}>
        {visibleText(callText(plan), '\n')}
      </DockBox>
    )
  }
  return (
    <DockBox label={words.exact} onSeen={onSeen}>
      <CommandLines argv={plan.argv} perLine={false} />
    </DockBox>
  )
}

const SIGN = { add: '+ ', del: '− ', same: '  ' }
const CLASS = { add: 'dock-add', del: 'dock-del', same: 't3' }

function ChangedLines({ plan }: { plan: FileEditPlan }) {
  return plan.diff.map((line) => (
    <span key={`${line.kind} ${line.before} ${line.after}`} className={CLASS[line.kind]}>
      {SIGN[line.kind]}
      <Marked shown={visibleText(line.text, '\t')} last />
      {'\n'}
    </span>
  ))
}
