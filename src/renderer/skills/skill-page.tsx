import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { SkillDetail } from '@shared/domain/skill'
import { fieldUse } from '@shared/skill-md/field-table'
import { visibleLine } from '@shared/visible-text'
import { IconButton } from '../ui/button'
import { ArrowLeftIcon } from '../ui/icons'
import { Markdown } from '../ui/markdown/markdown'
import { ScopeMark } from '../ui/marks'
import { EmptyState, Note } from '../ui/note'
import { TabPanel, Tabs } from '../ui/tabs'
import { VisibleText } from '../ui/visible-text'
import { CopyStack } from './copy-stack'
import { SkillActions } from './skill-actions'
import { SkillFiles } from './skill-files'
import { Problems } from './skill-problems'
import { CostBars, Origin, Tags } from './skill-sections'
import { ProblemMark, Status } from './status'
import type { Loaded } from './use-skills'

export interface SkillPageProps {
  loaded: Loaded<SkillDetail>
  projectDir: string | null
  /** The tab in front at first. */
  startTab: string
  onBack: () => void
}

/** One skill in full, read-only: its text as the agent gets it, its files, and what is wrong with it. */
export function SkillPage({ loaded, projectDir, startTab, onBack }: SkillPageProps) {
  const detail = loaded.value
  const heading = useRef<HTMLHeadingElement>(null)
  const [tab, setTab] = useState(startTab)
  const [file, setFile] = useState<string | null>(null)
  const shown = detail !== undefined
  useEffect(() => {
    if (shown) heading.current?.focus()
  }, [shown])
  const openFile = (path: string): void => {
    setFile(path)
    setTab('files')
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape goes back from any part
    <section className="skpage" onKeyDown={(event) => event.key === 'Escape' && onBack()}>
      <PageHead detail={detail} projectDir={projectDir} onBack={onBack} heading={heading} />
      {loaded.error && <Note tone="bad">{loaded.error}</Note>}
      {detail && (
        <Tabs
          className="skpage-tabs"
          label="Skill"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'overview', label: 'Overview' },
            { value: 'files', label: tabLabel('Files', detail.fileList.length) },
            { value: 'problems', label: tabLabel('Problems', detail.diagnostics.length) },
          ]}
        >
          <TabPanel value="overview" className="skpage-panel skpage-overview">
            <Overview detail={detail} projectDir={projectDir} onFile={openFile} />
          </TabPanel>
          <TabPanel value="files" className="skpage-panel" passFocus>
            <SkillFiles detail={detail} projectDir={projectDir} chosen={file} onChoose={setFile} />
          </TabPanel>
          <TabPanel value="problems" className="skpage-panel skpage-pad">
            <Problems detail={detail} />
          </TabPanel>
        </Tabs>
      )}
    </section>
  )
}

function PageHead(props: {
  detail: SkillDetail | undefined
  projectDir: string | null
  heading: RefObject<HTMLHeadingElement | null>
  onBack: () => void
}) {
  const { detail, projectDir, heading, onBack } = props
  return (
    <div className="hd">
      <IconButton label="Back to the list" shortcut="Escape" onClick={onBack}>
        <ArrowLeftIcon />
      </IconButton>
      <h1 ref={heading} tabIndex={-1} className="mono">
        {detail ? visibleLine(detail.name) : 'Skill'}
      </h1>
      {detail && (
        <>
          <ScopeMark scope={detail.scope} />
          <Status skill={detail} />
          <ProblemMark skill={detail} words />
          <span className="small t3 mono trunc">{visibleLine(detail.location)}</span>
          <span className="sp" />
          <SkillActions detail={detail} projectDir={projectDir} />
        </>
      )}
    </div>
  )
}

function tabLabel(name: string, count: number) {
  return (
    <>
      {name}
      <span className="num t3">{count}</span>
    </>
  )
}

function Overview(props: { detail: SkillDetail; projectDir: string | null; onFile: (path: string) => void }) {
  const { detail, projectDir, onFile } = props
  const known = new Set(detail.fileList.map((file) => file.path))
  return (
    <>
      <article className="doc" aria-label="Instructions">
        {detail.body.trim() === '' ? (
          <EmptyState text="SKILL.md has no instructions after its header." />
        ) : (
          <Markdown text={detail.body} onInternalLink={(path) => known.has(path) && onFile(path)} />
        )}
      </article>
      <div className="skpage-meta">
        {detail.statusReason && (
          <p className="small t2">
            <VisibleText text={detail.statusReason} />
          </p>
        )}
        <Tags tags={detail.tags} />
        <CopyStack detail={detail} projectDir={projectDir} />
        <CostBars detail={detail} />
        <Origin detail={detail} />
        <Header detail={detail} />
      </div>
    </>
  )
}

/** Every key of the header, unknown ones included, and what Satchel does with it. */
function Header({ detail }: { detail: SkillDetail }) {
  return (
    <section>
      <h2>Header</h2>
      {detail.frontmatter.length === 0 ? (
        <p className="small t3">SKILL.md has no readable header.</p>
      ) : (
        <table>
          <tbody>
            {detail.frontmatter.map(({ key, value }) => (
              <tr key={key}>
                <th scope="row" className="mono">
                  {visibleLine(key)}
                </th>
                <td>
                  <VisibleText text={value} />
                  <div className="small t3">{fieldUse(key).what}</div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
