import type { Base } from '../base'
import { createLoginPath } from '../../runs/login-path'
import type { Registry } from '../../skills/registry/registry'

/** PATH of the person's login shell, asked for once. */
export interface KnownLogin {
  ask(): Promise<string | null>
  /** Null: it is not known yet, or there is none. */
  now(): string | null
}

export function createKnownLogin(env: Parameters<typeof createLoginPath>[0]): KnownLogin {
  const ask = createLoginPath(env)
  let known: string | null = null
  return {
    async ask() {
      known = await ask()
      return known
    },
    now: () => known,
  }
}

/** What a skill lacks is looked at with the PATH of the login shell too, as runs do, once that is known. */
export async function followLogin(
  { loginPath, deps }: Pick<Base, 'loginPath' | 'deps'>,
  registry: Pick<Registry, 'listed' | 'refresh'>,
): Promise<void> {
  if (!loginPath) return
  try {
    await registry.listed()
    await loginPath.ask()
    await registry.refresh()
  } catch (error) {
    deps.log.error('skills could not be held against the programs of the login shell', error)
  }
}
