import { describe, expect, it } from 'vitest'
import type { ScanRow } from '../../../../../src/main/db/skill-cache'
import type { SkillFacts } from '../../../../../src/main/skills/scan/facts'
import { createScanIndex } from '../../../../../src/main/skills/scan/scan-index'
import type { Skill } from '../../../../../src/main/skills/scan/scan-state'
import type { Sig } from '../../../../../src/main/skills/scan/stat-sig'

const sig: Sig = [120, 1_700_000_000_000.5, 1_700_000_000_001.25, 42]

/** Every value differs from every other, so that none can take another's place unseen. */
const rich: SkillFacts = {
  name: 'pdf',
  label: 'PDF',
  description: 'Reads "files"\nand forms.',
  tags: ['tag'],
  allowedTools: ['Read'],
  author: 'author',
  license: 'MIT',
  requires: ['zip'],
  disableModelInvocation: true,
  userInvocable: false,
  priority: 1.5,
  availableTo: { agents: ['a'], tenants: null, environments: [] },
  broken: true,
  brokenReason: 'reason',
  tokens: { catalogue: 2, body: 3, files: 4 },
  scripts: 5,
  files: 6,
  problems: 7,
  hash: 'hash',
  tree: 'tree',
  dirs: ['', 'scripts'],
  dirMark: 'mark',
  inside: ['inner/SKILL.md'],
  needs: ['+git'],
  changedAt: 8.5,
  byHand: true,
}
const plain: SkillFacts = {
  ...rich,
  tags: [],
  allowedTools: [],
  author: undefined,
  license: undefined,
  requires: [],
  availableTo: null,
  inside: [],
  needs: [],
}

/** A cache in memory, and an index on what it holds. */
function setup(rows = new Map<string, string>()) {
  const save = ({ put, remove }: { put: readonly ScanRow[]; remove: readonly string[] }) => {
    for (const { path, facts } of put) rows.set(path, facts)
    for (const path of remove) rows.delete(path)
  }
  return { rows, index: createScanIndex({ load: () => [...rows], save, close: () => undefined }) }
}

function skillWith(facts: SkillFacts | null, fresh = false): Skill {
  const root = { spec: { mountedAs: null } }
  const known = { skillMd: '/s/pdf/SKILL.md', dir: '/s/pdf', realDir: '/s/pdf', depth: 1, linked: false }
  return { ...known, root, sig, fresh, facts, known: 'all', children: [] } as unknown as Skill
}

function kept(facts: SkillFacts, fresh = false) {
  const { rows, index } = setup()
  index.keep(skillWith(facts, fresh))
  index.save(() => false)
  return setup(rows)
}

describe('facts that are kept between two starts', () => {
  it.each([
    ['with every field', rich],
    ['with empty ones', plain],
  ])('come back as they were: %s', (_what, facts) => {
    const { index } = kept(facts)
    const skill = skillWith(null)
    expect(index.has('/s/pdf/SKILL.md')).toBe(true)
    expect(index.recall(skill, sig)).toBe(true)
    expect(skill.facts).toEqual(facts)
    expect(skill.known).toBe('unchecked')
  })

  it.each([0, 1, 2, 3])('do not come back when the file changed (number %i of its marks)', (at) => {
    const { index } = kept(rich)
    const other = sig.map((value, n) => (n === at ? value + 1 : value)) as unknown as Sig
    expect(index.recall(skillWith(null), other)).toBe(false)
  })

  it('do not come back when they were read too soon after a change', () => {
    expect(kept(rich, true).index.recall(skillWith(null), sig)).toBe(false)
  })

  it.each([
    ['no JSON', () => '[2'],
    ['a value too few', (row: unknown[]) => JSON.stringify(row.slice(0, -1))],
    ['another version', (row: unknown[]) => JSON.stringify([1, ...row.slice(1)])],
    ['a name that is a number', (row: unknown[]) => JSON.stringify(row.with(5, 1))],
    ['a map', () => '{}'],
  ])('are forgotten when the row is damaged: %s', (_what, damage) => {
    const { rows } = kept(rich)
    rows.set('/s/zip/SKILL.md', rows.get('/s/pdf/SKILL.md')!)
    rows.set('/s/pdf/SKILL.md', damage(JSON.parse(rows.get('/s/pdf/SKILL.md')!) as unknown[]))
    const { index } = setup(rows)
    expect(index.has('/s/pdf/SKILL.md')).toBe(false)
    expect(index.has('/s/zip/SKILL.md')).toBe(true)
  })
})
