import { describe, expect, it } from 'vitest'
import { rankSkills, saysNothing } from '../../../../src/main/llm/practice-match'

const SKILLS = [
  { name: 'commit-helper', description: 'Writes commit messages from staged changes in git.' },
  { name: 'csv-summary', description: 'Summarises CSV files: columns, types, missing values.' },
  { name: 'meeting-notes', description: 'Turns meeting transcripts into notes with decisions and actions.' },
  { name: 'release-notes', description: 'Collects changes and writes release notes.' },
  { name: '议事录', description: '整理会议记录并列出决定' },
  { name: 'café-menü', description: 'Übersetzt die Speisekarte' },
]
const best = (message: string) => rankSkills(SKILLS, message)[0]?.name ?? null

describe('rankSkills', () => {
  it.each([
    ['Write a commit message for what I staged', 'commit-helper'],
    ['What columns does this CSV have?', 'csv-summary'],
    ['Summarise data.csv', 'csv-summary'],
    ['make notes of our meeting', 'meeting-notes'],
    ['notes for the next release', 'release-notes'],
    ['use csv-summary on my meeting', 'csv-summary'],
    ['帮我整理会议记录', '议事录'],
    ['bitte die speisekarte ubersetzen', 'café-menü'],
    ['Bake a cake', null],
    ['', null],
  ])('finds for %j the skill %s', (message, expected) => {
    expect(best(message)).toBe(expected)
  })

  it('counts a rare word more than a common one', () => {
    const skills = [
      { name: 'a', description: 'files files' },
      { name: 'b', description: 'files' },
      { name: 'c', description: 'zebra' },
    ]
    expect(rankSkills(skills, 'zebra files').map((match) => match.name)).toEqual(['c', 'a', 'b'])
  })

  it.each([
    ['counting', 'counts'],
    ['planning', 'plans'],
    ['queries', 'query'],
    ['boxes', 'box'],
    ['summarised', 'summarise'],
    ['status', 'status'],
  ])('takes %s and %s as one word', (asked, described) => {
    expect(rankSkills([{ name: 'x', description: described }], asked)).toHaveLength(1)
  })

  it('keeps the order of equal scores', () => {
    const twins = ['p', 'q'].map((name) => ({ name, description: 'same text' }))
    expect(rankSkills(twins, 'text').map((match) => match.name)).toEqual(['p', 'q'])
  })
})

it.each([
  ['again, please!', true],
  ['Run it once more', true],
  ['', true],
  ['again with foo', false],
])('saysNothing(%j) is %s', (message, expected) => {
  expect(saysNothing(message)).toBe(expected)
})
