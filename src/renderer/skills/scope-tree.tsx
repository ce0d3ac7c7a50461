import type { ReactNode } from 'react'
import type { SkillList, SkillStatus } from '@shared/domain/skill'
import { ErrorIcon, NotTrustedIcon, ShadowedIcon, SharedIcon, SkillsIcon } from '../ui/icons'
import { ScopeIcon, scopeWord } from '../ui/marks'
import { samePlace, skillTree } from './skill-filter'
import type { Place, TreeItem } from './skill-filter'

const ATTENTION_ICON: Record<SkillStatus, ReactNode> = {
  effective: null,
  broken: <ErrorIcon size={14} />,
  shadowed: <ShadowedIcon size={14} />,
  'not-trusted': <NotTrustedIcon size={14} />,
}

/** Where skills come from, in the order in which copies are chosen, and what needs a person. */
export function ScopeTree(props: { list: SkillList; place: Place; onPlace: (place: Place) => void }) {
  const tree = skillTree(props.list)
  const all: TreeItem = {
    place: { kind: 'all' },
    label: 'All skills',
    count: props.list.skills.length,
    note: '',
  }
  return (
    <nav className="skt" aria-label="Where skills come from">
      <h2 className="sec">Where skills come from</h2>
      <Item {...props} item={all} icon={<SkillsIcon size={14} />} />
      {tree.scopes.map((item) => (
        <Item
          key={item.scope}
          {...props}
          item={{ ...item, label: scopeWord(item.scope) }}
          icon={<ScopeIcon scope={item.scope} />}
          title={rootPaths(props.list, item.scope)}
        />
      ))}
      {tree.shared.length > 0 && <h2 className="sec">Shared with other tools</h2>}
      {tree.shared.map((item) => (
        <Item key={item.label} {...props} item={item} icon={<SharedIcon size={14} />} title={item.label} />
      ))}
      {tree.attention.length > 0 && <h2 className="sec">Needs attention</h2>}
      {tree.attention.map((item) => (
        <Item key={item.status} {...props} item={item} icon={ATTENTION_ICON[item.status]} />
      ))}
    </nav>
  )
}

function Item(props: {
  item: TreeItem
  icon: ReactNode
  title?: string
  place: Place
  onPlace: (place: Place) => void
}) {
  const { item } = props
  const on = samePlace(item.place, props.place)
  return (
    <button
      type="button"
      className={on ? 'li on' : 'li'}
      aria-current={on}
      title={props.title}
      onClick={() => props.onPlace(item.place)}
    >
      {props.icon}
      <span className="grow trunc">{item.label}</span>
      {item.note && <span className="tiny t3">{item.note}</span>}
      <span className="cnt">{item.count}</span>
    </button>
  )
}

function rootPaths(list: SkillList, scope: string): string {
  return list.roots
    .filter((root) => root.scope === scope)
    .map((root) => [root.location, root.note].filter(Boolean).join(': '))
    .join('\n')
}
