import type { AppEvent } from '@shared/events'
import { beforeEach, describe, expect, test } from 'vitest'
import { setApi } from '../../../../src/renderer/api'
import type { Api } from '../../../../src/renderer/api'
import { routeEvent } from '../../../../src/renderer/stores/route-events'
import { skillsStore } from '../../../../src/renderer/stores/skills'
import { uiStore } from '../../../../src/renderer/stores/ui'

let asked: string[] = []

beforeEach(() => {
  asked = []
  const call = (name: string) => {
    asked.push(name)
    return Promise.resolve(name.endsWith('.list') ? [] : {})
  }
  setApi({ call, stream: () => () => undefined } as unknown as Api)
})

describe('routeEvent', () => {
  test.each<[AppEvent, string[]]>([
    [{ t: 'sessions.changed' }, ['sessions.list']],
    [{ t: 'approvals.changed', sessionId: 's' }, ['approvals.list']],
    [{ t: 'settings.changed' }, ['settings.get']],
    [{ t: 'projects.changed' }, ['projects.list']],
    [{ t: 'runs.changed', runId: 'never-shown' }, []],
  ])('%o asks main again for what it names, and for nothing else', async (event, names) => {
    await routeEvent(event, {})
    expect(asked).toEqual(names)
  })

  test('after a change of skills only details that are shown are asked for again', async () => {
    const before = skillsStore.getState().version
    await routeEvent({ t: 'skills.changed' }, {})
    expect(asked).toEqual([])
    expect(skillsStore.getState().version).toBe(before + 1)
  })

  test('a notice is shown', async () => {
    await routeEvent({ t: 'notice', level: 'warning', message: 'The worker was started again.' }, {})
    expect(uiStore.getState().notices.at(-1)).toMatchObject({
      level: 'warning',
      message: 'The worker was started again.',
    })
  })

  test('a command of the menu runs by its name, an unknown one does nothing', async () => {
    let ran = 0
    await routeEvent({ t: 'command', name: 'new-chat' }, { 'new-chat': () => void (ran += 1) })
    await routeEvent({ t: 'command', name: 'no-such' }, { 'new-chat': () => void (ran += 1) })
    expect(ran).toBe(1)
  })

  test('a command that is about a request names it', async () => {
    const led: unknown[] = []
    const event: AppEvent = { t: 'command', name: 'go', requestId: 'req_1' }
    await routeEvent(event, { go: (requestId) => void led.push(requestId) })
    expect(led).toEqual(['req_1'])
  })
})
