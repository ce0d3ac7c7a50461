/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a tree (APG): its items take the focus */
import { useRef, useState } from 'react'
import type { DragEvent, KeyboardEvent } from 'react'
import type { Draft, EditedSkill } from '@shared/domain/editing'
import { visibleLine } from '@shared/visible-text'
import { IconButton } from '../../ui/button'
import { CaretDownIcon, CaretRightIcon, PlusIcon, ReadIcon, RunIcon } from '../../ui/icons'
import { Menu, MenuItem } from '../../ui/menu'
import { FileContextMenu, FileMenu } from './file-menu'
import type { FileMenuActions } from './file-menu'
import { words } from '../strings'
import { isMain, treeRows } from './tree-rows'
import type { TreeRow } from './tree-rows'

/** What is asked of the files; each is carried out by the editor. */
export interface TreeActions {
  open: (path: string) => void
  add: (kind: 'file' | 'folder', below: string) => void
  rename: (path: string) => void
  remove: (path: string) => void
  dropped: (files: readonly File[], below: string) => void
  /** A file begins to be dragged to another program. */
  dragOut: (path: string) => void
  reveal: (path: string) => void
  copyPath: (path: string) => void
}

export interface FileTreeProps {
  skill: EditedSkill
  /** Of this skill. */
  drafts: readonly Draft[]
  path: string
  actions: TreeActions
}

/** The files of a skill: arrows move, Enter opens, F2 renames, Delete deletes. */
export function FileTree({ skill, drafts, path, actions }: FileTreeProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState(path)
  const tree = useRef<HTMLDivElement>(null)
  const rows = treeRows(skill.files, skill.folders, closed)
  const at = Math.max(0, indexOf(rows, current))
  const canChange = skill.whyNot === null
  const toggle = (folder: string): void => {
    setClosed((before) => {
      const next = new Set(before)
      if (!next.delete(folder)) next.add(folder)
      return next
    })
  }
  const go = (to: number): void => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, to))]
    if (!row) return
    setCurrent(row.path)
    tree.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(row.path)}"]`)?.focus()
  }
  const menu = menuOf(actions, canChange)
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[at]
    if (row && actOnKey(event.key, { row, at, go, toggle, actions, canChange })) event.preventDefault()
  }
  return (
    <div
      className="ed-tree"
      onDragOver={(event) => canChange && event.preventDefault()}
      onDrop={(event) => canChange && drop(event, actions)}
    >
      <div className="row ed-tree-head">
        <h2>{words.files}</h2>
        <span className="sp" />
        {canChange && <AddMenu below={folderFor(rows[at])} actions={actions} />}
      </div>
      <FileContextMenu actions={menu}>
        <div ref={tree} role="tree" aria-label={words.files} onKeyDown={onKeyDown} tabIndex={-1}>
          {rows.map((row, index) => (
            <Item
              key={row.path}
              row={row}
              isCurrent={index === at}
              isOpen={row.path === path}
              isUnsaved={drafts.some((draft) => draft.path === row.path)}
              onPick={() => {
                setCurrent(row.path)
                if (row.open === null) actions.open(row.path)
                else toggle(row.path)
              }}
              onDragOut={() => actions.dragOut(row.path)}
              menu={menu}
            />
          ))}
        </div>
      </FileContextMenu>
      {canChange && <p className="small t3 ed-tree-hint">{words.dropHere}</p>}
    </div>
  )
}

function indexOf(rows: readonly TreeRow[], path: string): number {
  return rows.findIndex((row) => row.path === path)
}

function menuOf(actions: TreeActions, canChange: boolean): FileMenuActions {
  const { reveal, copyPath } = actions
  return canChange ? { reveal, copyPath, change: actions } : { reveal, copyPath }
}

/** New files go beside the chosen one, or into the chosen folder. */
function folderFor(row: TreeRow | undefined): string {
  if (!row) return ''
  if (row.open !== null) return row.path
  return row.path.includes('/') ? row.path.slice(0, row.path.lastIndexOf('/')) : ''
}

interface Keyed {
  row: TreeRow
  at: number
  go: (to: number) => void
  toggle: (folder: string) => void
  actions: TreeActions
  canChange: boolean
}

function actOnKey(key: string, { row, at, go, toggle, actions, canChange }: Keyed): boolean {
  const keys: Record<string, () => void> = {
    ArrowDown: () => go(at + 1),
    ArrowUp: () => go(at - 1),
    Home: () => go(0),
    End: () => go(Infinity),
    ArrowRight: () => (row.open === false ? toggle(row.path) : go(at + 1)),
    ArrowLeft: () => (row.open === true ? toggle(row.path) : go(at - 1)),
    Enter: () => (row.open === null ? actions.open(row.path) : toggle(row.path)),
    ' ': () => (row.open === null ? actions.open(row.path) : toggle(row.path)),
    F2: () => canChange && !isMain(row.path) && actions.rename(row.path),
    Delete: () => canChange && !isMain(row.path) && actions.remove(row.path),
  }
  keys[key]?.()
  return Object.hasOwn(keys, key)
}

function drop(event: DragEvent, actions: TreeActions): void {
  event.preventDefault()
  const over = (event.target as HTMLElement).closest<HTMLElement>('[data-path]')
  const path = over?.dataset['path'] ?? ''
  const below = over?.getAttribute('aria-expanded') === null ? path.slice(0, path.lastIndexOf('/') + 1) : path
  actions.dropped([...event.dataTransfer.files], below.replace(/\/$/, ''))
}

interface ItemProps {
  row: TreeRow
  /** The item that Tab reaches. */
  isCurrent: boolean
  /** Its text is shown. */
  isOpen: boolean
  isUnsaved: boolean
  onPick: () => void
  onDragOut: () => void
  menu: FileMenuActions
}

function Item({ row, isCurrent, isOpen, isUnsaved, onPick, onDragOut, menu }: ItemProps) {
  const name = visibleLine(row.name)
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys are handled by the tree
    <div
      role="treeitem"
      className={isOpen ? 'li on' : 'li'}
      style={{ paddingInlineStart: 8 + (row.level - 1) * 16 }}
      tabIndex={isCurrent ? 0 : -1}
      aria-level={row.level}
      aria-selected={isOpen}
      {...(row.open === null ? {} : { 'aria-expanded': row.open })}
      data-path={row.path}
      draggable={row.open === null}
      onDragStart={(event) => {
        // The page's own drag would carry text; main begins one that carries the file.
        event.preventDefault()
        onDragOut()
      }}
      onClick={onPick}
    >
      <RowIcon row={row} />
      <span className="grow trunc mono">{name}</span>
      {isUnsaved && (
        <span className="st warn" title={words.unsaved}>
          <span aria-hidden="true">M</span>
          <span className="sr">{words.unsaved}</span>
        </span>
      )}
      {isCurrent && <FileMenu path={row.path} actions={menu} />}
    </div>
  )
}

function RowIcon({ row }: { row: TreeRow }) {
  if (row.open !== null) return row.open ? <CaretDownIcon size={14} /> : <CaretRightIcon size={14} />
  return row.isScript ? <RunIcon size={14} /> : <ReadIcon size={14} />
}

function AddMenu({ below, actions }: { below: string; actions: TreeActions }) {
  return (
    <Menu
      align="end"
      trigger={
        <IconButton tiny label={words.addFile}>
          <PlusIcon size={14} />
        </IconButton>
      }
    >
      <MenuItem onSelect={() => actions.add('file', below)}>{words.newFile}</MenuItem>
      <MenuItem onSelect={() => actions.add('folder', below)}>{words.newFolder}</MenuItem>
    </Menu>
  )
}
