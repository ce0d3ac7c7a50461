import { useEffect, useState } from 'react'
import type { McpServerView } from '@shared/domain/mcp'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { refreshMcp, showMcp, useMcp } from '../stores/mcp'
import { saveSettings } from '../stores/settings'
import { Button, IconButton } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Switch } from '../ui/field'
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
import { words } from './tool-strings'

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
    <Page title={words.toolsPage.tools}>
      <div className="row set-sub">
        <h3>{words.toolsPage.mcpServers}</h3>
        <span className="sp" />
        <Button small variant="quiet" onClick={() => void guarded(refreshMcp)}>
          {words.toolsPage.readTheFileAgain}
        </Button>
        <Button small icon={<PlusIcon size={14} />} onClick={() => setDraft(NEW_SERVER)}>
          {words.toolsPage.addServer}
        </Button>
      </div>
      <p className="small t3 set-lead">
        {words.toolsPage.programsAndAddressesThat}
        <code>~/.satchel/mcp.json</code>
        {words.toolsPage.theirKeysInThe}
      </p>
      {view?.notes.map((note) => (
        <Note key={note} tone="warn">
          <VisibleText text={note} />
        </Note>
      ))}
      {view && (
        <ul className="set-providers" aria-label={words.toolsPage.mcpServers}>
          {view.servers.length === 0 && <li className="small t3">{words.toolsPage.thereIsNoneYet}</li>}
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
  off: ['off', words.toolsPage.off],
  idle: ['off', words.toolsPage.startsWhenAnAgent],
  starting: ['off', words.toolsPage.starting],
  ready: ['ok', words.toolsPage.ready],
  failed: ['bad', words.toolsPage.notWorking],
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
              {status === 'failed' ? words.toolsPage.tryAgain : words.toolsPage.test}
              <span className="sr">{` ${name}`}</span>
            </Button>
          )}
          <ServerMenu name={name} onEdit={onEdit} />
          <Switch label={words.toolsPage.use(name)} checked={status !== 'off'} onChange={onTurn} />
        </div>
        <code className="small t3 set-path">
          <VisibleText text={target} />
        </code>
        {status === 'ready' && (
          <div className="small t2 set-path">
            {words.toolsPage.toolsLengthTool(tools.length)}
            <VisibleText text={tools.join(', ')} />
          </div>
        )}
        {missing.length > 0 && status !== 'failed' && (
          <StatusMark tone="warn">{words.toolsPage.notSetYet(missing.join(', '))}</StatusMark>
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
          <IconButton label={words.toolsPage.moreFor(name)}>
            <MoreIcon />
          </IconButton>
        }
      >
        <MenuItem icon={<WriteIcon size={14} />} onSelect={onEdit}>
          {words.toolsPage.change}
        </MenuItem>
        <MenuItem icon={<DeleteIcon size={14} />} onSelect={() => setAsking(true)}>
          {words.toolsPage.remove}
        </MenuItem>
      </Menu>
      <Dialog
        open={asking}
        title={words.toolsPage.remove2(name)}
        onClose={() => setAsking(false)}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>{words.toolsPage.keepServer}</Button>
            <Button variant="solid" onClick={remove}>
              {words.toolsPage.removeServer}
            </Button>
          </>
        }
      >
        {words.toolsPage.itIsTakenOut}
      </Dialog>
    </>
  )
}
