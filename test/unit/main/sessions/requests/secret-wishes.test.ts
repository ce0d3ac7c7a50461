import { describe, expect, test } from 'vitest'
import type { RunPlan } from '@shared/domain/approval'
import { AppError } from '@shared/errors'
import {
  refuseSecretInCall,
  secretFindings,
  secretWishes,
} from '../../../../../src/main/sessions/requests/secret-wishes'

const secrets = {
  list: () => [{ name: 'HELD' }] as never,
  wishes: (_key: string, _digest: string, names: readonly string[]) =>
    names.map((name) => ({ name, state: 'missing' as const })),
}

const askedBy = async (frontmatter: string) => {
  const text = `---\nname: jam\ndescription: Boils.\n${frontmatter}---\nBoil.\n`
  const store = {
    manifest: async () => ({ files: [{ path: 'SKILL.md', size: 1, sha256: '', executable: false }] }),
    read: async () => Buffer.from(text),
  }
  const wishes = await secretWishes({ secrets, store }, { key: 'k', treeDigest: 'd' })
  return wishes.map(({ name }) => name)
}

describe('a skill asks for secrets', () => {
  test('by execution.secrets', async () => {
    expect(await askedBy('execution:\n  secrets: [ONE, TWO]\n')).toEqual(['ONE', 'TWO'])
  })

  test('as a skill of another tool names its variables', async () => {
    const metadata =
      'metadata:\n  openclaw:\n    requires:\n      env: [ONE]\n    primaryEnv: TWO\n    envVars: [THREE]\n'
    expect(await askedBy(metadata)).toEqual(['ONE', 'THREE', 'TWO'])
  })

  test('or for none', async () => {
    expect(await askedBy('')).toEqual([])
  })
})

test.each([
  ['HELD', 'a secret that exists'],
  ['ASKED', 'one that the skill asks for'],
])('a call that sets %s, %s, is refused by name', (name) => {
  const work = () => refuseSecretInCall({ secrets }, [{ name: 'ASKED', state: 'given' }], { [name]: 'x' })
  expect(work).toThrow(AppError)
  expect(work).toThrow(`"${name}" is a secret`)
})

test('a call may set any other variable', () => {
  expect(() => refuseSecretInCall({ secrets }, [], { OTHER: 'x' })).not.toThrow()
})

describe('a run with secrets', () => {
  const plan = (network: 'off' | 'hosts' | 'on', names?: string[]) =>
    ({
      sandbox: { network, backend: 'bwrap', hosts: ['api.example.com:443'] },
      ...(names ? { secrets: names } : {}),
    }) as unknown as RunPlan

  test('says so, and can never be remembered', () => {
    expect(secretFindings(plan('off', ['ONE']))).toMatchObject([
      { id: 'environment-secrets', level: 'notable' },
    ])
  })

  test('and with the network is a serious finding', () => {
    expect(secretFindings(plan('on', ['ONE'])).map(({ level }) => level)).toEqual(['notable', 'serious'])
  })

  test('and with some hosts too, which it names', () => {
    const findings = secretFindings(plan('hosts', ['ONE']))
    expect(findings.map(({ level }) => level)).toEqual(['notable', 'serious'])
    expect(findings[1]?.text).toBe('It could send ONE to api.example.com, port 443.')
  })

  test('without one there is none', () => {
    expect(secretFindings(plan('on'))).toEqual([])
  })
})
