import { useState } from 'react'
import type { ReactNode } from 'react'
import type { SkillRoot } from '@shared/domain/skill'
import { visibleLine } from '@shared/visible-text'
import { api } from '../../api'
import { guarded } from '../../shell/actions'
import { saveSettings, settingsStore } from '../../stores/settings'
import { announce } from '../../ui/announce'
import { ContextItem, ContextMenu, ContextSeparator } from '../../ui/context-menu'
import { FolderOpenIcon, NotTrustedIcon, RetryIcon, RunIcon, WriteIcon } from '../../ui/icons'
import { library } from '../library-strings'

interface TreeMenuProps {
  roots: readonly SkillRoot[]
  projectDir: string | null
  children: ReactNode
}

/** What can be done with the folders of a place: show them, look again, and for another tool's whether it is written to. */
export function TreeMenu({ roots, projectDir, children }: TreeMenuProps) {
  const [locations, setLocations] = useState<readonly string[]>([])
  const [hasTerminal, setHasTerminal] = useState(false)
  const chosen = roots.filter(({ location }) => locations.includes(location))
  return (
    <ContextMenu
      onOpenAt={(target) => {
        const item = target.closest<HTMLElement>('[data-roots]')
        if (item) {
          setLocations((item.dataset['roots'] ?? '').split('\n').filter(Boolean))
          void guarded(async () => setHasTerminal((await api.call('desktop.hasTerminal', {})).found))
        }
        return item !== null
      }}
      content={
        <>
          {chosen.map((root) => (
            <ContextItem
              key={root.location}
              icon={<FolderOpenIcon size={14} />}
              disabled={root.state === 'missing'}
              hint={root.state === 'missing' ? library.notThereYet : visibleLine(root.location)}
              onSelect={() => reveal(projectDir, root.location)}
            >
              {library.showInFolder}
            </ContextItem>
          ))}
          {chosen.map((root) => (
            <TerminalItem key={root.location} root={root} projectDir={projectDir} hasTerminal={hasTerminal} />
          ))}
          {chosen.map((root) => (
            <WriteItem key={root.location} root={root} />
          ))}
          {chosen.length > 0 && <ContextSeparator />}
          <ContextItem icon={<RetryIcon size={14} />} onSelect={rescan}>
            {library.rescan}
          </ContextItem>
        </>
      }
    >
      {children}
    </ContextMenu>
  )
}

/** The system's terminal in the folder; where none was found it says so. */
function TerminalItem(props: { root: SkillRoot; projectDir: string | null; hasTerminal: boolean }) {
  const { projectDir, hasTerminal } = props
  const { location, state } = props.root
  const isThere = state !== 'missing'
  return (
    <ContextItem
      icon={<RunIcon size={14} />}
      disabled={!isThere || !hasTerminal}
      hint={hasTerminal || !isThere ? visibleLine(location) : library.noTerminal}
      onSelect={() =>
        void guarded(async () => void (await api.call('skills.openTerminal', { projectDir, location })))
      }
    >
      {library.openTerminal}
    </ContextItem>
  )
}

/** Only a person lets Satchel write into the folder of another tool. */
function WriteItem({ root: { toolId, readOnly } }: { root: SkillRoot }) {
  if (toolId === undefined) return null
  return (
    <ContextItem
      icon={readOnly ? <WriteIcon size={14} /> : <NotTrustedIcon size={14} />}
      onSelect={() => setWritable(toolId, readOnly)}
    >
      {readOnly ? library.letWrite : library.keepReadOnly}
    </ContextItem>
  )
}

function setWritable(toolId: string, on: boolean): void {
  const known = settingsStore.getState().view?.settings.writableTools ?? []
  const others = known.filter((id) => id !== toolId)
  void guarded(() => saveSettings({ writableTools: on ? [...others, toolId] : others }))
}

function reveal(projectDir: string | null, location: string): void {
  void guarded(async () => void (await api.call('skills.revealRoot', { projectDir, location })))
}

function rescan(): void {
  void guarded(async () => {
    await api.call('skills.rescan', {})
    announce(library.rescanned)
  })
}
