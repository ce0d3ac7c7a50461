import type { ComponentPropsWithRef } from 'react'
import type { RequestPlan } from '@shared/domain/approval'
import { IconButton } from '../ui/button'
import { MoreIcon } from '../ui/icons'
import { Menu, MenuItem } from '../ui/menu'
import { words } from './words'

/** What can be done with a request besides answering it. Of what can't be changed there is nothing. */
export function MoreActs({ plan, onEdit }: { plan: RequestPlan; onEdit: () => void }) {
  if (plan.kind !== 'script' && plan.kind !== 'shell') return null
  return (
    <Menu side="top" trigger={<MoreButton />}>
      <MenuItem onSelect={onEdit}>{words.editAndRun}</MenuItem>
    </Menu>
  )
}

function MoreButton(props: ComponentPropsWithRef<'button'>) {
  return (
    <IconButton label={words.more} {...props}>
      <MoreIcon />
    </IconButton>
  )
}
