import { defineStrings } from '@shared/catalogue'
import { plural } from '../../ui/format'

export const trustWords = defineStrings('trust review', {
  trustReview: {
    whatTrustWouldChange: 'What trust would change is not known yet.',
    usedInsteadOf: (other: string) => `Used instead of ${other}.`,
    yourOrganisationsAgent: (location: string) => `your organisation’s agent (${location})`,
    yourPersonalAgent: (location: string) => `your personal agent (${location})`,
    anotherAgentOfThe: (location: string) => `another agent of the project (${location})`,
    theAgentThatComes: 'the agent that comes with Satchel',
    couldBeChosenFor: 'Could be chosen for chats in this folder.',
    wouldNotBeUsed: 'Would not be used: another file of this name ranks higher.',
    wontLoadAsIt: 'Won’t load as it is.',
    skill: (count: number) => plural(count, { one: 'skill', other: 'skills' }),
    script: (scripts: number) => plural(scripts, { one: 'script', other: 'scripts' }),
    replaced: (replaced: number) => `${plural(replaced, { one: 'copy', other: 'copies' })} replaced`,
    wouldNotBeUsedAnother: 'Would not be used: another copy ranks higher.',
    wouldStayOffYou: 'Would stay off: you turned this name off.',
    wouldNotBeUsedHere: 'Would not be used here.',
    agents: (count: number) => `${plural(count, { one: 'agent', other: 'agents' })}.`,
    seriousFinding: (count: number) => plural(count, { one: 'serious finding', other: 'serious findings' }),
    notableFinding: (count: number) => plural(count, { one: 'notable finding', other: 'notable findings' }),
    inTheScripts: (findings: readonly string[]) => `${findings.join(' and ')} in the scripts.`,
    noSeriousFindingsIn: 'No serious findings in the scripts.',
    unchecked: (unchecked: number) =>
      ` ${plural(unchecked, { one: 'script was', other: 'scripts were' })} not looked at.`,
    checkedByFixedRules: (found: string, left: string) =>
      `${found}${left} Checked by fixed rules: a clean result doesn’t mean safe.`,
    problem: (problems: number) => plural(problems, { one: 'problem', other: 'problems' }),
    line: (title: string, line: number) => `${title}, line ${line}`,
  },
})
