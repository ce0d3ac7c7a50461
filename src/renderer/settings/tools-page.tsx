import { useEffect } from 'react'
import type { McpServerView } from '@shared/domain/mcp'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { refreshMcp, useMcp } from '../stores/mcp'
import { saveSettings } from '../stores/settings'
import { Button } from '../ui/button'
import { Switch } from '../ui/field'
import { plural } from '../ui/format'
import { StatusMark, type Tone } from '../ui/marks'
import { Note } from '../ui/note'
import { VisibleText } from '../ui/visible-text'
import type { PageProps } from './pages'
import { Page } from './rows'

/** The MCP servers of the person's own file; they are written down there, and turned off here. */
export function ToolsPage({ view: { settings } }: PageProps) {
  const view = useMcp((state) => state.view)
  useEffect(() => void guarded(refreshMcp), [])
  const turn = ({ name }: McpServerView, on: boolean) => {
    const others = settings.mcpOff.filter((other) => other !== name)
    void guarded(async () => {
      await saveSettings({ mcpOff: on ? others : [...others, name] })
      await refreshMcp()
    })
  }
  return (
    <Page title="Tools">
      <div className="row set-sub">
        <h3>MCP servers</h3>
        <span className="sp" />
        <Button small onClick={() => void guarded(refreshMcp)}>
          Read the file again
        </Button>
      </div>
      <p className="small t3 set-lead">
        Programs and addresses that give agents more tools. Write them down in{' '}
        <code>~/.satchel/mcp.json</code>; a project can’t bring any. Every call asks you first, unless an
        agent’s file allows the tool.
      </p>
      {view?.notes.map((note) => (
        <Note key={note} tone="warn">
          <VisibleText text={note} />
        </Note>
      ))}
      {view && (
        <ul className="set-providers" aria-label="MCP servers">
          {view.servers.length === 0 && <li className="small t3">There is none yet.</li>}
          {view.servers.map((server) => (
            <ServerRow key={server.name} server={server} onTurn={(on) => turn(server, on)} />
          ))}
        </ul>
      )}
    </Page>
  )
}

const STATES: Record<McpServerView['status'], [Tone, string]> = {
  off: ['off', 'Off'],
  idle: ['off', 'Starts when an agent needs it'],
  starting: ['off', 'Starting'],
  ready: ['ok', 'Ready'],
  failed: ['bad', 'Not working'],
}

function ServerRow({ server, onTurn }: { server: McpServerView; onTurn: (on: boolean) => void }) {
  const { name, status, target, tools, error, notes } = server
  const [tone, word] = STATES[status]
  const again = () => void guarded(async () => void (await api.call('mcp.again', { name })))
  return (
    <li>
      <div className="set-provider" data-state={status}>
        <div className="row">
          <span className="m">{name}</span>
          <StatusMark tone={tone}>{word}</StatusMark>
          <span className="sp" />
          {(status === 'failed' || status === 'idle') && (
            <Button small onClick={again}>
              {status === 'failed' ? 'Try again' : 'Start'}
              <span className="sr">{` ${name}`}</span>
            </Button>
          )}
          <Switch label={`Use ${name}`} checked={status !== 'off'} onChange={onTurn} />
        </div>
        <code className="small t3 set-path">
          <VisibleText text={target} />
        </code>
        {status === 'ready' && (
          <div className="small t2 set-path">
            {`${plural(tools.length, 'tool', 'tools')}${tools.length > 0 ? ': ' : ''}`}
            <VisibleText text={tools.join(', ')} />
          </div>
        )}
        {error !== '' && (
          <pre className="small set-said">
            <VisibleText text={error} />
          </pre>
        )}
        {notes.map((note) => (
          <div key={note} className="small t2 set-path">
            <VisibleText text={note} />
          </div>
        ))}
      </div>
    </li>
  )
}
