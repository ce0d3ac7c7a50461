import { useCallback, useEffect, useMemo, useState } from 'react'
import type { SkillList as List } from '@shared/domain/skill'
import { useArranging } from '../arranging/arranging-store'
import { TrashView } from '../arranging/trash-view'
import { useSkillList, useSkills } from '../stores/skills'
import { useUi } from '../stores/ui'
import { Note } from '../ui/note'
import { Waiting } from '../ui/waiting'
import './skills.css'
import './page/skill-page.css'
import './page/page.css'
import { GoneSkills } from './list/gone-skills'
import { library } from './library-strings'
import { ListFoot, ListHead } from './list/list-head'
import { ScopeTree } from './tree/scope-tree'
import { SEARCH_BOX } from './list/search-box'
import { SkillList } from './list/skill-list'
import { openSkillPage } from './page/open-skill'
import { parseSkillAddress } from './page/skill-address'
import type { PageTab, SkillAddress } from './page/skill-address'
import { page } from './page/strings'
import { useFollowedSkill } from './page/use-followed'
import { NoSuchSkill, SkillPage } from './page/skill-page'
import { SkillPreview } from './preview/skill-preview'
import { selectedKey, selectSkill, setPlace, usePlace } from './tree/skills-place'
import { useCatalogue, useOutside } from './use-catalogue'
import { useFocusHome } from './use-focus-home'
import { useCurrentProjectDir } from '../stores/current-project'
import { useSkillDetail } from './use-skills'

/** At this width there is no room for the details beside the list (skill-page.css): a click opens the page. */
const NO_DETAILS = '(max-width: 1100px)'

/** The skills area: where they come from, the list, and the selected one. What is shown follows the disk. */
export function SkillsView() {
  const projectDir = useCurrentProjectDir()
  const list = useSkillList(projectDir)
  const error = useSkills((state) => state.error)
  const written = useUi((state) => state.skill)
  const address = useMemo(() => (written === null ? null : parseSkillAddress(written)), [written])
  const trash = useArranging((state) => state.trash)
  const hadPage = useEver(address !== null)
  useFocusHome()
  useSlashKey(address === null && !trash)
  if (!list) return error ? <Note tone="bad">{error}</Note> : <Waiting text={library.looking} />
  if (address) return <OpenPage address={address} list={list} projectDir={projectDir} />
  if (trash) {
    return (
      <div className="skills">
        <OwnTree list={list} projectDir={projectDir} />
        <TrashView />
      </div>
    )
  }
  return <ListWithDetails list={list} projectDir={projectDir} error={error} takeFocus={hadPage} />
}

interface Seen {
  list: List
  projectDir: string | null
}

function OpenPage({ address, list, projectDir }: Seen & { address: SkillAddress }) {
  const { skill, isAsking } = useFollowedSkill(address, list)
  const loaded = useSkillDetail(projectDir, skill?.key ?? null)
  if (isAsking) return <Waiting text={page.reading} />
  if (!skill) return <NoSuchSkill name={address.name} projectDir={projectDir} />
  return <SkillPage key={skill.key} address={address} loaded={loaded} projectDir={projectDir} />
}

function ListWithDetails(props: Seen & { error: string; takeFocus: boolean }) {
  const { list, projectDir, error, takeFocus } = props
  const selected = usePlace(selectedKey)
  const loaded = useSkillDetail(projectDir, selected)
  const catalogue = useCatalogue(list, projectDir)
  const outside = useOutside(catalogue)
  const inspector = useUi((state) => state.inspector)
  const openSkill = useOpenSkill(list)
  const pick = useCallback(
    (key: string): void => {
      if (globalThis.matchMedia(NO_DETAILS).matches) openSkill(key)
      else selectSkill(key)
    },
    [openSkill],
  )
  return (
    <div className="skills">
      <OwnTree list={list} projectDir={projectDir} />
      <div className="skl">
        <ListHead list={list} projectDir={projectDir} catalogue={catalogue} />
        {error && <Note tone="bad">{error}</Note>}
        <GoneSkills projectDir={projectDir} />
        <SkillList
          list={list}
          projectDir={projectDir}
          takeFocus={takeFocus}
          onPick={pick}
          onOpen={openSkill}
          outside={outside}
        />
        <ListFoot list={list} catalogue={catalogue} />
      </div>
      {inspector && (
        <SkillPreview
          loaded={loaded}
          list={list}
          projectDir={projectDir}
          outside={outside}
          onOpen={openSkill}
        />
      )}
    </div>
  )
}

/** Opens the page of a skill by its key. */
function useOpenSkill(list: List): (key: string, tab?: PageTab) => void {
  return useCallback(
    (key, tab) => {
      const skill = list.skills.find((candidate) => candidate.key === key)
      if (skill) openSkillPage(skill, list.skills, tab)
    },
    [list],
  )
}

/** True from the first time on. */
function useEver(now: boolean): boolean {
  const [ever, setEver] = useState(now)
  if (now && !ever) setEver(true)
  return ever
}

/** The tree in a column of its own, while no sidebar draws it. */
function OwnTree({ list, projectDir }: Seen) {
  const place = usePlace((state) => state.filter.place)
  const hosted = usePlace((state) => state.hosts > 0)
  if (hosted) return null
  return (
    <div className="skt-col">
      <ScopeTree list={list} projectDir={projectDir} place={place} onPlace={setPlace} />
    </div>
  )
}

/** `/` goes to the search, except from where it is typed. */
function useSlashKey(on: boolean): void {
  useEffect(() => {
    if (!on) return undefined
    const listen = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      if (target.matches('input, textarea, select, [contenteditable]')) return
      if (document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      document.getElementById(SEARCH_BOX)?.focus()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [on])
}
