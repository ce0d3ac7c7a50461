import { lazy, Suspense, useCallback, useEffect, useRef } from 'react'
import type { ReactNode, RefObject } from 'react'
import type { SkillDetail } from '@shared/domain/skill'
import { visibleLine } from '@shared/visible-text'
import { announce } from '../../ui/announce'
import { Button, IconButton } from '../../ui/button'
import { formatNumber } from '../../ui/format'
import { ArrowLeftIcon, SharedIcon } from '../../ui/icons'
import { ScopeMark } from '../../ui/marks'
import { EmptyState, Note } from '../../ui/note'
import { TabPanel, Tabs } from '../../ui/tabs'
import { Waiting } from '../../ui/waiting'
import { AgentView } from './agent-view'
import { closeSkillPage, showFile, showScript, showTab } from './open-skill'
import { Overview } from './overview'
import { Problems } from './problems'
import { Scripts } from './scripts'
import { formatSkillAddress } from './skill-address'
import type { PageTab, SkillAddress } from './skill-address'
import { page } from './strings'
import { Usage } from './usage'
import { Versions } from './versions'
import { Where } from './where'
import { GoneSkills } from '../list/gone-skills'
import { SkillMenu, SkillSwitch } from '../preview/skill-actions'
import { SkillFiles } from '../preview/skill-files'
import { asCounted } from '../preview/skill-facts'
import { ProblemMark, Status } from '../list/status'
import type { Loaded } from '../use-skills'
import { skillWords } from '../skill-strings'

/** With the text editor: loaded when it is opened first. */
const SkillEditor = lazy(async () => ({
  default: (await import('../../editor/skill-editor')).SkillEditor,
}))

export interface SkillPageProps {
  address: SkillAddress
  loaded: Loaded<SkillDetail>
  projectDir: string | null
}

interface PartProps {
  detail: SkillDetail
  address: SkillAddress
  projectDir: string | null
}

interface Part {
  tab: PageTab
  /** Behind the name of the tab; null: nothing stands there. */
  count: (detail: SkillDetail) => number | null
  className: string
  /** What is in it takes the focus itself. */
  passFocus?: boolean
  draw: (props: PartProps) => ReactNode
}

/** The parts of the page, in the order of their tabs. */
const PARTS: readonly Part[] = [
  {
    tab: 'overview',
    count: () => null,
    className: 'skpage-overview',
    draw: (props) => <OverviewPart {...props} />,
  },
  {
    tab: 'edit',
    count: () => null,
    className: 'skpage-edit',
    passFocus: true,
    draw: ({ detail, projectDir }) => (
      <Suspense fallback={<Waiting text={page.reading} />}>
        <SkillEditor key={detail.key} detail={detail} projectDir={projectDir} />
      </Suspense>
    ),
  },
  {
    tab: 'files',
    count: ({ fileList }) => fileList.length,
    className: '',
    passFocus: true,
    draw: (props) => <FilesPart {...props} />,
  },
  {
    tab: 'scripts',
    count: ({ scripts }) => scripts,
    className: '',
    passFocus: true,
    draw: ({ detail, address, projectDir }) => (
      <Scripts
        detail={detail}
        projectDir={projectDir}
        address={address}
        onChoose={(path, line) => showScript(address, path, line)}
      />
    ),
  },
  {
    tab: 'problems',
    count: (detail) => asCounted(detail).problems || null,
    className: 'skpage-pad',
    draw: ({ detail, address, projectDir }) => (
      <Problems
        detail={detail}
        projectDir={projectDir}
        onPlace={(file, line) => showFile(address, file, line)}
      />
    ),
  },
  {
    tab: 'source',
    count: () => null,
    className: 'skpage-pad',
    draw: ({ detail, projectDir }) => <Versions detail={detail} projectDir={projectDir} />,
  },
  {
    tab: 'usage',
    count: () => null,
    className: 'skpage-pad',
    draw: ({ detail, projectDir }) => <Usage detail={detail} projectDir={projectDir} />,
  },
  {
    tab: 'agent',
    count: () => null,
    className: 'skpage-pad',
    draw: ({ detail, projectDir }) => <AgentView detail={detail} projectDir={projectDir} />,
  },
  {
    tab: 'where',
    count: () => null,
    className: 'skpage-pad',
    draw: ({ detail, address, projectDir }) => (
      <Where
        detail={detail}
        projectDir={projectDir}
        onLine={(line) => showFile(address, skillMdName(detail), line)}
      />
    ),
  },
]

/** One skill in full: its text as the agent gets it, its files, what is wrong with it, and what was done with it. */
export function SkillPage({ address, loaded, projectDir }: SkillPageProps) {
  const detail = loaded.value
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = detail !== undefined
  useEffect(() => {
    heading.current?.focus()
  }, [])
  useEffect(() => {
    if (shown && focusIsLost()) heading.current?.focus()
  }, [shown])
  useEscapeWithoutFocus(closeSkillPage)
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape goes back from any part
    <section className="skpage" onKeyDown={(event) => isLeaving(event) && closeSkillPage()}>
      <PageHead address={address} detail={detail} projectDir={projectDir} heading={heading} />
      {loaded.error && <Note tone="bad">{loaded.error}</Note>}
      {detail && <PageTabs detail={detail} address={address} projectDir={projectDir} />}
      {!detail && !loaded.error && <Waiting text={page.reading} />}
    </section>
  )
}

/** Escape that closed nothing: a menu or a dialog that took it has prevented what else it does. */
function isLeaving({ key, defaultPrevented }: { key: string; defaultPrevented: boolean }): boolean {
  return key === 'Escape' && !defaultPrevented
}

/** Nothing holds the focus: what had it is no longer there. */
function focusIsLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}

/**
 * Escape where nothing holds the focus, which no element of the page hears. Asked before anything else hears the key:
 * what closes by it, such as the palette, takes the focus along.
 */
function useEscapeWithoutFocus(leave: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (isLeaving(event) && focusIsLost()) leave()
    }
    document.addEventListener('keydown', listen, true)
    return () => document.removeEventListener('keydown', listen, true)
  }, [leave])
}

/** The page of a skill that is not in the list; what was typed in one that is gone can be kept from here. */
export function NoSuchSkill({ name, projectDir }: { name: string; projectDir: string | null }) {
  const said = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (focusIsLost()) said.current?.focus()
  }, [])
  const text = (
    <span ref={said} tabIndex={-1}>
      {page.notThere(visibleLine(name))}
    </span>
  )
  return (
    <section className="skpage">
      <GoneSkills projectDir={projectDir} />
      <EmptyState text={text}>
        <Button onClick={closeSkillPage}>{page.toList}</Button>
      </EmptyState>
    </section>
  )
}

function PageTabs({ detail, address, projectDir }: PartProps) {
  return (
    <Tabs
      className="skpage-tabs"
      label={skillWords.skillPage.skill}
      value={address.tab}
      onChange={(tab) => showTab(detail.key, address, tab as PageTab)}
      tabs={PARTS.map(({ tab, count }) => ({
        value: tab,
        label: tabLabel(page.tabs[tab], count(detail)),
      }))}
    >
      {PARTS.map(({ tab, className, passFocus, draw }) => (
        <TabPanel
          key={tab}
          value={tab}
          className={`skpage-panel ${className}`.trim()}
          {...(passFocus ? { passFocus } : {})}
        >
          {draw({ detail, address, projectDir })}
        </TabPanel>
      ))}
    </Tabs>
  )
}

function PageHead(props: {
  address: SkillAddress
  detail: SkillDetail | undefined
  projectDir: string | null
  heading: RefObject<HTMLHeadingElement | null>
}) {
  const { address, detail, projectDir, heading } = props
  return (
    <div className="hd">
      <IconButton label={skillWords.skillPage.backToTheList} shortcut="Escape" onClick={closeSkillPage}>
        <ArrowLeftIcon />
      </IconButton>
      <h1 ref={heading} tabIndex={-1} className="mono">
        {visibleLine(address.name)}
      </h1>
      {detail && (
        <>
          <ScopeMark scope={detail.scope} />
          <Status skill={detail} />
          <ProblemMark skill={asCounted(detail)} words />
          <span className="small t3 mono trunc">{visibleLine(detail.location)}</span>
          <span className="sp" />
          <IconButton label={page.copyLink} onClick={() => void copyLink(address)}>
            <SharedIcon />
          </IconButton>
          <SkillSwitch detail={detail} projectDir={projectDir} />
          <SkillMenu detail={detail} projectDir={projectDir} />
        </>
      )}
    </div>
  )
}

async function copyLink(address: SkillAddress): Promise<void> {
  await navigator.clipboard.writeText(`satchel://open/${formatSkillAddress(address)}`)
  announce(page.copied)
}

function OverviewPart({ detail, address, projectDir }: PartProps) {
  const open = useCallback(
    ({ path, anchor, line }: { path: string; anchor: string; line?: number }) =>
      showFile(address, path, line, anchor),
    [address],
  )
  return <Overview detail={detail} projectDir={projectDir} onFile={open} />
}

function FilesPart({ detail, address, projectDir }: PartProps) {
  const { file = null, line, anchor } = address
  return (
    <SkillFiles
      detail={detail}
      projectDir={projectDir}
      chosen={file}
      place={{ line, anchor }}
      onChoose={(path) => showFile(address, path)}
    />
  )
}

/** Some write it in lower case. */
function skillMdName({ fileList }: SkillDetail): string {
  return fileList.find(({ path }) => path.toLowerCase() === 'skill.md')?.path ?? 'SKILL.md'
}

function tabLabel(name: string, count: number | null) {
  if (count === null) return name
  return (
    <>
      {name}
      <span className="num t3">{formatNumber(count)}</span>
    </>
  )
}
