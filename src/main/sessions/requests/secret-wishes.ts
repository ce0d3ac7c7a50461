import type { Finding, RunPlan } from '@shared/domain/approval'
import type { SecretWish } from '@shared/domain/secret'
import { AppError } from '@shared/errors'
import { hostWords } from '@shared/network-host'
import { parseSkillMd, type ParsedSkill } from '@shared/skill-md'
import type { SecretStore } from '../../settings/secrets'
import type { Store } from '../../skills/store/store'

/** What tells which secrets a skill asks for. */
export interface SecretDeps {
  secrets: Pick<SecretStore, 'list' | 'wishes'>
  store: Pick<Store, 'manifest' | 'read'>
}

/**
 * The secrets that a skill asks for with exactly these contents, beside what it gets (security.md 4.1): by
 * `execution.secrets`, or as another tool's skill names its variables.
 */
export async function secretWishes(
  { secrets, store }: SecretDeps,
  { key, treeDigest }: { key: string; treeDigest: string },
): Promise<SecretWish[]> {
  const { files } = await store.manifest(treeDigest)
  const skillMd = files.find(({ path }) => /^skill\.md$/i.test(path))
  if (!skillMd) return []
  const text = Buffer.from(await store.read(treeDigest, skillMd.path)).toString('utf8')
  return secrets.wishes(key, treeDigest, namesIn(text))
}

/** A call says what a script gets, never a secret: neither one that exists nor one that the skill asks for. */
export function refuseSecretInCall(
  { secrets }: Pick<SecretDeps, 'secrets'>,
  wishes: readonly SecretWish[],
  env: Readonly<Record<string, string>>,
): void {
  const names = new Set([...secrets.list().map(({ name }) => name), ...wishes.map(({ name }) => name)])
  const name = Object.keys(env).find((other) => names.has(other))
  if (name === undefined) return
  throw new AppError(
    'bad_input',
    `The variable "${name}" is a secret: the person gives it to the skill, a call can't set it. Leave it out.`,
    { variable: name },
  )
}

/** What the person must see of a run with secrets; the first keeps it from ever being remembered. */
export function secretFindings(plan: Pick<RunPlan, 'secrets' | 'sandbox'>): Finding[] {
  const names = plan.secrets ?? []
  if (names.length === 0) return []
  const isOnline = plan.sandbox.network !== 'off' || plan.sandbox.backend === 'none'
  const gets = `It gets ${names.join(', ')}. What it prints of ${names.length === 1 ? 'it' : 'them'} is taken out; what it writes into files is not.`
  return [
    { id: 'environment-secrets', level: 'notable', title: 'Gets secrets', text: gets },
    ...(isOnline
      ? [
          {
            id: 'secret-network',
            level: 'serious' as const,
            title: 'Gets secrets and can use the network',
            text: `It could send ${names.join(', ')} ${whereTo(plan.sandbox)}.`,
          },
        ]
      : []),
  ]
}

function whereTo({ network, hosts }: RunPlan['sandbox']): string {
  return network === 'hosts' ? `to ${(hosts ?? []).map(hostWords).join('; ')}` : 'anywhere'
}

/** A list of hosts is no promise of what they do with what they get. */
export function networkFindings({ sandbox }: Pick<RunPlan, 'sandbox'>): Finding[] {
  if (sandbox.network !== 'hosts') return []
  const text = `It can send what it reads ${whereTo(sandbox)}, and what that host passes on goes further. Satchel sees which host it is, not what is sent.`
  return [{ id: 'network-hosts', level: 'notable', title: 'Can reach hosts', text }]
}

function namesIn(skillMd: string): string[] {
  return secretsAskedFor(parseSkillMd(skillMd, { folderName: '' }))
}

/** By `execution.secrets`, or as another tool's skill names its variables. */
export function secretsAskedFor({
  execution,
  openclaw,
}: Pick<ParsedSkill, 'execution' | 'openclaw'>): string[] {
  const primary = openclaw?.primaryEnv
  return [
    ...execution.secrets,
    ...(openclaw?.requires.env ?? []),
    ...(openclaw?.envVars ?? []),
    ...(primary === undefined ? [] : [primary]),
  ]
}
