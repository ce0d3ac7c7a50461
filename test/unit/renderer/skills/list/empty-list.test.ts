import { expect, it } from 'vitest'
import { emptyWords } from '../../../../../src/renderer/skills/list/empty-list'
import { NO_FILTER } from '../../../../../src/renderer/skills/list/skill-filter'
import type { SkillFilter } from '../../../../../src/renderer/skills/list/skill-filter'

it.each<[Partial<SkillFilter>, string]>([
  [{ query: ' kube ' }, 'Nothing matches “kube”.'],
  [{ query: 'kube', place: { kind: 'scope', scope: 'project' } }, 'Nothing matches “kube” in Project.'],
  [
    { query: 'kube', place: { kind: 'root', location: '~/.claude/skills' } },
    'Nothing matches “kube” in ~/.claude/skills.',
  ],
  [{ chips: new Set(['scripts']) }, 'No skill fits these filters.'],
  [
    { neverUsed: true, place: { kind: 'scope', scope: 'personal' } },
    'No skill in Personal fits these filters.',
  ],
  [{ place: { kind: 'status', status: 'broken' } }, 'No skill is in Won’t load.'],
  [{ place: { kind: 'scope', scope: 'personal' } }, 'No skill is in Personal.'],
])('an empty list says where nothing is, and for what: %j', (filter, expected) => {
  expect(emptyWords({ ...NO_FILTER, ...filter })).toBe(expected)
})
