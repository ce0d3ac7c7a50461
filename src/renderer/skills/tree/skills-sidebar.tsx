import { useEffect } from 'react'
import { useSkillList } from '../../stores/skills'
import '../skills.css'
import { ScopeTree } from './scope-tree'
import { hostTree, setPlace, usePlace } from './skills-place'
import { useCurrentProjectDir } from '../../stores/current-project'

/** The lower sidebar of the skills area; while it is drawn, the area leaves its own column out. */
export function SkillsSidebar() {
  const projectDir = useCurrentProjectDir()
  const list = useSkillList(projectDir)
  const place = usePlace((state) => state.filter.place)
  useEffect(hostTree, [])
  return list ? <ScopeTree list={list} projectDir={projectDir} place={place} onPlace={setPlace} /> : null
}
