import { useEffect } from 'react'
import { announce } from '../ui/announce'
import { Button } from '../ui/button'
import { EmptyState, Note } from '../ui/note'
import { auditStore, reloadAudit, setAuditFilter, showAudit, useAudit } from '../stores/audit'
import { showsInspector, useUi } from '../stores/ui'
import './audit.css'
import { AuditFilters } from './audit-filters'
import { AuditGrid } from './audit-grid'
import { AuditHead } from './audit-head'
import { AuditStrip } from './audit-strip'
import { EntryPanel } from './entry-panel'
import { audit } from './strings'

/** The audit area: what happened, by whom, with which bytes; nothing is changed from here. */
export function AuditView() {
  const error = useAudit((state) => state.error)
  const inspector = useUi(showsInspector)
  const known = useAudit((state) => state.summary !== null)
  useEffect(showAudit, [])
  return (
    <div className="aud">
      <div className="aud-main">
        <AuditHead />
        {error && <Note tone="bad">{error}</Note>}
        <AuditStrip />
        <AuditFilters />
        <FreshRows />
        {known && <Rows />}
      </div>
      {inspector && <EntryPanel />}
    </div>
  )
}

function Rows() {
  const total = useAudit((state) => state.total)
  return total === 0 ? <NoRows /> : <AuditGrid />
}

function NoRows() {
  const { filter } = useAudit((state) => state)
  if (filter.project !== undefined) {
    const { project: _project, ...rest } = filter
    return (
      <EmptyState text={audit.emptyProject}>
        <Button onClick={() => setAuditFilter({ filter: rest })}>{audit.showAllProjects}</Button>
      </EmptyState>
    )
  }
  if (Object.keys(filter).length === 0) return <EmptyState text={audit.empty} />
  return (
    <EmptyState text={audit.noMatch}>
      <Button onClick={() => setAuditFilter({ filter: {}, days: null, range: 30 })}>{audit.clear}</Button>
    </EmptyState>
  )
}

/** How many entries came while the list stands still. */
function FreshRows() {
  const fresh = useAudit((state) => state.fresh)
  useEffect(() => {
    if (fresh > 0) announce(audit.came(fresh))
  }, [fresh])
  if (fresh === 0 || auditStore.getState().follow) return null
  return (
    <button type="button" className="aud-fresh" onClick={() => void reloadAudit()}>
      {audit.fresh(fresh)}
    </button>
  )
}
