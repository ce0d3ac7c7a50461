/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus -- a combobox with a list (APG): the box keeps the focus */
import { useId, useMemo, useState } from 'react'
import type { KeyboardEvent } from 'react'
import type { SkillList, SkillSummary } from '@shared/domain/skill'
import { parseSkillQuery } from '@shared/skill-query'
import { IconButton } from '../../ui/button'
import { CloseIcon, SearchIcon } from '../../ui/icons'
import { library } from '../library-strings'
import { completions, knownValues, queryNote } from './query-help'
import type { Completion } from './query-help'
import { listWords } from './list-strings'

/** Id of the box, for the key that goes to it. */
export const SEARCH_BOX = 'skill-search'
const SEARCH_NOTE = 'skill-search-note'

const LABEL = listWords.searchBox.filterByNameText

export interface SearchBoxProps {
  value: string
  skills: readonly SkillSummary[]
  onChange: (value: string) => void
  /** Arrow down with nothing offered, or Enter: on to the list. */
  onLeave: () => void
}

/** The search of the list: words, and operators that are completed while they are typed (APG: combobox with a list). */
export function SearchBox(props: SearchBoxProps) {
  const { value, onChange } = props
  const id = useId()
  const list = useOffers(props)
  const { offered, at } = list
  return (
    <div className="skq">
      <div className="search">
        <SearchIcon size={14} aria-hidden="true" />
        <input
          id={SEARCH_BOX}
          type="text"
          role="combobox"
          aria-label={LABEL}
          aria-autocomplete="list"
          aria-expanded={offered.length > 0}
          aria-controls={`${id}-list`}
          aria-keyshortcuts="/"
          aria-describedby={SEARCH_NOTE}
          {...(at >= 0 ? { 'aria-activedescendant': `${id}-${at}` } : {})}
          placeholder={LABEL}
          value={value}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            list.show(event.target.value !== '')
            onChange(event.target.value)
          }}
          onBlur={list.hide}
          onKeyDown={list.onKeyDown}
        />
        {value === '' ? (
          <kbd aria-hidden="true">/</kbd>
        ) : (
          <IconButton tiny label={listWords.searchBox.clearTheSearch} onClick={list.clear}>
            <CloseIcon size={12} />
          </IconButton>
        )}
      </div>
      <Offers id={id} offered={offered} at={at} onChoose={list.choose} />
    </div>
  )
}

/** What is not understood in the query; announced when it appears. */
export function SearchNote({ query, list, failed }: { query: string; list: SkillList; failed: boolean }) {
  const note = useMemo(() => queryNote(parseSkillQuery(query), list), [query, list])
  return (
    <p id={SEARCH_NOTE} className="small attn skq-note" role="status">
      {[failed ? library.searchFailed : '', note].filter(Boolean).join(' ')}
    </p>
  )
}

function Offers(props: {
  id: string
  offered: readonly Completion[]
  at: number
  onChoose: (offer: Completion) => void
}) {
  const { id, offered, at, onChoose } = props
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label={listWords.searchBox.operators}
      className="menu skq-list"
      hidden={offered.length === 0}
    >
      {offered.map((offer, index) => (
        <div
          key={offer.label}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          className={index === at ? 'skq-offer on' : 'skq-offer'}
          onMouseDown={(event) => {
            event.preventDefault()
            onChoose(offer)
          }}
        >
          <span className="mono grow">{offer.label}</span>
          <span className="small t3 mono">{offer.hint}</span>
        </div>
      ))}
    </div>
  )
}

function useOffers({ value, skills, onChange, onLeave }: SearchBoxProps) {
  const [shown, setShown] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const wantsValues = shown && /:\S*$/.test(value)
  const known = useMemo(() => (wantsValues ? knownValues(skills) : {}), [wantsValues, skills])
  const offered = shown ? completions(value, known) : []
  const at = Math.min(chosen, offered.length - 1)
  const set = (show: boolean, index = -1): void => {
    setShown(show)
    setChosen(index)
  }
  const choose = (offer: Completion): void => {
    set(!offer.text.endsWith(' '))
    onChange(offer.text)
  }
  const clear = (): void => {
    set(false)
    onChange('')
    document.getElementById(SEARCH_BOX)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const done = offered.length > 0 ? inOffers(event.key) : inBox(event.key)
    if (done) event.preventDefault()
  }
  return { offered, at, choose, onKeyDown, clear, show: (on: boolean) => set(on), hide: () => set(false) }

  function inOffers(key: string): boolean {
    const offer = offered[at]
    if (key === 'ArrowDown') setChosen((at + 1) % offered.length)
    else if (key === 'ArrowUp') setChosen(at <= 0 ? offered.length - 1 : at - 1)
    else if (key === 'Escape') set(false)
    else if (offer && (key === 'Enter' || key === 'Tab')) choose(offer)
    else return key === 'Enter' && inBox(key)
    return true
  }

  function inBox(key: string): boolean {
    if (key === 'ArrowDown' && value === '') set(true, 0)
    else if (key === 'ArrowDown' || key === 'Enter') onLeave()
    else if (key === 'Escape' && value !== '') clear()
    else return false
    return true
  }
}
