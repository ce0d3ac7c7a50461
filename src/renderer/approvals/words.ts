import type { RequestDetail, RequestPlan } from '@shared/domain/approval'
import { plural } from '../ui/format'

/** Texts of the dock, the review and the list, in one place (`ux.md` 5.8). */
export const words = {
  from: 'from',
  waitingFor: (place: string, time: string) => `${place}, waiting ${time}`,
  next: 'Next request',
  nextElsewhere: 'Next request, in another chat',
  previous: 'Previous request',
  group: (n: number, of: number) => `Approval needed, ${n} of ${of}`,
  place: (n: number, of: number) => `${n} of ${of}`,
  requestPlace: (n: number, of: number) => `Request ${n} of ${of}`,
  showAll: 'Show all',
  showFirst: ({ kind }: RequestPlan) => `Show the whole ${SHOWN[kind] ?? 'command'} to allow it`,
  scrollToEnd: ({ kind }: RequestPlan) => `Scroll to the end of the ${SHOWN[kind] ?? 'command'} to allow`,
  showLess: 'Show less',
  reviewToAllow: 'Review to allow',
  deny: 'Deny…',
  denyWhy: 'Deny and tell the agent why…',
  allow: 'Allow once',
  later: 'Decide later',
  paused: 'The agent is paused until you decide.',
  checkBelow: (n: number) => (n === 1 ? '1 thing to check below' : `${n} things to check below`),
  soon: 'Ready in a moment',
  networkOff: 'network off',
  networkOn: 'network on',
  notSandboxed: 'not sandboxed',
  changed: (added: number, removed: number) =>
    `Script changed since you last allowed it (+${added} −${removed})`,
  restored: 'Restored, will be checked again before it runs',
  reasonLabel: 'Reason for the agent',
  reasonHint: 'The agent reads this as the answer to its request.',
  denyNow: 'Deny',
  denyStop: 'Deny and stop the turn',
  keep: 'Back',
  exact: 'Exact command',
  exactChange: 'Exact change',
  exactCall: 'Exact call',
  claimed: 'Claimed by the server',
  noClaims: 'The server claims nothing about this tool.',
  about: 'What it is about',
  callAnswer:
    'The answer of the server goes to the agent. What the server does with the call can’t be seen from here.',
  editExact: 'The file gets exactly these lines. If it changes before that, nothing is written.',
  lines: (added: number, removed: number) => `+${added} −${removed}`,
  changesSince: (day: string) => `Changes since ${day}`,
  changesNow: 'Changes since you looked',
  whole: 'Whole script',
  others: 'Other files in skill',
  firstTime: 'First time this script is asked for',
  sameCopy: 'Unchanged since you last allowed it',
  wrap: 'Wrap lines',
  exactCopy: {
    same: 'Exactly this copy runs. If the skill changes before you allow, you are asked again.',
    changed: 'This is what the agent asked for. It runs only if the skill is like this again.',
    gone: 'This is what the agent asked for. It can’t run while the folder is gone.',
  } satisfies Record<RequestDetail['onDisk'], string>,
  check: 'What to check',
  reach: 'What it can reach',
  secrets: 'Secrets it asks for',
  secretValue: '(a secret)',
  giveSecret: 'Give to this skill',
  undoLooking: 'Looking at the files that it could change…',
  undoKept: (files: number) =>
    files === 0
      ? 'New files can be removed again'
      : `Copies of ${plural(files, 'file', 'files')} are kept, so changes can be taken back`,
  before: 'Before',
  noFindings: 'No findings.',
  rules: ({ kind }: RequestPlan) =>
    `Checked by ${kind === 'file_edit' || kind === 'mcp' ? '' : '19 '}fixed rules. A clean result doesn’t mean safe.`,
  showLine: 'Show line',
  changedOnDisk:
    'The skill changed on disk. You are looking at what the agent asked for. If you allow it now, nothing runs and you are asked again.',
  folderGone: 'The folder of this skill is gone',
  folderGoneText: 'Its script can’t run without it. Put the folder back to allow, or deny the request.',
  restoredTitle: 'Restored',
  restoredText:
    'This request waited while Satchel was closed. It will be checked again before anything runs.',
  staleTitle: 'It changed before your click, so nothing ran',
  staleText: 'This is the request as it is now. Look at what changed, then decide again.',
  revisedTitle: 'The request changed while you looked',
  revisedText: 'You see it as it is now. Anything you ticked must be ticked again.',
  gone: 'This request is no longer waiting. The chat says why.',
  binary: (size: string, hash: string) =>
    `Can’t show it. ${size}, not text. sha256 ${hash}. If you don’t know this file, deny the request.`,
  noScript: 'There is no script file: the command above is all that runs.',
  empty: 'Nothing is waiting.',
  emptyMore:
    'When an agent asks to run a script or to change a file, the request appears here and in its chat.',
}

/** What must be on the screen to its end, where that is no command. */
const SHOWN: Partial<Record<RequestPlan['kind'], string>> = { file_edit: 'change', mcp: 'call' }

export const QUICK_REASONS = ['Wrong target', 'Not needed', 'Show me first', 'Use another way'] as const
