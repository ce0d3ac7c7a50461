import type { Policy } from './policy-file'

/** Where the app works now, for skills that are only for some places (`runtime.md` 6); null: none is set. */
export interface CurrentPlace {
  tenant: string | null
  environment: string | null
}

/**
 * The current tenant and environment: the policy's, else SATCHEL_ENV (environment only), else what a trusted project
 * says of itself. Give no `project` for one that is not trusted.
 */
export function currentPlace(known: {
  policy: Pick<Policy, 'tenant' | 'environment'> | null
  env: Readonly<Record<string, string | undefined>>
  project: { tenant?: string | undefined; environment?: string | undefined } | null
}): CurrentPlace {
  const { policy, env, project } = known
  const fromEnv = env['SATCHEL_ENV']?.trim() || undefined
  return {
    tenant: policy?.tenant ?? project?.tenant ?? null,
    environment: policy?.environment ?? fromEnv ?? project?.environment ?? null,
  }
}
