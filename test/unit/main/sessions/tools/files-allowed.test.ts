import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CallRow } from '../../../../../src/main/db/call-rows'
import { agentMd, startAgents, type AgentKit } from '../agents-kit'
import type { Kit } from '../kit'

let kit: Kit
let at: AgentKit
let id: string
beforeEach(async () => {
  at = await startAgents({
    clerk: agentMd('clerk', 'tools: {Write: allow, Edit: allow, Read: never}\n'),
  })
  kit = at.kit
  id = await at.chatWith('clerk')
})
afterEach(() => kit.remove())

const inFolder = (path: string) => join(kit.home, 'data', 'workspaces', id, path)

/** The chat becomes one of a trusted project, with an agent of its own. */
async function ofProject(): Promise<{ dir: string }> {
  const dir = at.project(true)
  at.put('porter', agentMd('porter', 'tools: {Write: allow}\n'), dir)
  id = await at.chatWith('porter', dir)
  return { dir }
}

async function call(
  name: string,
  input: Record<string, unknown>,
  state: 'idle' | 'awaiting_approval' = 'idle',
): Promise<CallRow> {
  kit.answers.push({ calls: [{ name, input }] })
  await kit.say(id, name, state)
  return kit.calls(id).at(-1)!
}

describe('an agent that may write without asking', () => {
  test('changes a file at once, and the change is on record', async () => {
    const done = await call('Write', { file_path: 'new.md', content: 'hello\n' })
    expect(done).toMatchObject({ state: 'done', requestId: null, change: { path: 'new.md', mode: 'create' } })
    expect(readFileSync(inFolder('new.md'), 'utf8')).toBe('hello\n')
    expect(kit.actions()).toContain('file.written')
  })

  test('is asked about what has a serious finding', async () => {
    await call('Write', { file_path: 'x.md', content: 'a\u202eb\n' }, 'awaiting_approval')
    expect(existsSync(inFolder('x.md'))).toBe(false)
  })

  test('is asked about every change where the organisation wants that', async () => {
    const { rules } = kit.deps
    const policy = { rules: [], neverRemember: [], requireApprovalFor: ['file-write'] }
    const before = rules.grounds(null)
    vi.spyOn(rules, 'grounds').mockReturnValue({ ...before, policy })
    await call('Write', { file_path: 'new.md', content: 'hello\n' }, 'awaiting_approval')
    expect(existsSync(inFolder('new.md'))).toBe(false)
  })

  test('never writes what programs trust, and uses no tool that its file forbids', async () => {
    const trusted = await call('Write', { file_path: '.envrc', content: 'x' })
    expect(trusted.envelope?.error_code).toBe('path_escape')
    const forbidden = await call('Read', { file_path: 'new.md' })
    expect(forbidden.envelope?.error_code).toBe('tool_not_allowed')
  })

  test('asks where the file is a project’s, until the person confirms it', async () => {
    const { dir } = await ofProject()
    await call('Write', { file_path: 'new.md', content: 'hello\n' }, 'awaiting_approval')
    expect(existsSync(join(dir, 'new.md'))).toBe(false)
    await kit.decide(kit.waiting(id), 'deny')
    await kit.until(id, 'idle')
    kit.sessions.confirmTools(id)
    const done = await call('Write', { file_path: 'new.md', content: 'hello\n' })
    expect(done).toMatchObject({ state: 'done', requestId: null })
    expect(readFileSync(join(dir, 'new.md'), 'utf8')).toBe('hello\n')
  })
})
