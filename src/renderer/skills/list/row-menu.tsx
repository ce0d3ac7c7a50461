import { useState } from 'react'
import type { ReactNode } from 'react'
import { visibleLine } from '@shared/visible-text'
import type { SkillSummary } from '@shared/domain/skill'
import { ArrangeItems } from '../../arranging/arrange-menu'
import { useProject } from '../../stores/projects'
import { FolderOpenIcon, ReadIcon } from '../../ui/icons'
import { ContextItem, ContextMenu, ContextSeparator } from '../../ui/context-menu'
import type { GridRow } from './grid-rows'
import { library } from '../library-strings'
import { usePlace } from '../tree/skills-place'
import { revealSkill, switchSkills } from '../preview/switch-skills'

interface RowMenuProps {
  rows: readonly GridRow[]
  projectDir: string | null
  onOpen: (key: string) => void
  children: ReactNode
}

/** The visible actions of a row once more, where the pointer is (`ux.md` 2.7); Shift+F10 opens it too. */
export function RowMenu({ rows, projectDir, onOpen, children }: RowMenuProps) {
  const [key, setKey] = useState('')
  return (
    <ContextMenu
      onOpenAt={(target) => {
        const at = target.closest<HTMLElement>('[data-key]')?.dataset['key']
        if (at !== undefined) setKey(at)
        return at !== undefined
      }}
      content={<AtRow at={key} rows={rows} projectDir={projectDir} onOpen={onOpen} />}
    >
      {children}
    </ContextMenu>
  )
}

/** Looked for only while the menu is open: the list may have thousands of rows. */
function AtRow({ at, rows, ...rest }: Omit<RowMenuProps, 'children'> & { at: string }) {
  const marked = usePlace((state) => state.marked)
  const skill = rows.find((row) => row.skill.key === at)?.skill
  if (!skill) return null
  const all = rows.filter((row) => marked.has(row.skill.key)).map((row) => row.skill)
  return <Items skill={skill} meant={marked.has(at) ? all : [skill]} {...rest} />
}

function Items(props: {
  skill: SkillSummary
  /** What is switched or deleted: with the row all that are marked together with it. */
  meant: readonly SkillSummary[]
  projectDir: string | null
  onOpen: (key: string) => void
}) {
  const { skill, meant, projectDir, onOpen } = props
  const names = meant.map(({ name }) => name)
  const project = useProject(projectDir)
  return (
    <>
      <ContextItem icon={<ReadIcon size={14} />} onSelect={() => onOpen(skill.key)}>
        {library.open}
      </ContextItem>
      <ContextItem icon={<FolderOpenIcon size={14} />} onSelect={() => revealSkill(skill.key)}>
        {library.showInFolder}
      </ContextItem>
      <ContextSeparator />
      {skill.status === 'off' ? (
        <ContextItem onSelect={() => switchSkills(names, [null, projectDir], true)}>
          {library.turnOn}
        </ContextItem>
      ) : (
        <>
          {project && (
            <ContextItem
              hint={visibleLine(project.name)}
              disabled={skill.scope === 'enterprise'}
              onSelect={() => switchSkills(names, [project.dir], false)}
            >
              {library.turnOffHere}
            </ContextItem>
          )}
          <ContextItem
            {...(skill.scope === 'enterprise' ? { hint: library.managed } : {})}
            disabled={skill.scope === 'enterprise'}
            onSelect={() => switchSkills(names, [null], false)}
          >
            {library.turnOffEverywhere}
          </ContextItem>
        </>
      )}
      <ArrangeItems skill={skill} meant={meant} projectDir={projectDir} />
    </>
  )
}
