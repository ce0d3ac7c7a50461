import type { SkillDetail } from '@shared/domain/skill'
import { visibleLine } from '@shared/visible-text'
import { api } from '../../api'
import { ArrangeMenu } from '../../arranging/arrange-menu'
import { guarded } from '../../shell/actions'
import { useProject } from '../../stores/projects'
import { useOrganisation } from '../../stores/settings'
import { Button } from '../../ui/button'
import { CaretDownIcon, FolderOpenIcon } from '../../ui/icons'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu'
import { AgentSwitches } from './agent-switches'
import { library } from '../library-strings'
import { revealSkill } from './switch-skills'
import { skillWords } from '../skill-strings'

export interface SkillActionsProps {
  detail: SkillDetail
  projectDir: string | null
}

/** What can be done with the folder of a skill. */
export function SkillMenu({ detail, projectDir }: SkillActionsProps) {
  return (
    <ArrangeMenu skill={detail} projectDir={projectDir}>
      <MenuItem icon={<FolderOpenIcon size={14} />} onSelect={() => revealSkill(detail.key)}>
        {library.showInFolder}
      </MenuItem>
      <MenuSeparator />
    </ArrangeMenu>
  )
}

/** By name, so that no other copy takes over; what the organisation gives can't be turned off (`product.md`, F5). */
export function SkillSwitch({ detail, projectDir }: SkillActionsProps) {
  const { name, status, copies } = detail
  const project = useProject(projectDir)
  const organisation = useOrganisation()
  if (status === 'off') {
    return (
      <Button small onClick={() => turn(name, [null, projectDir], true)}>
        {skillWords.skillActions.turnOn}
      </Button>
    )
  }
  if (copies.some((copy) => copy.used && copy.scope === 'enterprise')) {
    return (
      <Button small unavailable={library.managedBy(organisation)}>
        {skillWords.skillActions.turnOff}
      </Button>
    )
  }
  return (
    <Menu
      trigger={
        <Button small>
          {skillWords.skillActions.turnOff}
          <CaretDownIcon size={14} />
        </Button>
      }
    >
      <MenuLabel>{skillWords.skillActions.everyCopyNamed(visibleLine(name))}</MenuLabel>
      {project && (
        <MenuItem hint={visibleLine(project.name)} onSelect={() => turn(name, [project.dir], false)}>
          {skillWords.skillActions.turnOffHere}
        </MenuItem>
      )}
      <MenuItem onSelect={() => turn(name, [null], false)}>
        {skillWords.skillActions.turnOffEverywhere}
      </MenuItem>
      <AgentSwitches name={name} projectDir={projectDir} />
    </Menu>
  )
}

/** In each of these places (null: everywhere); where it is so already, nothing happens. */
function turn(name: string, places: readonly (string | null)[], on: boolean): void {
  void guarded(async () => {
    for (const projectDir of new Set(places)) await api.call('skills.switch', { projectDir, name, on })
  })
}
