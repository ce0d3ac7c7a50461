import { SlidersHorizontalIcon as LayoutIcon } from '@phosphor-icons/react/dist/csr/SlidersHorizontal'
import {
  LIBRARY_COLUMNS,
  libraryLook,
  setDensity,
  showColumn,
  useLibraryLook,
} from '../../stores/library-look'
import { USUAL_LOOK } from '../../stores/library-look'
import { IconButton } from '../../ui/button'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu'
import { COLUMNS } from './columns'
import { library } from '../library-strings'

/** Which columns the list has, and how tall its rows are. */
export function LayoutMenu() {
  const { hidden, density } = useLibraryLook()
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={library.layout}>
          <LayoutIcon size={16} />
        </IconButton>
      }
    >
      <MenuLabel>{library.columns}</MenuLabel>
      {LIBRARY_COLUMNS.map((column) => (
        <MenuChoice
          key={column}
          checked={!hidden.includes(column)}
          onSelect={() => showColumn(column, hidden.includes(column))}
        >
          {COLUMNS.find((spec) => spec.column === column)?.label}
        </MenuChoice>
      ))}
      <MenuSeparator />
      <MenuLabel>{library.density}</MenuLabel>
      <MenuChoice checked={density === 'comfortable'} onSelect={() => setDensity('comfortable')}>
        {library.comfortable}
      </MenuChoice>
      <MenuChoice checked={density === 'compact'} onSelect={() => setDensity('compact')}>
        {library.compact}
      </MenuChoice>
      <MenuSeparator />
      <MenuItem onSelect={() => libraryLook.setState({ ...USUAL_LOOK, density })}>
        {library.usualWidths}
      </MenuItem>
    </Menu>
  )
}
