import { useEffect, useState } from 'react'
import { visibleLine } from '@shared/visible-text'
import { api } from '../../api'
import { guarded } from '../../shell/actions'
import { MenuChoice, SubMenu } from '../../ui/menu'
import { library } from '../library-strings'

/** On or off for each agent; a mark means on. By name, as every switch. */
export function AgentSwitches({ name, projectDir }: { name: string; projectDir: string | null }) {
  return (
    <SubMenu label={library.forAnAgent}>
      <Agents name={name} projectDir={projectDir} />
    </SubMenu>
  )
}

/** Drawn, and asked for, only once the menu is open. */
function Agents({ name, projectDir }: { name: string; projectDir: string | null }) {
  const [agents, setAgents] = useState<readonly { agent: string; on: boolean }[]>([])
  useEffect(() => {
    void guarded(async () => setAgents(await api.call('skills.agentSwitches', { projectDir, name })))
  }, [name, projectDir])
  return agents.map(({ agent, on }) => (
    <MenuChoice key={agent} checked={on} onSelect={() => turnFor({ name, projectDir, agent }, !on)}>
      {visibleLine(agent)}
    </MenuChoice>
  ))
}

/** Off for the agent everywhere; on again wherever it was off for it. */
function turnFor(
  { name, projectDir, agent }: { name: string; projectDir: string | null; agent: string },
  on: boolean,
): void {
  void guarded(async () => {
    for (const dir of new Set(on ? [null, projectDir] : [null])) {
      await api.call('skills.switch', { projectDir: dir, name, agent, on })
    }
  })
}
