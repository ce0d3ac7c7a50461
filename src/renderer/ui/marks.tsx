import { clsx } from 'clsx'
import type { Icon } from '@phosphor-icons/react/dist/lib/types'
import type { Scope } from '@shared/domain/skill'
import { SCOPE_NAMES } from '@shared/scope-names'
import type { ReactNode } from 'react'
import { formatNumber } from './format'
import {
  BundledIcon,
  CheckIcon,
  EnterpriseIcon,
  ErrorIcon,
  PersonalIcon,
  PluginIcon,
  ProjectIcon,
  SharedIcon,
  WarningIcon,
} from './icons'
import { words } from './strings'

const SCOPE_ICON: Record<Scope, Icon> = {
  enterprise: EnterpriseIcon,
  project: ProjectIcon,
  personal: PersonalIcon,
  plugin: PluginIcon,
  bundled: BundledIcon,
  shared: SharedIcon,
}

/** Colour, shape and word of a scope; they always travel together (`ux.md` 5.4, rule 6). */
export function ScopeMark({ scope }: { scope: Scope }) {
  return (
    <span className={clsx('sc', `sc-${scope}`)}>
      <ScopeIcon scope={scope} />
      {SCOPE_NAMES[scope]}
    </span>
  )
}

/** Only where the word stands nearby or the name says it. */
export function ScopeIcon({ scope }: { scope: Scope }) {
  const Mark = SCOPE_ICON[scope]
  return <Mark size={14} className={`sc-${scope}`} aria-hidden="true" />
}

export type Tone = 'ok' | 'warn' | 'bad' | 'off'

/** Icon and word, never colour alone. Without `icon` the usual one of the tone. */
export function StatusMark({ tone, icon, children }: { tone: Tone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span className={clsx('st', tone)}>
      {icon ?? <ToneIcon tone={tone} />}
      {children}
    </span>
  )
}

function ToneIcon({ tone }: { tone: Tone }) {
  if (tone === 'ok') return <CheckIcon size={14} aria-hidden="true" />
  if (tone === 'warn') return <WarningIcon size={14} aria-hidden="true" />
  if (tone === 'bad') return <ErrorIcon size={14} aria-hidden="true" />
  return null
}

/** How many wait for a person: ochre, and nothing else is. */
export function WaitingBadge({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className="badge num">
      {formatNumber(count)}
      <span className="sr">{words.marks.waiting}</span>
    </span>
  )
}

export function Tag({ children }: { children: ReactNode }) {
  return <span className="tag">{children}</span>
}
