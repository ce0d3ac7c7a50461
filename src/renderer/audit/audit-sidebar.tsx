import { AuditView } from '@shared/domain/audit'
import type { Icon } from '@phosphor-icons/react/dist/lib/types'
import { narrow, useAudit } from '../stores/audit'
import { formatNumber } from '../ui/format'
import { AllowedIcon, AuditIcon, DeniedIcon, RunIcon, SettingsIcon, SkillsIcon } from '../ui/icons'
import './audit.css'
import { audit } from './strings'

const ICON: Record<AuditView, Icon> = {
  everything: AuditIcon,
  runs: RunIcon,
  denied: DeniedIcon,
  skills: SkillsIcon,
  rules: AllowedIcon,
  settings: SettingsIcon,
}

/** The lower sidebar of the audit area: which kinds of entries are shown. */
export function AuditSidebar() {
  const view = useAudit((state) => state.filter.view ?? 'everything')
  const counts = useAudit((state) => state.summary?.views)
  return (
    <>
      <h2 className="sec">{audit.views}</h2>
      <ul aria-label={audit.views}>
        {AuditView.options.map((name) => {
          const Mark = ICON[name]
          return (
            <li key={name}>
              <button
                type="button"
                className={name === view ? 'li on aud-li' : 'li aud-li'}
                aria-current={name === view ? 'true' : undefined}
                onClick={() => narrow('view', name === 'everything' ? undefined : name)}
              >
                <Mark />
                <span className="grow">{audit.view[name]}</span>
                {counts && name !== 'everything' && (
                  <span className="cnt num">{formatNumber(counts[name])}</span>
                )}
              </button>
            </li>
          )
        })}
      </ul>
    </>
  )
}
