import type { ComponentType } from 'react'
import { useSettings } from '../stores/settings'
import './settings.css'
import { AgentsPage } from './agents-page'
import { AuditPage } from './audit-page'
import { EnterprisePage } from './enterprise-page'
import { ModelsPage } from './models-page'
import { AppearancePage, ApprovalsPage, DataPage, SkillsPage } from './pages'
import type { PageProps } from './pages'
import { RunsPage } from './runs-page'
import { SelfTestPage } from './self-test-page'
import { SETTINGS_PAGES, setSettingsPage, useSettingsPage } from './settings-place'
import type { SettingsPage } from './settings-place'
import { words } from './strings'
import { ToolsPage } from './tools-page'

const PAGES: Record<SettingsPage, ComponentType<PageProps>> = {
  appearance: AppearancePage,
  models: ModelsPage,
  agents: AgentsPage,
  tools: ToolsPage,
  skills: SkillsPage,
  approvals: ApprovalsPage,
  runs: RunsPage,
  'self-test': SelfTestPage,
  data: DataPage,
  audit: AuditPage,
  enterprise: EnterprisePage,
}

/** Settings: the list of pages at the left, the page at the right. Every change is saved at once. */
export function SettingsView() {
  const view = useSettings((state) => state.view)
  const name = useSettingsPage()
  const Shown = PAGES[name]
  return (
    <>
      <div className="hd">
        <h1 tabIndex={-1}>{words.settingsView.title}</h1>
      </div>
      <div className="set">
        <nav className="set-list" aria-label={words.settingsView.pages}>
          {SETTINGS_PAGES.map((other) => (
            <button
              key={other}
              type="button"
              className={other === name ? 'li on' : 'li'}
              aria-current={other === name ? 'page' : undefined}
              onClick={() => setSettingsPage(other)}
            >
              {words.settingsView.names[other]}
            </button>
          ))}
        </nav>
        <div className="set-main">{view && <Shown view={view} />}</div>
      </div>
    </>
  )
}
