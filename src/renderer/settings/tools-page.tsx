import { useEffect, useState } from 'react'
import type { McpServerView } from '@shared/domain/mcp'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { refreshMcp, showMcp, useMcp } from '../stores/mcp'
import { saveSettings } from '../stores/settings'
import { Button, IconButton } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Switch } from '../ui/field'
import { plural } from '../ui/format'
import { DeleteIcon, MoreIcon, PlusIcon, WriteIcon } from '../ui/icons'
import { StatusMark, type Tone } from '../ui/marks'
import { Menu, MenuItem } from '../ui/menu'
import { Note } from '../ui/note'
import { VisibleText } from '../ui/visible-text'
import { draftOf, NEW_SERVER } from './mcp-draft'
import type { McpDraft } from './mcp-draft'
import { McpForm } from './mcp-form'
import type { PageProps } from './pages'
import { Page } from './rows'
import { SecretsPart } from './secrets-part'

/** The MCP servers of the person's own file: added, changed, tested, turned off and removed. */
export function ToolsPage({ view: all }: PageProps) {
  const { settings, keychain } = all
  const view = useMcp((state) => state.view)
  const [draft, setDraft] = useState<McpDraft | null>(null)
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
        <Button small variant="quiet" onClick={() => void guarded(refreshMcp)}>
          Read the file again
        </Button>
        <Button small icon={<PlusIcon size={14} />} onClick={() => setDraft(NEW_SERVER)}>
          Add server
        </Button>
      </div>
      <p className="small t3 set-lead">
        Programs and addresses that give agents more tools. They stand in <code>~/.satchel/mcp.json</code>,
        their keys in the keyring; a project can’t bring any. Every call asks you first, unless an agent’s
        file allows the tool.
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
            <ServerRow
              key={server.name}
              server={server}
              onTurn={(on) => turn(server, on)}
              onEdit={() => setDraft(draftOf(server))}
            />
          ))}
        </ul>
      )}
      {draft && (
        <McpForm
          start={draft}
          server={view?.servers.find(({ name }) => name === draft.was)}
          keychain={keychain}
          onClose={() => setDraft(null)}
        />
      )}
      <SecretsPart view={all} />
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

function ServerRow(props: { server: McpServerView; onTurn: (on: boolean) => void; onEdit: () => void }) {
  const { server, onTurn, onEdit } = props
  const { name, status, target, tools, error, notes, keys } = server
  const missing = keys.filter(({ from }) => from === 'missing').map((key) => key.name)
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
              {status === 'failed' ? 'Try again' : 'Test'}
              <span className="sr">{` ${name}`}</span>
            </Button>
          )}
          <ServerMenu name={name} onEdit={onEdit} />
          <Switch label={`Use ${name}`} checked={status !== 'off'} onChange={onTurn} />
        </div>
        <code className="small t3 set-path">
          <VisibleText text={target} />
        </code>
        {status === 'ready' && (
          <div className="small t2 set-path">
            {`${plural(tools.length, { one: 'tool', other: 'tools' })}${tools.length > 0 ? ': ' : ''}`}
            <VisibleText text={tools.join(', ')} />
          </div>
        )}
        {missing.length > 0 && status !== 'failed' && (
          <StatusMark tone="warn">{`Not set yet: ${missing.join(', ')}`}</StatusMark>
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

/** Removing asks once: keys that were entered are forgotten with it. */
function ServerMenu({ name, onEdit }: { name: string; onEdit: () => void }) {
  const [asking, setAsking] = useState(false)
  const remove = () => {
    setAsking(false)
    void guarded(async () => showMcp(await api.call('mcp.remove', { name })))
  }
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton label={`More for ${name}`}>
            <MoreIcon />
          </IconButton>
        }
      >
        <MenuItem icon={<WriteIcon size={14} />} onSelect={onEdit}>
          Change…
        </MenuItem>
        <MenuItem icon={<DeleteIcon size={14} />} onSelect={() => setAsking(true)}>
          Remove…
        </MenuItem>
      </Menu>
      <Dialog
        open={asking}
        title={`Remove ${name}?`}
        onClose={() => setAsking(false)}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>Keep server</Button>
            <Button variant="solid" onClick={remove}>
              Remove server
            </Button>
          </>
        }
      >
        It is taken out of ~/.satchel/mcp.json, and the keys that you entered for it are forgotten.
      </Dialog>
    </>
  )
}
