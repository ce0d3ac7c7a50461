import { memo, useState } from 'react'
import { parseSkillMd } from '@shared/skill-md'
import { DiffView } from '../../ui/diff-view'
import { Markdown } from '../../ui/markdown/markdown'
import { EmptyState } from '../../ui/note'
import { TabPanel, Tabs } from '../../ui/tabs'
import { SeenPanel } from './seen-panel'
import type { SeenPanelProps } from './seen-panel'
import { words } from '../strings'
import { isMain } from '../files/tree-rows'

export interface SidePanelProps extends SeenPanelProps {
  path: string
  onFile: (path: string) => void
}

/** Beside the text: what it becomes for an agent, as a page, and against the file. */
export const SidePanel = memo(function SidePanel(props: SidePanelProps) {
  const { path, text, saved } = props
  const [chosen, setTab] = useState('seen')
  const main = isMain(path)
  const isPage = main || /\.(?:md|markdown)$/i.test(path)
  const tabs = [
    ...(main ? [{ value: 'seen', label: words.seen }] : []),
    ...(isPage ? [{ value: 'rendered', label: words.rendered }] : []),
    { value: 'changes', label: words.changes },
  ]
  const tab = tabs.some(({ value }) => value === chosen) ? chosen : tabs[0]!.value
  return (
    <aside className="ed-side" aria-label={words.panel}>
      <Tabs label={words.panel} chips value={tab} onChange={setTab} tabs={tabs} className="ed-side-tabs">
        {main && (
          <TabPanel value="seen" className="ed-side-panel">
            <SeenPanel {...props} />
          </TabPanel>
        )}
        {isPage && (
          <TabPanel value="rendered" className="ed-side-panel doc">
            <Rendered {...props} />
          </TabPanel>
        )}
        <TabPanel value="changes" className="ed-side-panel">
          {text === saved ? (
            <EmptyState text={words.noChanges} />
          ) : (
            <DiffView before={saved} after={text} path={path} label={words.changes} wrap />
          )}
        </TabPanel>
      </Tabs>
    </aside>
  )
})

function Rendered({ path, text, folderName, files, onFile }: SidePanelProps) {
  const body = isMain(path) ? parseSkillMd(text, { folderName }).body : text
  const known = new Set(files.map((file) => file.path))
  return <Markdown text={body} onInternalLink={(link) => known.has(link) && onFile(link)} />
}
