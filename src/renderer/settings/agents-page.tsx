import { visibleLine } from '@shared/visible-text'
import { actions } from '../shell/actions'
import { useAgents } from '../stores/agents'
import { Button } from '../ui/button'
import { SelectField } from '../ui/field'
import type { PageProps } from './pages'
import { Page, Row, save } from './rows'
import { words } from './strings'

/** Who new chats are with. The agents themselves are files, told of in an area of their own. */
export function AgentsPage({ view: { settings } }: PageProps) {
  const { defaultAgent } = settings
  const usable = useAgents(null).filter(({ status }) => status === 'effective')
  const isThere = usable.some(({ name }) => name === defaultAgent)
  return (
    <Page title={words.agentsPage.agents}>
      <Row
        name={words.agentsPage.defaultAgent}
        hint={words.agentsPage.whoNewChatsAre}
        onReset={defaultAgent === 'general' ? undefined : () => save({ defaultAgent: 'general' })}
      >
        <SelectField
          label={words.agentsPage.defaultAgent}
          value={defaultAgent}
          onChange={(event) => save({ defaultAgent: event.target.value })}
        >
          {!isThere && (
            <option value={defaultAgent}>{words.agentsPage.notThere(visibleLine(defaultAgent))}</option>
          )}
          {usable.map(({ name, label }) => (
            <option key={name} value={name}>
              {visibleLine(label)}
            </option>
          ))}
        </SelectField>
      </Row>
      <Row name={words.agentsPage.allAgents} hint={words.agentsPage.whatTheirFilesSay}>
        <Button small onClick={actions.areaAgents}>
          {words.agentsPage.showAgents}
        </Button>
      </Row>
    </Page>
  )
}
