import type { ReactNode } from 'react'
import { IconButton } from '../ui/button'
import { ContextItem, ContextSeparator } from '../ui/context-menu'
import { DeleteIcon, MoreIcon } from '../ui/icons'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu'
import { deleteSkills, openArrange, openTransfer } from './arranging-store'
import type { Asked, ManyAsked, MeantSkill as Skill } from './arranging-store'
import { words } from './strings'

const ASKED: readonly Asked[] = ['duplicate', 'rename', 'move', 'copy']

/** What can be done with a skill's folder. What is refused says why in its dialog, and offers what can be done. */
export function ArrangeMenu(props: {
  skill: Skill
  projectDir: string | null
  /** Items that stand above them. */
  children?: ReactNode
}) {
  const { skill, projectDir, children } = props
  return (
    <Menu
      trigger={
        <IconButton label={words.more}>
          <MoreIcon />
        </IconButton>
      }
    >
      {children}
      {ASKED.map((kind) => (
        <MenuItem key={kind} onSelect={() => openArrange(kind, skill, projectDir)}>
          {words.menu[kind]}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon={<DeleteIcon size={14} />} onSelect={() => deleteSkills([skill.key], projectDir)}>
        {words.menu.delete}
      </MenuItem>
    </Menu>
  )
}

const MANY: readonly ManyAsked[] = ['move', 'copy']

/** The same in the menu of a row; with several marked, what can be done to all of them. */
export function ArrangeItems(props: { skill: Skill; meant: readonly Skill[]; projectDir: string | null }) {
  const { skill, meant, projectDir } = props
  const keys = meant.map(({ key }) => key)
  return (
    <>
      <ContextSeparator />
      {meant.length > 1
        ? MANY.map((kind) => (
            <ContextItem key={kind} onSelect={() => openTransfer(kind, meant, { projectDir })}>
              {words.many.menu[kind](meant.length)}
            </ContextItem>
          ))
        : ASKED.map((kind) => (
            <ContextItem key={kind} onSelect={() => openArrange(kind, skill, projectDir)}>
              {words.menu[kind]}
            </ContextItem>
          ))}
      <ContextItem icon={<DeleteIcon size={14} />} onSelect={() => deleteSkills(keys, projectDir)}>
        {words.menu.delete}
      </ContextItem>
    </>
  )
}
