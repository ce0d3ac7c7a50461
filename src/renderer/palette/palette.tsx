/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus, jsx-a11y/click-events-have-key-events -- a combobox with a list (APG): the box keeps the focus and has the keys */
import { clsx } from 'clsx'
import { Dialog as Radix } from 'radix-ui'
import { useEffect, useId, useRef } from 'react'
import { closeOverlay, useOverlay } from '../stores/overlay'
import { announce } from '../ui/announce'
import { focusBack } from '../ui/focus'
import { AllowedIcon, ChatsIcon, RunIcon, SearchIcon, SettingsIcon, SkillsIcon } from '../ui/icons'
import { Kbd } from '../ui/kbd'
import type { EntryKind, FoundEntry } from './find-entries'
import { words } from './palette-strings'
import './palette.css'
import { usePalette } from './use-palette'
import type { PaletteState } from './use-palette'

/** One list and one input over chats, skills, requests, commands and settings (`ux.md` 2.5). */
export function Palette() {
  const open = useOverlay() === 'palette'
  const before = useRef<Element | null>(null)
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && closeOverlay()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          className="dlg pal"
          aria-describedby={undefined}
          onOpenAutoFocus={() => {
            before.current = document.activeElement
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            giveBack(before.current)
          }}
        >
          <Radix.Title className="sr">{words.title}</Radix.Title>
          <Inside />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** What was chosen may have taken the focus along; else it goes back to where it was. */
function giveBack(before: Element | null): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body || document.activeElement === null) focusBack(before)
  })
}

function Inside() {
  const id = useId()
  const state = usePalette()
  const { typed, rows, at, count } = state
  useAnnounced(words.results(rows.length, count))
  return (
    <>
      <div className="pal-box">
        <SearchIcon size={16} aria-hidden="true" />
        <input
          type="text"
          role="combobox"
          aria-label={words.title}
          aria-autocomplete="list"
          aria-expanded={rows.length > 0}
          aria-controls={`${id}-list`}
          {...(rows.length > 0 ? { 'aria-activedescendant': `${id}-${at}` } : {})}
          placeholder={words.title}
          value={typed}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => state.type(event.target.value)}
          onKeyDown={state.onKeyDown}
        />
        <span className="small t3 num pal-count">{words.results(rows.length, count)}</span>
      </div>
      <List id={id} state={state} />
      {rows.length === 0 && <p className="small t2 pal-none">{words.nothing(typed)}</p>}
      <Foot state={state} />
    </>
  )
}

function List({ id, state }: { id: string; state: PaletteState }) {
  const { rows, at } = state
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector(`[data-at="${at}"]`)?.scrollIntoView({ block: 'nearest' })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- other rows may stand at the same place
  }, [at, rows])
  return (
    <div ref={list} id={`${id}-list`} className="pal-list" role="listbox" aria-label={state.listLabel}>
      {rows.map((row, place) => (
        <Row
          key={row.entry.id}
          id={`${id}-${place}`}
          row={row}
          place={place}
          on={place === at}
          state={state}
        />
      ))}
    </div>
  )
}

const ICON: Record<EntryKind, typeof SkillsIcon> = {
  skill: SkillsIcon,
  chat: ChatsIcon,
  request: AllowedIcon,
  command: RunIcon,
  setting: SettingsIcon,
}

function Row(props: { id: string; row: FoundEntry; place: number; on: boolean; state: PaletteState }) {
  const { id, row, place, on, state } = props
  const { entry, heading } = row
  const Mark = ICON[entry.kind]
  return (
    <>
      {heading && (
        <div className="menu-label" role="presentation">
          {heading}
        </div>
      )}
      <div
        id={id}
        role="option"
        aria-selected={on}
        aria-disabled={entry.unavailable !== undefined}
        data-at={place}
        className={clsx('pal-row', on && 'on', (entry.dimmed || entry.unavailable) && 'dim')}
        onPointerMove={() => state.point(place)}
        onClick={() => state.run(place)}
      >
        <Mark size={16} aria-hidden="true" />
        <span className={clsx('trunc pal-name', entry.kind === 'skill' && 'mono')}>
          <Found text={entry.name} at={row.at} />
        </span>
        <span className="small t3 trunc pal-where">{entry.unavailable ?? entry.where}</span>
        <span className="sp" />
        <RowEnd row={row} on={on} />
      </div>
    </>
  )
}

/** On the current row what Enter does, and what stands beside it; else the entry's own shortcut or state. */
function RowEnd({ row, on }: { row: FoundEntry; on: boolean }) {
  const { entry } = row
  if (on && entry.unavailable === undefined) {
    const [first, ...more] = entry.actions
    const second = more.find(({ keys }) => keys !== undefined)
    return (
      <span className="row small t2 pal-end">
        {first?.label} <Kbd keys="Enter" />
        {second?.keys && (
          <>
            {second.label} <Kbd keys={second.keys} />
          </>
        )}
        {!second && entry.shortcut && <Kbd keys={entry.shortcut} />}
      </span>
    )
  }
  if (entry.shortcut) return <Kbd keys={entry.shortcut} />
  return entry.hint ? <span className="small t3">{entry.hint}</span> : null
}

/** The letters that were found are bold. */
function Found({ text, at }: { text: string; at: readonly number[] }) {
  if (at.length === 0) return <>{text}</>
  const found = new Set(at)
  const pieces: { from: number; bold: boolean; text: string }[] = []
  for (let place = 0; place < text.length; place += 1) {
    const bold = found.has(place)
    const last = pieces.at(-1)
    if (last?.bold === bold) last.text += text[place]
    else pieces.push({ from: place, bold, text: text[place] ?? '' })
  }
  return pieces.map((piece) => (piece.bold ? <b key={piece.from}>{piece.text}</b> : piece.text))
}

function Foot({ state }: { state: PaletteState }) {
  return (
    <div className="pal-foot small t3">
      {words.prefixes.map(([prefix, label]) => (
        <button
          key={prefix}
          type="button"
          tabIndex={-1}
          className="pal-prefix"
          onClick={() => state.narrow(prefix)}
        >
          <kbd>{prefix}</kbd>
          {label}
        </button>
      ))}
      <span className="sp" />
      {words.actions} <Kbd keys="ArrowRight" />
    </div>
  )
}

/** Said once the person has stopped typing. */
function useAnnounced(text: string): void {
  useEffect(() => {
    const timer = setTimeout(() => announce(text), 300)
    return () => clearTimeout(timer)
  }, [text])
}
