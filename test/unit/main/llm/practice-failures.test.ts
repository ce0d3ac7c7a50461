import { describe, expect, it } from 'vitest'
import { createPractice } from '../../../../src/main/llm/practice'
import { collect, llmFor, requestOf, silentLog } from './llm-kit'
import { createTestChat, failed, instructionsOf, textOf, type TestCall, type TestSkill } from './practice-kit'

const llm = llmFor('openai', 'http://127.0.0.1:1/v1', {
  practice: createPractice({ log: silentLog }),
  fetch: () => Promise.reject(new Error('no network')),
})

const COUNT: TestSkill = {
  name: 'word-counter',
  description: 'Counts words and lines in text files.',
  body: 'Run:\n\n```bash\npython3 scripts/count.py\n```\n',
}

const chat = (answer?: (call: TestCall) => object | undefined, skills = [COUNT]) =>
  createTestChat(llm, skills, answer)

describe('the practice agent, when something goes wrong,', () => {
  it.each(['stale', 'expired', 'timed_out', 'sandbox_failed', 'no_interpreter'])(
    'reports the error %s in words for people, with the last lines of the output',
    async (code) => {
      const { send } = chat(({ name }) =>
        name === 'skills_run_script'
          ? {
              ...failed('It did not go well. skills_read lists its files. Tell the person.', code),
              partial: { stdout: 'so far' },
            }
          : undefined,
      )
      const last = (await send('Count the words')).texts.at(-1)
      expect(last).toContain('> It did not go well.')
      expect(last).toContain('The last lines it printed:\n\n```\nso far\n```')
      expect(last).not.toContain(code)
      expect(last).not.toMatch(/skills_read|Tell the person/)
    },
  )

  it('keeps a reason that names a tool', async () => {
    const error =
      "Nothing was loaded. The hook can't run: Tool 'skills_run_script' not allowed by active skill 'a'"
    const { send } = chat(({ name }) => (name === 'skills_load' ? failed(error, 'hook_failed') : undefined))
    expect((await send('Count the words')).texts.at(-1)).toContain('not allowed by active skill')
  })

  it.each([
    ['timed_out', 'Running `scripts/count.py` was stopped at its time limit:'],
    ['killed', 'Running `scripts/count.py` was stopped:'],
    ['interrupted', 'Running `scripts/count.py` was interrupted:'],
    ['no_interpreter', 'Running `scripts/count.py` did not work:'],
  ])('says by itself how a run with %s ended', async (code, words) => {
    const partial = { stdout: Array.from({ length: 30 }, (_, n) => `line ${n}`).join('\n'), stderr: 'oh' }
    const { send } = chat(({ name }) =>
      name === 'skills_run_script' ? { ...failed('It ended.', code), partial } : undefined,
    )
    const last = (await send('Count the words')).texts.at(-1)
    expect(last).toContain(words)
    expect(last).toContain('…\nline 22\n')
    expect(last).toContain('line 29\n```')
    expect(last).toContain('The last lines of its error output:\n\n```\noh\n```')
  })

  it('goes on with what was asked for when an answer was interrupted', async () => {
    const half = { role: 'assistant', content: [{ type: 'text', text: '**word-' }] }
    const events = await collect(
      llm.stream(
        requestOf({
          model: 'practice/scripted',
          instructions: instructionsOf([COUNT], []),
          history: [
            { role: 'user', text: 'Count the words' },
            { role: 'assistant', providerMessages: [half] },
          ],
          tools: [{ name: 'skills_load', description: '', parameters: { type: 'object' } }],
        }),
      ),
    )
    expect(textOf(events)).toContain('**word-counter** fits best.')
  })

  it('asks for a script that nothing is known to run, so that the reason is said', async () => {
    const skill = { name: 'fixer', description: 'Fixes things.', body: 'Run `scripts/fix.qqq`.' }
    const { send } = chat(
      ({ name }) =>
        name === 'skills_run_script' ? failed('Nothing runs it. Rename it.', 'no_interpreter') : undefined,
      [skill],
    )
    const { calls, texts } = await send('fixes')
    expect(calls.at(-1)).toEqual({
      name: 'skills_run_script',
      input: { path: 'scripts/fix.qqq', skill: 'fixer' },
    })
    expect(texts.at(-1)).toContain('> Nothing runs it. Rename it.')
  })
})
