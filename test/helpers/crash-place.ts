import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeFiles } from './app'
import type { CoreLine } from './crash-core'
import { SHELF, type Promises } from './crash-faults'

const SCENARIOS = [
  {
    name: 'boil',
    match: '^boil jar',
    steps: [
      { text: 'Loading it.', call: { name: 'skills_load', input: { names: ['marmalade'] } } },
      { text: 'Reading it.', call: { name: 'skills_read', input: { path: 'references/rules.md' } } },
      { reasoning: 'Now boil.', call: { name: 'skills_run_script', input: { path: 'scripts/boil.sh' } } },
      { text: 'Looking for room.', call: { name: 'Read', input: { file_path: 'shelf.txt' } } },
      {
        text: 'Putting it there.',
        call: {
          name: 'Edit',
          input: { file_path: 'shelf.txt', old_string: 'END', new_string: `${SHELF.line}END` },
        },
      },
      { text: 'The jar was boiled, and the answer comes slowly.', pauseMs: 3 },
    ],
  },
  { name: 'there', match: '^are you there', steps: [{ text: 'I am here.' }] },
]

/** The script names its run, and the version of its own bytes, in a file of the project. */
export function boilScript(version: number): string {
  return `#!/usr/bin/env bash
echo "$SATCHEL_RUN_ID ${version}" >> ledger.txt
echo boiling ${version}
(setsid sleep 60 &) </dev/null >/dev/null 2>&1
sleep 0.0${version % 10}
`
}

/** A home with a skill, a project and a model's script, and what was promised to the person who lives there. */
export interface Place {
  home: string
  version: number
  promises: Promises
}

export function createPlace(): Place {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-crash-')))
  writeFiles(join(home, '.satchel/skills/marmalade'), {
    'SKILL.md':
      '---\nname: marmalade\ndescription: Boils quince marmalade.\n---\nRun `scripts/boil.sh`, see [rules](references/rules.md).\n',
    'references/rules.md': 'Stir slowly.\n',
    'scripts/boil.sh': boilScript(0),
  })
  mkdirSync(join(home, 'practice'))
  for (const [n, scenario] of SCENARIOS.entries()) {
    writeFileSync(join(home, 'practice', `${n}.practice.json`), JSON.stringify(scenario))
  }
  writeFiles(home, { [SHELF.path]: SHELF.start + SHELF.end })
  const promises: Promises = {
    chats: [],
    said: new Map(),
    allowed: new Map(),
    denied: new Set(),
    shown: new Map(),
    ended: new Map(),
  }
  return { home, version: 0, promises }
}

/** Keeps what a line of the app promises. */
export function note({ promises }: Place, line: CoreLine): void {
  if (line.t === 'chat') promises.chats.push(line.id)
  else if (line.t === 'said') promises.said.set(line.id, line.text)
  else if (line.t === 'allowed') addTo(promises.allowed, line.request, line.planHash)
  else if (line.t === 'shown') promises.shown.set(line.id, line.text)
  else if (line.t === 'ended') promises.ended.set(line.id, line.state)
  else if (line.t === 'denied') promises.denied.add(line.request)
}

export function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  map.set(key, (map.get(key) ?? new Set()).add(value))
}
