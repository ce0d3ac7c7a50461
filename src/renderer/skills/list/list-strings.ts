import { defineStrings } from '@shared/catalogue'
import { formatNumber, formatTokens, plural } from '../../ui/format'

export const listWords = defineStrings('list of skills', {
  columns: {
    skill: 'Skill',
    from: 'From',
    status: 'Status',
    tokens: 'Tokens',
    runsDays: 'Runs, 30 days',
    scriptsFiles: 'Scripts / files',
    changed: 'Changed',
  },
  filterBar: {
    effective: 'Effective',
    problems: 'Problems',
    hasScripts: 'Has scripts',
    off: 'Off',
    enterprise: 'Enterprise',
    all: 'All',
  },
  gridRow: {
    theSkillsInside: (open: boolean, name: string) => `${open ? 'Hide' : 'Show'} the skills inside ${name}`,
  },
  listHead: {
    in: (name: string) => ` in ${name}`,
    skills: 'Skills',
    installedEffective: (installed: number, effective: number, place: string) =>
      `${formatNumber(installed)} installed, ${formatNumber(effective)} effective${place}`,
    isNotTrusted: (name: string) => `${name} is not trusted`,
    review: 'Review…',
    inactive: (inert: number) =>
      `${plural(inert, { one: 'skill of it is', other: 'skills of it are' })} inactive: no agent sees them. The review shows what trust would change.`,
    here: ' here',
    scanned: (count: number, ms: number) =>
      `Scanned ${plural(count, { one: 'folder', other: 'folders' })} in ${formatNumber(ms)} ms`,
    andMoreFolders: (count: number) =>
      ` And ${plural(count, { one: 'more folder', other: 'more folders' })}.`,
    watchingForChanges: (scanned: string) => `${scanned}, watching for changes`,
    estimated: 'Estimated',
    catalogueCostPerMessage: (tokens: number) => `Catalogue cost per message: ${formatTokens(tokens)}`,
  },
  places: {
    noneYet: 'none yet',
    notTrusted: 'not trusted',
    of: (tool: string) => `, of ${tool}`,
    theFolderIsNot: 'The folder is not there yet. Make it and put a skill in.',
    noSkillIsIn: 'No skill is in it yet.',
    satchelWritesNothingThere: 'Satchel writes nothing there.',
    wontLoad: 'Won’t load',
    withWarnings: 'With warnings',
    shadowed: 'Shadowed',
    notTrustedYet: 'Not trusted yet',
    in: (project: string) => `in ${project}`,
    yourOwnSkillsFor: 'Your own skills, for every tool that reads this folder.',
  },
  queryHelp: {
    searchedForAsText: (count: number) => `Searched for as text${count > 0 ? ', like the others' : ''}.`,
    thereIsNoOperator: (operator: string, words: string, names: string) =>
      `There is no operator “${operator}:”. ${words} There are ${names}`,
    cantBeItCan: (operator: string, value: string, words: string, offered: string) =>
      `${operator}: can’t be “${value}”. ${words} It can be ${offered}.`,
  },
  scopeTree: {
    whereSkillsComeFrom: 'Where skills come from',
    sharedWithOtherTools: 'Shared with other tools',
    needsAttention: 'Needs attention',
    deleted: 'Deleted',
    allSkills: 'All skills',
    readOnly: 'read-only',
  },
  searchBox: {
    filterByNameText: 'Filter by name, text, tool',
    clearTheSearch: 'Clear the search',
    operators: 'Operators',
  },
  snippet: {
    inSkillMd: 'in SKILL.md: ',
    in: (file: string | undefined) => `in ${file ?? 'a file'}: `,
  },
  catalogueChoice: {
    chosen: (parts: string) => `Chosen: ${parts}.`,
    alwaysOn: 'always on',
    usedInThisChat: 'used in this chat',
    nearestToYourLast: 'nearest to your last messages',
    byName: 'by name',
  },
})
