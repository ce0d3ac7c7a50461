import type { SkillSummary } from '@shared/domain/skill'

let made = 0

export function makeSkill(name: string, part: Partial<SkillSummary> = {}): SkillSummary {
  made += 1
  return {
    key: `${part.scope ?? 'personal'}:/skills/${made}/${name}`,
    name,
    description: '',
    scope: 'personal',
    location: `~/.satchel/skills/${name}`,
    status: 'effective',
    statusReason: '',
    tokens: { catalogue: 10, body: 100, files: 0 },
    scripts: 0,
    files: 1,
    problems: 0,
    changedAt: 0,
    hiddenFromModel: false,
    userInvocable: true,
    label: '',
    tags: [],
    tools: [],
    readOnly: false,
    pinned: false,
    ...part,
  }
}
