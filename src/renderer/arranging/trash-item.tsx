import { DeleteIcon } from '../ui/icons'
import { showTrash, useArranging } from './arranging-store'
import { words } from './strings'

/** The way to the trash, below the places of skills. */
export function TrashItem() {
  const on = useArranging((state) => state.trash)
  return (
    <button type="button" className={on ? 'li on' : 'li'} aria-current={on} onClick={showTrash}>
      <DeleteIcon size={14} />
      <span className="grow">{words.trash}</span>
    </button>
  )
}
