import { visibleLine } from '@shared/visible-text'
import { deleteSkills, openTransfer } from '../../arranging/arranging-store'
import { words } from '../../arranging/strings'
import { useProject } from '../../stores/projects'
import { Button } from '../../ui/button'
import { CaretDownIcon, DeleteIcon } from '../../ui/icons'
import { Menu, MenuItem } from '../../ui/menu'
import type { GridRow } from './grid-rows'
import { library } from '../library-strings'
import { clearMarks } from '../tree/skills-place'
import { switchSkills } from '../preview/switch-skills'

/** What can be done to all marked rows that are shown; nothing while none is marked. */
export function BulkBar(props: {
  rows: readonly GridRow[]
  marked: ReadonlySet<string>
  projectDir: string | null
}) {
  const { rows, marked, projectDir } = props
  const project = useProject(projectDir)
  const skills = rows.filter(({ skill }) => marked.has(skill.key)).map(({ skill }) => skill)
  if (skills.length === 0) return null
  const names = skills.map(({ name }) => name)
  return (
    <div className="row skl-bulk" role="toolbar" aria-label={library.selected(skills.length)}>
      <span className="small m num">{library.selected(skills.length)}</span>
      <Menu
        trigger={
          <Button small>
            {library.turnOff}
            <CaretDownIcon size={14} />
          </Button>
        }
      >
        {project && (
          <MenuItem
            hint={visibleLine(project.name)}
            onSelect={() => switchSkills(names, [project.dir], false)}
          >
            {library.turnOffHere}
          </MenuItem>
        )}
        <MenuItem onSelect={() => switchSkills(names, [null], false)}>{library.turnOffEverywhere}</MenuItem>
      </Menu>
      {skills.some(({ status }) => status === 'off') && (
        <Button small onClick={() => switchSkills(names, [null, projectDir], true)}>
          {library.turnOn}
        </Button>
      )}
      <Button small onClick={() => openTransfer('move', skills, { projectDir })}>
        {words.menu.move}
      </Button>
      <Button small onClick={() => openTransfer('copy', skills, { projectDir })}>
        {words.menu.copy}
      </Button>
      <Button
        small
        icon={<DeleteIcon size={14} />}
        onClick={() => {
          const keys = skills.map(({ key }) => key)
          clearMarks()
          deleteSkills(keys, projectDir)
        }}
      >
        {words.menu.delete}
      </Button>
      <span className="sp" />
      <Button small variant="quiet" onClick={clearMarks}>
        {library.clearSelection}
      </Button>
    </div>
  )
}
