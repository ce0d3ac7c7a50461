import { expect, test } from 'vitest'
import type { RequestPlan } from '@shared/domain/approval'
import { isSameContents } from '../../../../../src/main/approvals/rules/same-contents'
import { mcp, script, shell } from './plans'

const other = 'e'.repeat(64)

test.each<[string, RequestPlan, RequestPlan, boolean]>([
  ['a script with other arguments', script, { ...script, argv: [...script.argv, '--more'] }, true],
  ['a script with other bytes', script, { ...script, script: { ...script.script!, sha256: other } }, false],
  ['another file beside it', script, { ...script, skill: { ...script.skill!, treeDigest: other } }, false],
  ['a hook of the same script', script, { ...script, kind: 'hook' }, false],
  ['the same command', shell('ls'), shell('ls'), true],
  ['another command', shell('ls'), shell('pwd'), false],
  ['a tool with other arguments', mcp, { ...mcp, arguments: { query: 'x' } }, true],
  ['a tool that says something else now', mcp, { ...mcp, tool: { ...mcp.tool, digest: other } }, false],
])('whether %s is for the same contents', (_name, one, two, isSame) => {
  expect(isSameContents(one, two)).toBe(isSame)
})
