import type { SkillSecret } from '@shared/domain/skill-page'
import { AppError } from '@shared/errors'
import { secretsAskedFor } from '../../sessions/requests/secret-wishes'
import type { SecretStore } from '../../settings/secrets'
import type { SkillRecord } from '../../skills/record'
import type { Registry } from '../../skills/registry/registry'
import type { Store } from '../../skills/store/store'

export interface SecretPageDeps {
  registry: Pick<Registry, 'facts'>
  secrets: Pick<SecretStore, 'grant' | 'list' | 'wishes'>
  store: Pick<Store, 'digestOf'>
}

/** The secrets that the skill on disk asks for, each with what it was given (security.md 4.1). */
export async function skillSecrets(deps: SecretPageDeps, record: SkillRecord): Promise<SkillSecret[]> {
  const names = await namesOf(deps, record)
  if (names.length === 0) return []
  const digest = await deps.store.digestOf(record)
  const known = deps.secrets.list()
  return deps.secrets.wishes(record.key, digest, names).map((wish) => {
    const grants = known.find(({ name }) => name === wish.name)?.grants ?? []
    return { ...wish, givenAt: grants.find(({ skillKey }) => skillKey === record.key)?.at ?? null }
  })
}

/**
 * Gives a secret to the contents that the person saw: it allows no run. Throws `stale` when the skill on disk is another
 * by now, `bad_input` for a name that it does not ask for or that no run may get.
 */
export async function grantSecret(
  deps: SecretPageDeps,
  record: SkillRecord,
  { name, treeDigest }: { name: string; treeDigest: string },
): Promise<void> {
  const digest = await deps.store.digestOf(record)
  if (digest !== treeDigest)
    throw new AppError('stale', `The files of "${record.name}" changed meanwhile. Look at them again.`)
  const [wish] = deps.secrets
    .wishes(record.key, digest, await namesOf(deps, record))
    .filter((one) => one.name === name)
  if (!wish || wish.state === 'refused')
    throw new AppError(
      'bad_input',
      `"${record.name}" can't be given ${name}: it doesn't ask for it, or no run may get it.`,
    )
  deps.secrets.grant({ name, skillKey: record.key, skillName: record.name, treeDigest: digest })
}

async function namesOf({ registry }: SecretPageDeps, { key, unread }: SkillRecord): Promise<string[]> {
  if (unread) return []
  return secretsAskedFor((await registry.facts(key)).parsed)
}
