import { clsx } from 'clsx'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import type { SkillList } from '@shared/domain/skill'
import { SCOPE_NAMES } from '@shared/scope-names'
import { visibleLine } from '@shared/visible-text'
import { useArranging } from '../../arranging/arranging-store'
import { TrashItem } from '../../arranging/trash-item'
import { useProject } from '../../stores/projects'
import { useOrganisation, useSettings } from '../../stores/settings'
import { formatNumber } from '../../ui/format'
import { ErrorIcon, NotTrustedIcon, ShadowedIcon, SharedIcon, SkillsIcon, WarningIcon } from '../../ui/icons'
import { ScopeIcon } from '../../ui/marks'
import { useDrop, useDropHint } from '../list/drag-skills'
import { dropTarget } from '../list/drop-target'
import { TreeMenu } from './tree-menu'
import { samePlace, skillTree } from './places'
import type { Place, SharedItem, Tree, TreeItem } from './places'
import { listWords } from '../list/list-strings'

const ATTENTION_ICON: Record<Tree['attention'][number]['icon'], ReactNode> = {
  broken: <ErrorIcon size={14} />,
  problems: <WarningIcon size={14} />,
  shadowed: <ShadowedIcon size={14} />,
  'not-trusted': <NotTrustedIcon size={14} />,
}

interface ScopeTreeProps {
  list: SkillList
  projectDir: string | null
  place: Place
  onPlace: (place: Place) => void
}

/** Where skills come from, in the order in which copies are chosen, and what needs a person. */
export function ScopeTree(props: ScopeTreeProps) {
  const { list } = props
  const projectFirst = useSettings((state) => state.view?.settings.projectOverPersonal ?? false)
  const tree = useMemo(() => skillTree(list, projectFirst), [list, projectFirst])
  const hint = useDropHint()
  return (
    <TreeMenu roots={list.roots} projectDir={props.projectDir}>
      <nav className="skt" aria-label={listWords.scopeTree.whereSkillsComeFrom}>
        <h2 className="sec">{listWords.scopeTree.whereSkillsComeFrom}</h2>
        <Item {...props} item={allOf(list)} icon={<SkillsIcon size={14} />} />
        {tree.scopes.map((item) => (
          <Item
            key={item.scope}
            {...props}
            item={{ ...item, label: SCOPE_NAMES[item.scope] }}
            icon={<ScopeIcon scope={item.scope} />}
          />
        ))}
        {tree.shared.length > 0 && <h2 className="sec">{listWords.scopeTree.sharedWithOtherTools}</h2>}
        {tree.shared.map((item) => (
          <Shared key={`${item.label} ${item.location}`} {...props} item={item} />
        ))}
        {tree.attention.length > 0 && <h2 className="sec">{listWords.scopeTree.needsAttention}</h2>}
        {tree.attention.map((item) => (
          <Item key={item.label} {...props} item={item} icon={ATTENTION_ICON[item.icon]} />
        ))}
        <h2 className="sec">{listWords.scopeTree.deleted}</h2>
        <TrashItem />
        {hint && (
          <div className="toast small" aria-hidden="true">
            {visibleLine(hint)}
          </div>
        )}
      </nav>
    </TreeMenu>
  )
}

function allOf(list: SkillList): TreeItem {
  return {
    place: { kind: 'all' },
    label: listWords.scopeTree.allSkills,
    count: list.skills.length,
    note: '',
    title: '',
    folders: [],
  }
}

/** A folder of another tool: whose it is, where it lies, and that Satchel leaves it alone. */
function Shared(props: ScopeTreeProps & { item: SharedItem }) {
  const { item } = props
  return (
    <Item
      {...props}
      icon={<SharedIcon size={14} />}
      below={item.location}
      mark={
        item.readOnly && (
          <span className="skt-lock">
            <NotTrustedIcon size={12} />
            <span className="sr">{listWords.scopeTree.readOnly}</span>
          </span>
        )
      }
    />
  )
}

/** What the item is for rows that are dragged onto it. */
function useTarget({
  item,
  list,
  projectDir,
}: Pick<ScopeTreeProps, 'list' | 'projectDir'> & { item: TreeItem }) {
  const project = useProject(projectDir)
  const organisation = useOrganisation()
  return dropTarget(item.place, { roots: list.roots, project: project?.name ?? null, organisation })
}

function Item(props: {
  list: SkillList
  projectDir: string | null
  item: TreeItem
  icon: ReactNode
  /** A second line. */
  below?: string
  mark?: ReactNode
  place: Place
  onPlace: (place: Place) => void
}) {
  const { item } = props
  const trash = useArranging((state) => state.trash)
  const on = !trash && samePlace(item.place, props.place)
  const drop = useDrop(useTarget(props), props.projectDir)
  return (
    <button
      type="button"
      className={clsx('li', on && 'on', drop.isOver && 'skt-over')}
      {...drop.on}
      aria-current={on}
      data-roots={item.folders.join('\n')}
      title={visibleLine(item.title)}
      onClick={() => props.onPlace(item.place)}
    >
      {props.icon}
      <span className="grow col skt-words">
        <span className="trunc">{visibleLine(item.label)}</span>
        {props.below && <span className="tiny t3 mono trunc">{visibleLine(props.below)}</span>}
      </span>
      {props.mark}
      {item.note && <span className="tiny t3 skt-note">{item.note}</span>}
      {item.count !== null && <span className="cnt">{formatNumber(item.count)}</span>}
    </button>
  )
}
