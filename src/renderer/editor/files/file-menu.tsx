import { useState } from 'react'
import type { ReactNode } from 'react'
import { visibleLine } from '@shared/visible-text'
import { IconButton } from '../../ui/button'
import { ContextItem, ContextMenu } from '../../ui/context-menu'
import { MoreIcon } from '../../ui/icons'
import { Menu, MenuItem } from '../../ui/menu'
import { words } from '../strings'
import { isMain } from './tree-rows'

/** What can be done with a file or folder; `change` is left out where nothing of the skill may be changed. */
export interface FileMenuActions {
  reveal: (path: string) => void
  copyPath: (path: string) => void
  change?: { rename: (path: string) => void; remove: (path: string) => void }
}

interface FileItem {
  label: string
  hint?: string
  run: () => void
}

function itemsFor(path: string, { reveal, copyPath, change }: FileMenuActions): FileItem[] {
  const shown = [
    { label: words.fileTree.showInFolder, run: () => reveal(path) },
    { label: words.fileTree.copyPath, run: () => copyPath(path) },
  ]
  if (!change || isMain(path)) return shown
  return [
    ...shown,
    { label: words.rename, hint: 'F2', run: () => change.rename(path) },
    { label: words.remove, hint: 'Del', run: () => change.remove(path) },
  ]
}

/** At the end of a row. */
export function FileMenu({ path, actions }: { path: string; actions: FileMenuActions }) {
  return (
    <span
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
      role="presentation"
    >
      <Menu
        align="end"
        trigger={
          <IconButton tiny label={words.fileTree.moreFor(visibleLine(path))} tabIndex={-1}>
            <MoreIcon size={14} />
          </IconButton>
        }
      >
        {itemsFor(path, actions).map(({ label, hint, run }) => (
          <MenuItem key={label} hint={hint} onSelect={run}>
            {label}
          </MenuItem>
        ))}
      </Menu>
    </span>
  )
}

/** The same where the pointer is, or with Shift+F10. */
export function FileContextMenu({ actions, children }: { actions: FileMenuActions; children: ReactNode }) {
  const [path, setPath] = useState('')
  return (
    <ContextMenu
      onOpenAt={(target) => {
        const at = target.closest<HTMLElement>('[data-path]')?.dataset['path']
        if (at !== undefined) setPath(at)
        return at !== undefined
      }}
      content={itemsFor(path, actions).map(({ label, hint, run }) => (
        <ContextItem key={label} hint={hint} onSelect={run}>
          {label}
        </ContextItem>
      ))}
    >
      {children}
    </ContextMenu>
  )
}
