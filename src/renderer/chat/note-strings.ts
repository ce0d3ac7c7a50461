import { defineStrings } from '@shared/catalogue'
import { plural } from '../ui/format'

export const noteWords = defineStrings('notes of a chat', {
  agentWords: {
    notTrusted: 'not trusted',
    wontLoad: 'won’t load',
    countProblem: (where: string, count: number) =>
      `${where}, ${plural(count, { one: 'problem', other: 'problems' })}`,
    ofTheProject: 'of the project',
    anotherFileNowHas: (label: string, location: string, whose: string) =>
      `Another file now has the name of ${label}: ${location} (${whose}). This chat keeps the one that it began with.`,
    theFileOfChanged: (label: string) =>
      `The file of ${label} changed. This chat keeps the one that it began with.`,
    theFileOfIs: (label: string) =>
      `The file of ${label} is gone or can’t be used any more. This chat keeps the one that it began with.`,
    theProjectsFileLets: (label: string, tools: string) =>
      `The project’s file lets ${label} use ${tools} without asking. It asks until you confirm that.`,
    and: (names: string, at: string) => `${names} and ${at}`,
  },
  errorWords: {
    replaceTheLinkBy: 'Replace the link by a copy of the file.',
    addTheFileTo: 'Add the file to the skill, or correct its name in the SKILL.md.',
    settingsSaysWhyUnder: 'Settings says why, under “Sandbox and runs”.',
    freeSomeSpaceThen: 'Free some space, then try again.',
    trustTheProjectTo: 'Trust the project to run its scripts.',
  },
})
