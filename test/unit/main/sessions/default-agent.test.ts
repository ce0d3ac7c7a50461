import { afterEach, describe, expect, test } from 'vitest'
import { Settings } from '@shared/domain/settings'
import { createSessions } from '../../../../src/main/sessions/service'
import { agentMd, startAgents, type AgentKit } from './agents-kit'

let at: AgentKit
afterEach(() => at.kit.remove())

const start = async () => {
  at = await startAgents(
    { clerk: agentMd('clerk'), other: agentMd('other') },
    { settings: { defaultAgent: 'clerk' } },
  )
}
const agentOf = (projectDir: string | null = null) => at.kit.sessions.create({ projectDir }).agent.name

describe('the default agent', () => {
  test('is who a new chat is with, where none is named', async () => {
    await start()
    expect(agentOf()).toBe('clerk')
    expect(at.kit.sessions.create({ projectDir: null, agent: 'other' }).agent.name).toBe('other')
  })

  test('is General where its file is gone or broken', async () => {
    await start()
    at.put('clerk', 'no frontmatter')
    expect(agentOf()).toBe('general')
  })

  test('is never one that a project brings under its name', async () => {
    await start()
    const dir = at.project(true)
    at.put('clerk', agentMd('clerk'), dir)
    expect(agentOf(dir)).toBe('clerk')
    expect(at.kit.row(at.kit.sessions.create({ projectDir: dir }).id).agentScope).toBe('personal')
    at.put('clerk', 'no frontmatter')
    expect(agentOf(dir)).toBe('general')
  })

  test('that changes takes the empty chats along that were with the one before', async () => {
    await start()
    const [one, two] = ['clerk', 'other'].map(
      (agent) => at.kit.sessions.create({ projectDir: null, agent }).id,
    )
    at.kit.deps.settings = () => Settings.parse({ defaultAgent: 'third' })
    at.put('third', agentMd('third'))
    const sessions = createSessions(at.kit.deps)
    await sessions.useDefaultAgent('clerk')
    expect([one, two].map((id) => at.kit.row(id!).agent)).toEqual(['third', 'other'])
    await sessions.close()
  })
})
