import type { SkillSummary } from '@shared/domain/skill'
import { useEffect, useState } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import { api } from '../../api'
import { useSkillList } from '../../stores/skills'
import { commandsFor, type ChatCommand } from './commands'
import { nameAtCaret, optionsFor, withName } from './completion'

export type NameOption = SkillSummary | ChatCommand

/** The list of skills and commands under the caret; closed when nothing is being named. */
export interface Completion {
  options: readonly NameOption[]
  /** Index of the one that Enter takes. */
  chosen: number
  /** `argument-hint` by key, as far as they are known. */
  hints: Readonly<Record<string, string>>
  take(option: NameOption): void
  /** The caret is somewhere else. */
  moved(): void
  /** True when the key was for the list. */
  onKey(event: KeyboardEvent): boolean
}

interface Props {
  text: string
  projectDir: string | null
  box: RefObject<HTMLTextAreaElement | null>
  write(text: string): void
}

export function useCompletion({ text, projectDir, box, write }: Props): Completion {
  const [caret, setCaret] = useState(0)
  const [index, setIndex] = useState(0)
  const [closedAt, setClosedAt] = useState<number | null>(null)
  const list = useSkillList(projectDir)
  const at = nameAtCaret(text, Math.min(caret, text.length))
  const isOpen = at !== null && closedAt !== at.from
  const skills = isOpen ? optionsFor(at, list?.skills ?? []) : []
  const options: NameOption[] = [...(isOpen ? commandsFor(at) : []), ...skills]
  const chosen = Math.min(index, Math.max(0, options.length - 1))
  const hints = useHints(projectDir, skills)
  const take = (option: NameOption) => {
    if (!at) return
    const done = withName(text, at, nameOf(option))
    write(done.text)
    setCaret(done.caret)
    setIndex(0)
    box.current?.focus()
    requestAnimationFrame(() => box.current?.setSelectionRange(done.caret, done.caret))
  }
  return {
    options,
    chosen,
    hints,
    take,
    moved() {
      setCaret(box.current?.selectionStart ?? 0)
      if (at === null) setClosedAt(null)
    },
    onKey(event) {
      const option = options[chosen]
      if (!option || !at) return false
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      // A name that is written out is sent as it is.
      const takes = event.key === 'Tab' || (event.key === 'Enter' && at.word !== nameOf(option))
      if (step !== undefined) setIndex((chosen + step + options.length) % options.length)
      else if (takes && !event.shiftKey) take(option)
      else if (event.key === 'Escape') setClosedAt(at.from)
      else return false
      event.preventDefault()
      return true
    },
  }
}

function nameOf(option: NameOption): string {
  return 'command' in option ? option.command : option.name
}

/** Asked for once for the skills that are shown. */
function useHints(projectDir: string | null, options: readonly SkillSummary[]): Record<string, string> {
  const [known, setKnown] = useState<Record<string, string>>({})
  const missing = options.filter(({ key }) => known[key] === undefined).map(({ key }) => key)
  const wanted = missing.join('\n')
  useEffect(() => {
    if (wanted === '') return
    const keys = wanted.split('\n')
    const none = Object.fromEntries(keys.map((key) => [key, '']))
    void api
      .call('skills.argumentHints', { projectDir, keys })
      .catch(() => ({})) // the list works without
      .then((found) => setKnown((before) => ({ ...before, ...none, ...found })))
  }, [projectDir, wanted])
  return known
}
