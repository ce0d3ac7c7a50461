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
import { selfTest } from './self-test-strings'
import { SETTINGS_PAGES, setSettingsPage, useSettingsPage } from './settings-place'
import { ToolsPage } from './tools-page'

const PAGES: Record<string, ComponentType<PageProps>> = {
  Appearance: AppearancePage,
  Models: ModelsPage,
  Agents: AgentsPage,
  Tools: ToolsPage,
  Skills: SkillsPage,
  Approvals: ApprovalsPage,
  'Sandbox and runs': RunsPage,
  [selfTest.title]: SelfTestPage,
  Data: DataPage,
  Audit: AuditPage,
  Enterprise: EnterprisePage,
}

/** Settings: the list of pages at the left, the page at the right. Every change is saved at once. */
export function SettingsView() {
  const view = useSettings((state) => state.view)
  const name = useSettingsPage()
  const Shown = PAGES[name] ?? ModelsPage
  return (
    <>
      <div className="hd">
        <h1 tabIndex={-1}>Settings</h1>
      </div>
      <div className="set">
        <nav className="set-list" aria-label="Settings pages">
          {SETTINGS_PAGES.map((other) => (
            <button
              key={other}
              type="button"
              className={other === name ? 'li on' : 'li'}
              aria-current={other === name ? 'page' : undefined}
              onClick={() => setSettingsPage(other)}
            >
              {other}
            </button>
          ))}
        </nav>
        <div className="set-main">{view && <Shown view={view} />}</div>
      </div>
    </>
  )
}
