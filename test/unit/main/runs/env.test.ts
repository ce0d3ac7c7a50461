import { describe, expect, test } from 'vitest'
import { checkEnv, composeEnv, spawnEnv } from '../../../../src/main/runs/env'

const REFUSED = [
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'DYLD_INSERT_LIBRARIES',
  'NODE_OPTIONS',
  'NODE_PATH',
  'ELECTRON_RUN_AS_NODE',
  'PYTHONPATH',
  'PYTHONSTARTUP',
  'PYTHONHOME',
  'PERL5OPT',
  'PERL5LIB',
  'RUBYOPT',
  'RUBYLIB',
  'BASH_ENV',
  'ENV',
  'SHELLOPTS',
  'BASHOPTS',
  'PS4',
  'PROMPT_COMMAND',
  'IFS',
  'GIT_EXTERNAL_DIFF',
  'GIT_SSH_COMMAND',
  'SSH_ASKPASS',
  'JAVA_TOOL_OPTIONS',
  'PATH',
  'HOME',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'http_proxy',
  'npm_config_registry',
  'NPM_CONFIG_REGISTRY',
  'EDITOR',
  'PAGER',
  'LESSOPEN',
  'BASH_FUNC_ls%%',
  'lower',
  '1ABC',
  'A-B',
  '',
  'A=B',
  '__proto__',
  'SATCHEL_RUN_ID',
  'SKILL_DIR',
  'CLAUDE_SKILL_DIR',
  'SKILL_NAME',
  'SKILL_HOOK',
]

describe('environment of a run', () => {
  test.each(REFUSED)('the variable %j is refused by name', (name) => {
    const env = Object.fromEntries([[name, 'x']])
    expect(() => checkEnv(env)).toThrow(`"${name}"`)
  })

  test.each([
    ['a NUL', 'a\0b'],
    ['half a character', 'a\ud800'],
  ])('a value with %s is refused', (_what, value) => {
    expect(() => checkEnv({ TOPIC: value })).toThrow('"TOPIC"')
  })

  test('names of one’s own pass', () => {
    expect(() => checkEnv({ TOPIC: 'cats', A1_B: '', LANG: 'de_DE.UTF-8' })).not.toThrow()
  })

  test('nothing but the fixed variables and those of the call is in it, sorted', () => {
    const env = composeEnv({ home: '/home/user', skill: { name: 'tool', dir: '/s/tool' } }, { TOPIC: 'cats' })
    expect(env).toEqual([
      { name: 'CLAUDE_SKILL_DIR', value: '/s/tool' },
      { name: 'HOME', value: '/home/user' },
      { name: 'LANG', value: 'C.UTF-8' },
      { name: 'PATH', value: '/usr/local/bin:/usr/bin:/bin' },
      { name: 'SKILL_DIR', value: '/s/tool' },
      { name: 'SKILL_NAME', value: 'tool' },
      { name: 'TERM', value: 'xterm-256color' },
      { name: 'TMPDIR', value: '/tmp' },
      { name: 'TOPIC', value: 'cats' },
    ])
  })

  test('the id of the run is added at the start, not in the plan', () => {
    expect(spawnEnv([{ name: 'A', value: 'b' }], 'run_1')).toEqual({ A: 'b', SATCHEL_RUN_ID: 'run_1' })
  })
})
