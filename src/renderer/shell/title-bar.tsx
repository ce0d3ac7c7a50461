import { visibleLine } from '@shared/visible-text'
import { useProjects } from '../stores/projects'
import { useCurrentProjectName } from '../stores/current-project'
import { showsSidebar, useUi } from '../stores/ui'
import { IconButton } from '../ui/button'
import {
  ArrowLeftIcon,
  ArrowRightIcon,
  CaretDownIcon,
  FolderPlusIcon,
  PlusIcon,
  ProjectIcon,
  SearchIcon,
  SidebarIcon,
} from '../ui/icons'
import { Kbd } from '../ui/kbd'
import { isMac } from '../ui/keys'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu'
import { actions, guarded, newChat } from './actions'
import { shell } from './strings'

/** The 44 px row: sidebar, history, and which project the window works in. */
export function TitleBar() {
  const sidebar = useUi(showsSidebar)
  const canBack = useUi((state) => state.back.length > 0)
  const canForward = useUi((state) => state.forward.length > 0)
  const [backKeys, forwardKeys] = isMac() ? ['Mod+[', 'Mod+]'] : ['Alt+ArrowLeft', 'Alt+ArrowRight']
  return (
    <header className="tb" data-pane="title">
      <IconButton
        label={sidebar ? shell.hideSidebar : shell.showSidebar}
        shortcut="Mod+B"
        aria-expanded={sidebar}
        onClick={actions.toggleSidebar}
      >
        <SidebarIcon />
      </IconButton>
      <IconButton
        label={shell.back}
        shortcut={backKeys}
        unavailable={!canBack && shell.nowhereBack}
        onClick={actions.back}
      >
        <ArrowLeftIcon />
      </IconButton>
      <IconButton
        label={shell.forward}
        shortcut={forwardKeys}
        unavailable={!canForward && shell.nowhereForward}
        onClick={actions.forward}
      >
        <ArrowRightIcon />
      </IconButton>
      <span className="sp" />
      <button type="button" className="pal-open" aria-haspopup="dialog" onClick={actions.palette}>
        <SearchIcon size={14} />
        <span className="grow trunc">{shell.search}</span>
        <Kbd keys="Mod+K" />
      </button>
      <span className="sp" />
      <ProjectMenu />
    </header>
  )
}

function ProjectMenu() {
  const projects = useProjects((state) => state.projects)
  const name = useCurrentProjectName()
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="pick t2">
          <ProjectIcon size={14} />
          {name === null ? shell.noProject : visibleLine(name)}
          <CaretDownIcon size={14} />
        </button>
      }
    >
      {projects.map((project) => (
        <MenuItem
          key={project.dir}
          icon={<PlusIcon size={14} />}
          disabled={!project.exists}
          onSelect={() => void guarded(() => newChat(project.dir))}
        >
          {shell.newChatIn(visibleLine(project.name))}
        </MenuItem>
      ))}
      {projects.length > 0 && <MenuSeparator />}
      <MenuItem icon={<FolderPlusIcon size={14} />} onSelect={actions.openProject}>
        {shell.openProject}
      </MenuItem>
    </Menu>
  )
}
