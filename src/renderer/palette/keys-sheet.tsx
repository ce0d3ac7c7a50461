import { useState } from 'react'
import { shortcutOf } from '../shell/commands'
import { shell } from '../shell/strings'
import { closeOverlay, useOverlay } from '../stores/overlay'
import { Dialog } from '../ui/dialog'
import { Kbd } from '../ui/kbd'
import { isMac, shortcutLabel, shortcutSpoken } from '../ui/keys'
import type { Shortcut } from '../ui/keys'
import { KEY_GROUPS } from './key-groups'
import type { KeyGroup } from './key-groups'
import { words } from './palette-strings'

/** Every key of the window, by where it works; found by what it does or by the key itself. */
export function KeysSheet() {
  const open = useOverlay() === 'keys'
  if (!open) return null
  return (
    <Dialog open onClose={closeOverlay} className="keys" title={words.keysTitle}>
      <Groups />
    </Dialog>
  )
}

function Groups() {
  const [typed, setTyped] = useState('')
  const groups = [windowGroup(), ...KEY_GROUPS].map((group) => narrowed(group, typed.trim().toLowerCase()))
  const shown = groups.filter(({ rows }) => rows.length > 0)
  return (
    <>
      <input
        type="search"
        className="input"
        aria-label={words.keysSearch}
        placeholder={words.keysSearch}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {shown.map(({ title, rows }) => (
        <section key={title}>
          <h2 className="sec">{title}</h2>
          <dl className="keys-list">
            {rows.map(([label, keys]) => (
              <KeyRow key={label} label={label} keys={keys} />
            ))}
          </dl>
        </section>
      ))}
      {shown.length === 0 && <p className="t2">{words.keysNone}</p>}
    </>
  )
}

function KeyRow({ label, keys }: { label: string; keys: readonly Shortcut[] }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {keys.map((shortcut) => (
          <span key={shortcut}>
            <Kbd keys={shortcut} />
            <span className="sr">{` ${shortcutSpoken(shortcut)} `}</span>
          </span>
        ))}
      </dd>
    </>
  )
}

/** From the one table of actions and their keys. */
function windowGroup(): KeyGroup {
  const names = Object.keys(shell.commands) as (keyof typeof shell.commands)[]
  const rows = names.flatMap((name): KeyGroup['rows'] => {
    const keys = shortcutOf(name, isMac())
    return keys ? [[shell.commands[name], [keys]]] : []
  })
  return { title: shell.everywhere, rows }
}

function narrowed({ title, rows }: KeyGroup, typed: string): KeyGroup {
  const fits = (label: string, keys: readonly Shortcut[]) =>
    label.toLowerCase().includes(typed) ||
    keys.some((shortcut) => shortcutLabel(shortcut).toLowerCase().includes(typed))
  return { title, rows: rows.filter(([label, keys]) => fits(label, keys)) }
}
