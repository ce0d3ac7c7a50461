import { expect, test } from 'vitest'
import { scriptArguments, type RunPlan } from '@shared/domain/approval'

type Source = RunPlan['interpreter']['source']
const plan = (argv: string[], path: string | null, source: Source = 'shebang') =>
  ({ argv, script: path === null ? null : { path }, interpreter: { source } }) as unknown as RunPlan
const AT = '/.sandbox/skills/pdf/scripts/fill.py'

test.each<[string, string[], RunPlan]>([
  ['what stands behind the script', ['-a', ''], plan(['/usr/bin/python3', AT, '-a', ''], 'scripts/fill.py')],
  ['also behind options of its interpreter', ['x'], plan(['/bin/sh', '-e', AT, 'x'], 'scripts/fill.py')],
  ['also an argument that names the script', [AT], plan(['/usr/bin/python3', AT, AT], 'scripts/fill.py')],
  ['of a program that runs itself', ['x'], plan(['/s/pdf/tool', 'x'], 'tool', 'content')],
  ['of a script named as its interpreter', ['x'], plan(['/bin/sh', '/s/pdf/sh', 'x'], 'sh')],
  ['of a command there are none', [], plan(['/bin/bash', '-c', 'ls'], null, 'shell')],
])('the arguments of a plan are %s', (_what, wanted, given) => {
  expect(scriptArguments(given)).toEqual(wanted)
})
