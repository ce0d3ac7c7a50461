import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import { visibleLine } from '@shared/visible-text'
import { narrow, reloadAudit, auditStore, setAuditFilter, startOf, useAudit } from '../stores/audit'
import { IconButton } from '../ui/button'
import { Switch } from '../ui/field'
import { formatDay } from '../ui/format'
import { CaretDownIcon, CloseIcon, SearchIcon } from '../ui/icons'
import { Menu, MenuChoice } from '../ui/menu'
import { audit } from './strings'

/** Id of the search field, for Mod+F. */
export const AUDIT_SEARCH = 'audit-search'

/** What narrows the list. */
export function AuditFilters() {
  const choices = useAudit((state) => state.summary?.choices)
  const projects = (choices?.projects ?? []).map((dir): [string, string] => [dir, nameOf(dir)])
  return (
    <search className="row aud-bar">
      <Search />
      <RangeMenu />
      <Choice name="project" label={audit.project} options={projects} />
      <Choice name="skill" label={audit.skill} options={same(choices?.skills)} />
      <Choice name="decision" label={audit.decision} options={Object.entries(audit.decisions)} />
      <Choice name="result" label={audit.result} options={Object.entries(audit.results)} />
      <Choice name="agent" label={audit.agent} options={same(choices?.agents)} />
      <span className="sp" />
      <Follow />
    </search>
  )
}

function same(names: readonly string[] = []): [string, string][] {
  return names.map((name) => [name, visibleLine(name)])
}

function nameOf(dir: string): string {
  return visibleLine(dir.split(/[\\/]/).findLast(Boolean) ?? dir)
}

const TYPE_GAP_MS = 200

/** Asks when the typing pauses. */
function Search() {
  const asked = useAudit((state) => state.filter.text ?? '')
  const [typed, setTyped] = useState(asked)
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed.trim() !== (auditStore.getState().filter.text ?? ''))
        narrow('text', typed.trim() || undefined)
    }, TYPE_GAP_MS)
    return () => clearTimeout(timer)
  }, [typed])
  useFindKey()
  return (
    <div className="inp search aud-search">
      <SearchIcon size={14} aria-hidden="true" />
      <input
        id={AUDIT_SEARCH}
        aria-label={audit.search}
        placeholder={audit.search}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && typed !== '') setTyped('')
          else if (event.key === 'ArrowDown') focusList()
        }}
      />
      {typed !== '' && (
        <IconButton tiny label={audit.clearSearch} onClick={() => setTyped('')}>
          <CloseIcon size={12} />
        </IconButton>
      )}
    </div>
  )
}

/** Mod+F: find here. */
function useFindKey(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      if (event.key.toLowerCase() !== 'f') return
      if (document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      document.getElementById(AUDIT_SEARCH)?.focus()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function focusList(): void {
  document.querySelector<HTMLElement>('.audg [role="row"][tabindex="0"]')?.focus()
}

function RangeMenu() {
  const { range, days } = useAudit((state) => state)
  const label = days ? daysLabel(days) : (audit.ranges.find(([value]) => value === range)?.[1] ?? '')
  return (
    <Menu trigger={<Chip on={days !== null || range !== null}>{label}</Chip>}>
      {audit.ranges.map(([value, name]) => (
        <MenuChoice
          key={name}
          checked={!days && value === range}
          onSelect={() => setAuditFilter({ range: value, days: null })}
        >
          {name}
        </MenuChoice>
      ))}
    </Menu>
  )
}

function daysLabel({ from, to }: { from: number; to: number }): string {
  const now = Date.now()
  const first = formatDay(startOf(from), now)
  return from === to ? first : `${first} – ${formatDay(startOf(to), now)}`
}

/** One key of the filter: a menu, and when it is set a way to take it off again. */
function Choice(props: {
  name: 'project' | 'skill' | 'decision' | 'result' | 'agent'
  label: string
  options: [value: string, label: string][]
}) {
  const { name, label, options } = props
  const value = useAudit((state) => state.filter[name])
  const set = (next: string | undefined) => narrow(name, next)
  const shown = options.find(([other]) => other === value)?.[1] ?? value
  return (
    <Menu
      trigger={
        <Chip on={value !== undefined} label={value === undefined ? label : `${label}: ${shown}`}>
          {shown ?? label}
        </Chip>
      }
    >
      <MenuChoice checked={value === undefined} onSelect={() => set(undefined)}>
        {audit.any}
      </MenuChoice>
      {options.map(([other, words]) => (
        <MenuChoice key={other} checked={other === value} onSelect={() => set(other)}>
          {words}
        </MenuChoice>
      ))}
    </Menu>
  )
}

function Chip({ on, label, children, ...rest }: { on: boolean; label?: string; children: string }) {
  return (
    <button type="button" className={clsx('chip', on && 'on')} aria-label={label} {...rest}>
      <span className="trunc aud-chip">{children}</span>
      <CaretDownIcon size={12} aria-hidden="true" />
    </button>
  )
}

function Follow() {
  const follow = useAudit((state) => state.follow)
  return (
    <span className="row small">
      <Switch
        label={audit.follow}
        checked={follow}
        onChange={(on) => {
          auditStore.setState({ follow: on })
          if (on) void reloadAudit()
        }}
      />
      <span aria-hidden="true">{audit.follow}</span>
    </span>
  )
}
