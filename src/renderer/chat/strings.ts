import type { Scope } from '@shared/domain/skill'
import { PRICES_AS_OF } from '@shared/prices-as-of'
import { defineStrings } from '@shared/catalogue'
import { formatNumber, formatTokens, formFor, plural } from '../ui/format'

export const chat = defineStrings('chat', {
  you: 'You',
  agentMenu: 'Agent',
  newChatWith: 'New chat with',
  takeNewAgent: 'Use the new file',
  confirmTools: 'Confirm',
  byAgent: 'Always used by this agent',
  transcript: 'Transcript',
  activeSkills: 'Active skills',
  details: 'Details',
  addSkill: 'Add skill',
  unload: 'Unload',
  openSkill: 'Open skill',
  hideInspector: 'Hide details',
  showInspector: 'Show details',
  message: 'Message',
  modelWishLabel: 'Preferred model',
  modelWish: (model: string) => `prefers ${model}, which may cost more.`,
  modelElsewhere: {
    skill: (model: string) => `prefers ${model}: another provider, which would get this chat.`,
    agent: (model: string) => `prefers ${model}: another provider, which would get the tasks for it.`,
  },
  useModel: (model: string) => `Use ${model}`,
  keepModel: (model: string) => `Keep ${model}`,
  skillsToName: 'Skills and commands',
  forkOf: (name: string) => `Steps of ${name}`,
  prefers: (model: string, isKnown: boolean) =>
    isKnown ? `Prefers ${model}` : `Prefers ${model}, which is not available here`,
  answersNow: (model: string) => `${model} answers from here on`,
  placeholder: 'Write a message',
  send: 'Send',
  queue: 'Queue',
  stop: 'Stop',
  forceStop: 'Force stop',
  sendsAfter: 'Sends after this step',
  next: 'Next',
  latest: 'Jump to latest',
  waits: 'Waits for you',
  sendWaiting: 'Send now',
  unqueue: 'Remove from the queue',
  copyMessage: 'Copy message',
  edit: 'Edit',
  editMessage: 'Edit message',
  editKeeps: 'What followed stays as another branch.',
  retry: 'Retry',
  cancel: 'Cancel',
  stopFirst: 'The agent is at work. Stop it first.',
  previousBranch: 'Previous branch',
  nextBranch: 'Next branch',
  noBranch: 'There is no other in this direction.',
  branchOf: (at: number, count: number) =>
    `${formatNumber(at)} of ${plural(count, { one: 'branch', other: 'branches' })}`,
  copyOutput: 'Copy output',
  stopped: 'Stopped',
  interrupted: 'Interrupted',
  resume: 'Continue',
  resumeQueued: 'Continue with your next message',
  tryAgain: 'Try again',
  context: 'Context',
  compact: 'Compact',
  compactNow: 'Compact now',
  aboutCompact: 'Summarises older messages; they stay in the chat.',
  compactAndTry: 'Compact and try again',
  compacting: 'Compacting…',
  compactWhileBusy: 'The agent is working. Stop it first, or wait until it has finished.',
  showOriginal: 'Show original',
  hideOriginal: 'Hide original',
  compacted: (before: number, after: number) =>
    `Earlier messages were summarised. ≈${formatNumber(before)} → ≈${formatTokens(after)}`,
  nearlyFull: (percent: number) =>
    `This chat fills ${percent} % of what the model holds. Older messages can be summarised; they stay in the chat.`,
  full: (used: number, window: number, skill: string | undefined) =>
    `This model holds ${formatTokens(window)}; this chat has ${formatNumber(used)}. ${
      skill ? `Compact, unload ${skill}, or switch model.` : 'Compact, or switch model.'
    }`,
  skillsHere: 'Skills in this chat',
  laterWins: 'If two skills disagree, the one lower in this list wins.',
  noSkillsHere: 'No skill is loaded. The agent loads one when a message fits its description.',
  follow: 'Follow',
  showAll: 'Show all output',
  showMore: 'Show more',
  showLess: 'Show less',
  noOutput: 'No output',
  stderr: 'stderr',
  inputLabel: 'Answer the script',
  fullScreen: 'Full-screen program',
  fullScreenHint: 'While it has the focus, the program gets every key. Shift+Esc leaves it.',
  pasteLines: (lines: number) =>
    `Paste ${lines} ${formFor(lines, { one: 'line', other: 'lines' })} into the program?`,
  pasteLinesText: 'It may act on each line at once.',
  paste: 'Paste',
  dontPaste: 'Don’t paste',
  stopScript: 'Stop script',
  queued: 'Messages that wait',
  nothingToAdd: 'Every skill is already in this chat',
  changedOnDisk: 'changed on disk',
  takeNewer: 'Take the newer version',
  copyOf: {
    enterprise: (location: string) => `your organisation’s copy (${location})`,
    project: (location: string) => `another copy in the project (${location})`,
    personal: (location: string) => `your personal copy (${location})`,
    shared: (location: string) => `your personal copy (${location})`,
    plugin: (location: string) => `a plugin’s copy (${location})`,
    bundled: () => 'the copy that comes with Satchel',
  } satisfies Record<Scope, (location: string) => string>,
  tokensFrom: (scope: string) => `tokens, ${scope}`,
  folderGone: (dir: string) =>
    `The folder ${dir} is gone. Put it back to go on working in this chat; everything said here is kept.`,
  fullOutput: 'Full output',
  review: 'Review',
  folder: 'Folder',
  sandbox: 'Sandbox',
  noSandbox: 'none',
  started: 'Started',
  ended: 'Ended',
  signal: 'Signal',
  printed: 'Printed',
  copyUsed: 'Copy used',
  change: 'What changed',
  newContents: 'New contents',
  skill: 'Skill',
  exactText: 'The exact text that the agent got',
  thought: (streaming: boolean) => (streaming ? 'Thinking' : 'Thought'),
  modelMenu: 'Model',
  modeMenu: 'Mode',
  modeOfAgent: 'As the agent says',
  modes: {
    ask: { name: 'Ask', hint: 'your rules count' },
    'every-time': { name: 'Ask every time', hint: 'no rule allows' },
    never: { name: 'Never run scripts', hint: 'refused at once' },
  },
  openSettings: 'Set up providers…',
  tryWord: 'Try',
  tryThese: 'Try one of your skills',
  /** `instructions` is the name of a file. */
  notTrusted: (skills: number, agents: number, instructions: string | null) => {
    const all = [
      skills && plural(skills, { one: 'skill', other: 'skills' }),
      agents && plural(agents, { one: 'agent', other: 'agents' }),
      instructions,
    ].filter(Boolean)
    const last = all.pop()
    return `Not trusted. ${all.length > 0 ? `${all.join(', ')} and ${last}` : last} inactive.`
  },
  reviewTrust: 'Review…',
  trustTitle: (name: string) => `Trust ${name}?`,
  trustText:
    'The agent sees these skills once you trust the folder. Their scripts still ask before each run. Trust a folder only if you know who wrote it.',
  trust: 'Trust folder',
  keepInactive: 'Keep inactive',
  trustInstructions: (file: string) =>
    `Once you trust the folder, its ${file} is sent to the model with every message.`,
  noProjectSkills: 'This folder brings no skills now. Skills added later would become active.',
  scripts: (n: number) => plural(n, { one: 'script', other: 'scripts' }),
  catalogue: (entries: number, omitted: number, tokens: number) =>
    omitted > 0
      ? `Catalogue: ${formatNumber(entries)} of ${plural(entries + omitted, { one: 'skill', other: 'skills' })}, ${formatTokens(tokens)}`
      : `Catalogue: ${plural(entries, { one: 'skill', other: 'skills' })}, ${formatTokens(tokens)}`,
  loadedAt: (step: number) => (step > 0 ? `Loaded at step ${formatNumber(step)}` : 'Loaded by you'),
  ofMax: (n: number, max: number) => `${n} of ${max}`,
  limitReached: (max: number) => `${max} of ${max}. Unload one to add another.`,
  used: (used: number, window: number, counted: boolean) =>
    `${counted ? '' : '≈'}${formatNumber(used)} of ${formatNumber(window)}`,
  countedHint: 'As the provider counted the last call',
  estimatedHint: 'Estimated',
  whatModelSaw: 'What the model saw',
  cost: 'Cost',
  dollars: (usd: number, unpriced: number) =>
    usd === 0 && unpriced > 0 ? 'price not known' : `≈$${usd.toFixed(usd < 1 ? 4 : 2)}`,
  tokensInOut: (input: number, output: number) => `${formatTokens(input)} in, ${formatNumber(output)} out`,
  pricesAsOf: `By the list prices of ${PRICES_AS_OF} that come with Satchel, which nobody verified. Your provider’s bill counts.`,
  estimatedCalls: (n: number) =>
    `The provider did not count ${plural(n, { one: 'call', other: 'calls' })} to the end: what was sent is part of the sum by an estimate.`,
  unpriced: (n: number) =>
    `The price of ${plural(n, { one: 'answer is', other: 'answers are' })} not known and not part of the sum.`,
  usedSpoken: (percent: number) => `Context ${percent} percent used, estimated`,
  retrying: (reason: string, seconds: number) =>
    seconds > 0 ? `${reason}. Trying again in ${seconds} s` : `${reason}. Trying again`,
  earlierLines: (n: number | null) =>
    n === null ? '… earlier lines' : `… ${plural(n, { one: 'earlier line', other: 'earlier lines' })}`,
  answering: (who: string) => `${who} is answering`,
  answered: (words: number) => `Answer finished, ${plural(words, { one: 'word', other: 'words' })}`,
  meter: {
    rules: 'Agent and rules',
    catalogue: 'Skill catalogue',
    activeSkills: 'Active skills',
    filesRead: 'Skill files read',
    conversation: 'Conversation',
  },
  agentHead: {
    sha: (value: string, hash: string) => `${value}, sha256 ${hash}`,
  },
  changedFile: {
    beforeTheRun: 'Before the run',
    afterIt: 'After it',
    now: 'Now',
  },
  skillsBar: {
    sha: (hash: string) => `sha256 ${hash}`,
    moreNameOneIn: (count: number) => `${formatNumber(count)} more: name one in your message.`,
  },
})

/** A model's name without its provider. */
export function bareModel(ref: string): string {
  return ref.slice(ref.indexOf('/') + 1)
}
