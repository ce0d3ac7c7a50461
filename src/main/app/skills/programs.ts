import type { Base } from '../base'
import { createLogin } from '../../runs/login-path'
import type { Registry } from '../../skills/registry/registry'

/** What the person's login shell sets, asked for once. */
export interface KnownLogin {
  /** PATH. */
  ask(): Promise<string | null>
  /** Null: it is not known yet, or there is none. */
  now(): string | null
  /** Variables that git reads. */
  git(): Promise<Readonly<Record<string, string>>>
}

export function createKnownLogin(env: Parameters<typeof createLogin>[0]): KnownLogin {
  const ask = createLogin(env)
  let known: string | null = null
  return {
    async ask() {
      known = (await ask())?.path ?? null
      return known
    },
    git: async () => (await ask())?.git ?? {},
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
