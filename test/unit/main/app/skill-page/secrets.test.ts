import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  grantSecret,
  skillSecrets,
  type SecretPageDeps,
} from '../../../../../src/main/app/skill-page/secrets'
import { readSkillMd } from '../../../../../src/main/skills/scan/facts'
import { createStore } from '../../../../../src/main/skills/store/store'
import { makeSkill, recordFor, tempDir, write } from '../../skills/support'

type Grant = Parameters<SecretPageDeps['secrets']['grant']>[0]

function setup() {
  const base = tempDir()
  const dir = makeSkill(join(base, 'mail'), 'mail', {}, { execution: '{secrets: [TOKEN, LD_PRELOAD]}' })
  const record = recordFor(dir, { name: 'mail', folder: 'mail' })
  const store = createStore({ dataDir: join(base, 'data') })
  const granted: Grant[] = []
  const deps: SecretPageDeps = {
    store,
    registry: { facts: async () => ({ parsed: readSkillMd(record.skillMd, record.folder) }) as never },
    secrets: {
      grant: (grant) => void granted.push(grant),
      list: () => [{ name: 'TOKEN', grants: granted.map((grant) => ({ ...grant, at: 7 })) }] as never,
      wishes: (_key, digest, names) =>
        names.map((name) => {
          if (name === 'LD_PRELOAD') return { name, state: 'refused' }
          const grant = granted.find((one) => one.name === name)
          return { name, state: !grant ? 'not-given' : grant.treeDigest === digest ? 'given' : 'other' }
        }),
    },
  }
  return { deps, dir, granted, record, digest: () => store.digestOf(record) }
}

describe('secrets on the page of a skill', () => {
  it('are the names that the skill on disk asks for, each with its grant', async () => {
    const { deps, record, digest } = setup()
    expect(await skillSecrets(deps, record)).toMatchObject([
      { name: 'TOKEN', state: 'not-given', givenAt: null },
      { name: 'LD_PRELOAD', state: 'refused' },
    ])
    await grantSecret(deps, record, { name: 'TOKEN', treeDigest: await digest() })
    expect((await skillSecrets(deps, record))[0]).toMatchObject({ state: 'given', givenAt: 7 })
  })

  it('go to the contents that were seen, never to others', async () => {
    const { deps, dir, granted, record, digest } = setup()
    const seen = await digest()
    write(join(dir, 'scripts/new.sh'), 'echo $TOKEN\n')
    await expect(grantSecret(deps, record, { name: 'TOKEN', treeDigest: seen })).rejects.toMatchObject({
      code: 'stale',
    })
    expect(granted).toEqual([])
  })

  it.each(['LD_PRELOAD', 'OTHER'])(
    'are not given as %s, which no run may get or nobody asked for',
    async (name) => {
      const { deps, granted, record, digest } = setup()
      await expect(grantSecret(deps, record, { name, treeDigest: await digest() })).rejects.toMatchObject({
        code: 'bad_input',
      })
      expect(granted).toEqual([])
    },
  )
})
