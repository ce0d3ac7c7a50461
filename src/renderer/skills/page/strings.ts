import type { FieldUse } from '@shared/skill-md/field-table'
import type { DisclosureStyle } from '@shared/domain/settings'
import type { SecretWish } from '@shared/domain/secret'
import type { ComparedFile } from '@shared/domain/skill'
import { KEPT_DAYS, KEPT_MB } from '@shared/domain/skill-page'
import type { SkillUsage, SkillVersion } from '@shared/domain/skill-page'
import type { LensEffect } from '@shared/lens/rules'
import { defineStrings } from '@shared/catalogue'
import { formatNumber, formatTokens, plural } from '../../ui/format'
import type { PageTab } from './skill-address'

type Use = Pick<SkillUsage['last'][number], 'kind' | 'script' | 'status' | 'exitCode'>

const ENDS = defineStrings('ends of runs', {
  exit: (code: number | null) => `exit ${code ?? 'unknown'}`,
  words: {
    running: 'running',
    timed_out: 'out of time',
    killed: 'stopped',
    interrupted: 'interrupted',
    sandbox_failed: 'the sandbox failed',
  },
})

/** How a run ended. */
export function runWords(status: string | null, exitCode: number | null): string {
  const words: Readonly<Record<string, string>> = ENDS.words
  return words[status ?? ''] ?? ENDS.exit(exitCode)
}

/** Words of a skill's page. */
export const page = defineStrings('skill page', {
  reading: 'Reading the skill…',
  tabs: {
    overview: 'Overview',
    edit: 'Edit',
    files: 'Files',
    scripts: 'Scripts',
    problems: 'Problems',
    source: 'Source and versions',
    usage: 'Usage',
    agent: 'What the agent sees',
    where: 'Where it works',
  } satisfies Record<PageTab, string>,
  instructions: 'Instructions',
  noBody: 'SKILL.md has no instructions after its header.',
  files: 'Files',
  script: 'script',
  filesCut: 'Only the first 200 files are listed.',
  header: 'Header',
  noHeader: 'SKILL.md has no readable header.',
  use: { acts: 'used', shows: 'shown', keeps: 'kept, not used' } satisfies Record<FieldUse['use'], string>,
  imageNotRead: (path: string) => `${path} couldn’t be read`,
  notThere: (name: string) =>
    `The skill ${name} isn’t there any more. Its folder was moved, renamed or deleted.`,
  followed: (was: string, now: string) =>
    `Another program renamed or moved ${was}: its folder is ${now} now. The page follows it, and so does what you typed.`,
  toList: 'Show all skills',
  copyLink: 'Copy link',
  copied: 'Link copied',
  lineOf: (file: string, line: number) => `${file}:${line}`,
  agent: {
    notSeen: 'No agent sees this copy now',
    hidden: 'Agents are not offered it; you can still use it by its name.',
    styles: 'Disclosure style',
    style: {
      runtime: 'Runtime',
      compact: 'Compact',
      'get-skill': 'get_skill',
      'read-skill': 'read_skill',
      'agent-skill-read': 'agent_skill_read',
      'skill-tool': 'Skill tool',
    } satisfies Record<DisclosureStyle, string>,
    isDefault: 'Agents that say nothing about it are told of skills in this style.',
    isOther: 'Only agents that ask for this style are told of skills so.',
    always: '1. Always in context',
    loaded: '2. When loaded',
    opened: '3. Only if the agent opens them',
    entryCost: (tokens: number) => `≈${formatTokens(tokens)} for this skill`,
    fixedCost: 'the same text whatever skills there are',
    loadedCost: (tokens: number, advised: number) =>
      `≈${formatNumber(tokens)} of ${formatTokens(advised)} advised`,
    listInInstructions:
      'In the instructions of every call, beside the other skills. Shown as if it were the only one.',
    listInTool: (tool: string) =>
      `In the description of the tool ${tool}, beside the other skills. Shown as if it were the only one.`,
    bodyInInstructions: 'A block of the instructions of every call while the skill is active.',
    bodyInResult: (tool: string) => `The result of the call of ${tool}, as it is sent.`,
    noFiles: 'There are no other files.',
    notCounted: 'not text',
    scripts: (count: number) =>
      `${plural(count, { one: 'script is', other: 'scripts are' })} run, never read`,
  },
  scripts: {
    none: 'This skill has no scripts.',
    blocked: 'None of its scripts can run',
    cut: 'Only the first 100 scripts are listed.',
    language: 'Language',
    interpreter: 'Runs with',
    noInterpreter: 'No program for it was found',
    lines: 'Lines',
    noText: 'It is not text, so it can’t be shown.',
    firstAllowed: 'First allowed',
    lastAllowed: 'Last allowed',
    neverAllowed: 'Never: its first run asks you',
    allowed: (ago: string, byRule: boolean) => `${ago}, ${byRule ? 'by a rule' : 'by you'}`,
    isNow: 'for these bytes',
    isOther: 'for other bytes: it asks again',
    findings: (count: number) =>
      count === 0 ? 'Findings' : plural(count, { one: 'finding', other: 'findings' }),
    findingsLabel: 'Findings',
    noFindings: `No findings. It was checked by fixed rules, which know no more than they look for.`,
    showLine: (line: number) => `Show line ${line}`,
    runs: 'Last runs',
    counts: (total: number, succeeded: number) =>
      total === 0
        ? 'It never ran.'
        : `${plural(total, { one: 'run', other: 'runs' })}, ${formatNumber(succeeded)} succeeded.`,
    rules: 'Rules about it',
    noRules: 'No rule names it.',
    ruleOff: '(turned off)',
    text: 'Text',
    textCut: 'Only its first part is shown.',
  },
  problems: {
    lenient: 'As Satchel reads it',
    lenientIntro:
      'Nothing is refused for its looks: what can be understood is used, and what is odd is said.',
    none: 'No problems found in this skill.',
    fix: 'Fix…',
    strict: 'By the format, to the letter',
    strictIntro: 'The sentences of the reference validator, where it follows the written format.',
    reference: 'By the reference validator itself',
    referenceIntro: 'It also refuses some things that the format allows.',
    valid: 'Valid',
    error: 'Error',
  },
  fix: {
    title: (path: string) => `Change ${path}?`,
    cancel: 'Cancel',
    write: 'Write this change',
    changes: 'Changes',
    stale: 'The file changed meanwhile, so nothing was written. This is the change to what is there now.',
    unsaved: 'There is unsaved text of this file in the editor. Save or discard it there first.',
    gone: 'This problem is not in the file any more.',
  },
  versions: {
    title: 'Contents seen so far',
    intro: `Kept from the first time that this page is opened, or the skill is loaded, run, saved here or changed on disk while Satchel runs. What was never loaded or run is kept for ${KEPT_DAYS} days, up to ${KEPT_MB} MB for all skills together.`,
    how: {
      page: 'Seen on this page',
      disk: 'Changed on disk',
      kept: 'Before a save here',
      saved: 'Saved in Satchel',
      loaded: 'Loaded into a chat',
      ran: 'A script ran',
      restored: 'Brought back',
    } satisfies Record<SkillVersion['how'], string>,
    isNow: 'Now on disk',
    now: 'Now on disk',
    size: (files: number, bytes: string) => `${plural(files, { one: 'file', other: 'files' })}, ${bytes}`,
    notKept: 'only the digest is known',
    restore: 'Bring back…',
    restoreTitle: (name: string) => `Bring back earlier contents of ${name}?`,
    restoreIntro:
      'This is what would change. What is there now is kept as a version first, so this can be taken back. Scripts ask again.',
    restoreNow: 'Bring back',
    restored: 'Brought back',
    compare: 'Compare',
    before: 'Before',
    after: 'After',
    onlyOne: 'There is nothing to compare with yet.',
    same: 'Both have the same files.',
    files: 'Files that differ',
    state: {
      same: 'same',
      differs: 'changed',
      mode: 'may be executed or not',
      'left-only': 'removed',
      'right-only': 'added',
      'not-compared': 'not compared',
    } satisfies Record<ComparedFile['state'], string>,
    modeOnly: 'The same bytes; only whether it may be executed differs.',
    noText: 'It is not text, or larger than 1 MB, so its lines can’t be compared.',
    changesOf: (path: string) => `Changes of ${path}`,
  },
  secrets: {
    title: 'Secrets it asks for',
    intro: 'What you give goes to these contents of the skill alone. It allows no run: each still asks.',
    give: 'Give',
    takeBack: 'Take back',
    state: {
      given: 'Given',
      'not-given': 'Not given',
      other: 'Given before a file changed: runs don’t get it',
      missing: 'There is no secret of that name: Settings, Tools adds one',
      refused: 'Never given: it could make other code run',
    } satisfies Record<SecretWish['state'], string>,
  },
  usage: {
    intro: 'Counted from the record on this computer. Nothing of it leaves it.',
    unused: (days: number) =>
      `Not used in the last ${plural(days, { one: 'day', other: 'days' })}. Turned off, it would cost nothing in the catalogue.`,
    activeIn: 'Active now in',
    last: 'Last uses',
    never: 'This copy was never loaded, and none of its scripts ran.',
    neverShort: 'Never',
    loads: 'Loaded',
    runs: 'Scripts run',
    success: 'Succeeded',
    rate: (succeeded: number, ended: number) =>
      ended === 0
        ? 'none has ended'
        : `${Math.round((succeeded / ended) * 100)} % (${formatNumber(succeeded)} of ${formatNumber(ended)})`,
    denied: 'Denied',
    chats: 'Chats',
    median: 'Tokens of a load',
    tokens: (tokens: number) => `≈${formatNumber(tokens)} (median)`,
    lastUsed: 'Last used',
    use: ({ kind, script, status, exitCode }: Use) =>
      kind === 'load' ? 'Loaded' : `Ran ${script}, ${runWords(status, exitCode)}`,
    inChat: (title: string, step: number | null) =>
      step === null || step === 0 ? title : `${title}, step ${step}`,
    chatGone: 'chat deleted',
  },
  where: {
    intro: (day: string) =>
      `What other programs would do with this folder, by their sources and documents as read on ${day}. Nothing is asked of them.`,
    noText: 'SKILL.md can’t be read as text, or is too large, so nothing can be said about other programs.',
    looks: (folder: string) => `It looks in ${folder}, where this copy lies.`,
    elsewhere: (folders: readonly string[]) => `It doesn’t look here, but in ${folders.join(', ')}.`,
    inProject: (folder: string) => `${folder} of a project`,
    listsAs: 'Lists it as',
    verdict: {
      fine: 'Loads it',
      loss: 'Loads it, with differences',
      rejected: 'Rejects it',
      unseen: 'Doesn’t see it',
      unknown: 'Not verified',
    } satisfies Record<LensEffect, string>,
  },
})
