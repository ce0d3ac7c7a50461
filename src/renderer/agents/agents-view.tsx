import type { AgentStatus, AgentSummary } from '@shared/domain/agent'
import type { Diagnostic } from '@shared/domain/skill'
import { visibleLine } from '@shared/visible-text'
import { api } from '../api'
import { saveSettings, useSettings } from '../stores/settings'
import { useAgentList } from '../stores/agents'
import { guarded, newChat } from '../shell/actions'
import { useCurrentProjectDir } from '../stores/current-project'
import { Button } from '../ui/button'
import { AgentIcon, FolderOpenIcon, PlusIcon } from '../ui/icons'
import { ScopeMark, StatusMark, Tag } from '../ui/marks'
import type { Tone } from '../ui/marks'
import { Note } from '../ui/note'
import { PropertyList } from '../ui/property-list'
import { VisibleText } from '../ui/visible-text'
import { agentFacts, inOrder } from './agent-facts'
import './agents.css'
import { agents as words } from './strings'

const TONES = {
  effective: 'ok',
  shadowed: 'off',
  broken: 'bad',
  'not-trusted': 'warn',
} satisfies Record<AgentStatus, Tone>

/** The agents area: every file of an agent as seen from the project of the chat, with what it says and what is wrong. */
export function AgentsView() {
  const projectDir = useCurrentProjectDir()
  const { agents, notes } = useAgentList(projectDir)
  const chosen = useSettings((state) => state.view?.settings.defaultAgent)
  return (
    <>
      <div className="hd">
        <h1 tabIndex={-1}>{words.title}</h1>
      </div>
      <div className="agents">
        <p className="small t3">
          {words.lead} <code>~/.satchel/agents</code>
        </p>
        {notes.map((note) => (
          <Note key={note} tone="warn">
            <VisibleText text={note} />
          </Note>
        ))}
        <ul aria-label={words.list}>
          {inOrder(agents).map((agent) => (
            <li key={`${agent.scope} ${agent.location}`}>
              <AgentCard
                agent={agent}
                projectDir={projectDir}
                isDefault={agent.status === 'effective' && agent.name === chosen}
              />
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}

interface CardProps {
  agent: AgentSummary
  projectDir: string | null
  isDefault: boolean
}

function AgentCard(props: CardProps) {
  const { agent } = props
  const isUsed = agent.status === 'effective'
  return (
    <article className="agent" data-agent={agent.name} data-state={agent.status}>
      <CardHead {...props} />
      <p className="t2">
        <VisibleText text={agent.description} />
      </p>
      {agent.statusReason !== '' && (
        <p className="small t2">
          <VisibleText text={agent.statusReason} />
        </p>
      )}
      <Problems problems={agent.problems} />
      {isUsed && <PropertyList rows={agentFacts(agent)} />}
      <p className="small t3 mono">{visibleLine(agent.location)}</p>
    </article>
  )
}

function CardHead({ agent, projectDir, isDefault }: CardProps) {
  const { name, scope, status } = agent
  const label = visibleLine(agent.label)
  return (
    <div className="row agent-head">
      <AgentIcon size={16} className="t2" aria-hidden="true" />
      <h2 className="trunc">{label}</h2>
      <ScopeMark scope={scope} />
      {status !== 'effective' && <StatusMark tone={TONES[status]}>{words.status[status]}</StatusMark>}
      {isDefault && <Tag>{words.isDefault}</Tag>}
      <span className="sp" />
      {status === 'effective' && !isDefault && (
        <Button
          small
          variant="quiet"
          unavailable={scope === 'project' && words.ofProject}
          onClick={() => void guarded(() => saveSettings({ defaultAgent: name }))}
        >
          {words.makeDefault}
          <span className="sr">{`: ${label}`}</span>
        </Button>
      )}
      <Button
        small
        variant="quiet"
        icon={<FolderOpenIcon size={14} />}
        onClick={() =>
          void guarded(async () => void (await api.call('agents.reveal', { projectDir, name, scope })))
        }
      >
        {words.reveal}
        <span className="sr">{words.of(label)}</span>
      </Button>
      {status === 'effective' && (
        <Button
          small
          icon={<PlusIcon size={14} />}
          onClick={() => void guarded(() => newChat(projectDir, name))}
        >
          {words.newChat}
          <span className="sr">{words.with(label)}</span>
        </Button>
      )}
    </div>
  )
}

function Problems({ problems }: { problems: readonly Diagnostic[] }) {
  if (problems.length === 0) return null
  return (
    <ul className="agent-problems">
      {problems.map(({ code, severity, message, fix, line }) => (
        <li key={`${code} ${line ?? ''} ${message}`} className="small row">
          <StatusMark tone={severity === 'error' ? 'bad' : severity === 'warning' ? 'warn' : 'off'}>
            <span>
              {line !== undefined && words.agentsView.line(line)}
              <VisibleText text={[message, fix].filter(Boolean).join(' ')} />
            </span>
          </StatusMark>
        </li>
      ))}
    </ul>
  )
}
