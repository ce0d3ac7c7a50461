import type { ReactNode } from 'react'
import type { SkillSummary } from '@shared/domain/skill'
import { Button } from '../ui/button'
import { ContextItem, ContextSeparator } from '../ui/context-menu'
import { CaretDownIcon, DeleteIcon } from '../ui/icons'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu'
import { deleteSkills, openArrange } from './arranging-store'
import type { Asked } from './arranging-store'
import { words } from './strings'

type Skill = Pick<SkillSummary, 'key' | 'name' | 'scope'>

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
        <Button small>
          {words.more}
          <CaretDownIcon size={14} />
        </Button>
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

/** The same in the menu of a row; a delete takes all rows that are marked together with it. */
export function ArrangeItems(props: { skill: Skill; keys: readonly string[]; projectDir: string | null }) {
  const { skill, keys, projectDir } = props
  return (
    <>
      <ContextSeparator />
      {ASKED.map((kind) => (
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
