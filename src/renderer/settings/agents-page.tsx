import { visibleLine } from '@shared/visible-text'
import { actions } from '../shell/actions'
import { useAgents } from '../stores/agents'
import { Button } from '../ui/button'
import { SelectField } from '../ui/field'
import type { PageProps } from './pages'
import { Page, Row, save } from './rows'

/** Who new chats are with. The agents themselves are files, told of in an area of their own. */
export function AgentsPage({ view: { settings } }: PageProps) {
  const { defaultAgent } = settings
  const usable = useAgents(null).filter(({ status }) => status === 'effective')
  const isThere = usable.some(({ name }) => name === defaultAgent)
  return (
    <Page title="Agents">
      <Row
        name="Default agent"
        hint="Who new chats are with. Each chat can choose another while nothing was said in it."
        onReset={defaultAgent === 'general' ? undefined : () => save({ defaultAgent: 'general' })}
      >
        <SelectField
          label="Default agent"
          value={defaultAgent}
          onChange={(event) => save({ defaultAgent: event.target.value })}
        >
          {!isThere && <option value={defaultAgent}>{`${visibleLine(defaultAgent)} (not there)`}</option>}
          {usable.map(({ name, label }) => (
            <option key={name} value={name}>
              {visibleLine(label)}
            </option>
          ))}
        </SelectField>
      </Row>
      <Row name="All agents" hint="What their files say, and what is wrong with them.">
        <Button small onClick={actions.areaAgents}>
          Show agents
        </Button>
      </Row>
    </Page>
  )
}
