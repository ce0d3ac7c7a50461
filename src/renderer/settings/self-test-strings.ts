import { defineStrings } from '@shared/catalogue'
import type { CaseState, LastRun } from './self-test'

export const selfTest = defineStrings('self-test', {
  title: 'Security self-test',
  lead: 'Every attack that Satchel is tried against, with what must come of it. They are played by “npm run corpus” in a checkout, not by this page; the sandbox can be tried here at any time.',
  lastRun: 'Last run of the attacks',
  never: 'Not run',
  neverText: 'There is no result. Run “npm run corpus” and build Satchel again.',
  olderTitle: 'Satchel has changed since',
  olderText: 'The result below is about another version of its sources. Run “npm run corpus” again.',
  failedTitle: 'Attacks had their effect',
  allHeld: 'All that ran held',
  someFailed: (n: number) => `${n} failed`,
  counts: (held: number, all: number) => `${held} of ${all} held`,
  about: (day: string, { commit, platform, node, electron }: LastRun) =>
    [day, commit && `commit ${commit}`, platform, `Node ${node}`, electron && `Electron ${electron}`]
      .filter(Boolean)
      .join(', '),
  defences: 'Attacks with their defence taken out',
  defencesHint: 'Each must succeed then, or it proves nothing about that defence.',
  defencesTried: ({ tried, failed }: { tried: number; failed: number }) =>
    `${tried - failed} of ${tried} as they must be`,
  show: 'Show',
  all: 'All',
  open: 'What is not held',
  nothingOpen: 'Everything held.',
  columns: ['Attack', 'What must come of it', 'Proved by', 'Last run'],
  missing: (gap: string) => `Missing: ${gap}`,
  notProved: 'Nothing',
  states: {
    held: 'Held',
    failed: 'Failed',
    'not-run': 'Not run',
    'not-here': 'Can’t run here',
    'not-covered': 'Not covered',
  } satisfies Record<CaseState, string>,
  notHere: 'It needs the sandbox, which Satchel has on Linux only.',
})
