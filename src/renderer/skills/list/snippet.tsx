import type { ReactNode } from 'react'
import type { SkillHit } from '@shared/domain/skill'
import { VisibleText } from '../../ui/visible-text'
import { listWords } from './list-strings'

const START = '\uE000'
const END = '\uE001'

export interface SnippetPiece {
  /** Where it begins in what is shown. */
  at: number
  text: string
  /** It is what was searched for. */
  found: boolean
}

/** Splits a snippet at its marks. A mark without its partner marks nothing. */
export function snippetPieces(snippet: string): SnippetPiece[] {
  const pieces: SnippetPiece[] = []
  let at = 0
  const add = (text: string, found: boolean): void => {
    const clean = text.replaceAll(START, '').replaceAll(END, '')
    if (clean !== '') pieces.push({ at, text: clean, found })
    at += clean.length
  }
  let from = 0
  for (const match of snippet.matchAll(/\uE000([^\uE000\uE001]*)\uE001/gu)) {
    add(snippet.slice(from, match.index), false)
    add(match[1] ?? '', true)
    from = match.index + match[0].length
  }
  add(snippet.slice(from), false)
  return pieces
}

/** Letters before the first word that was found; more would push it out of the row. */
const LEAD = 24

/** Cuts what stands before the first word that was found, at a space where there is one. */
export function nearFirst([first, ...rest]: readonly SnippetPiece[]): SnippetPiece[] {
  if (!first) return []
  if (first.found || rest.length === 0 || first.text.length <= LEAD) return [first, ...rest]
  const tail = first.text.slice(-LEAD)
  return [{ ...first, text: `…${tail.slice(tail.trimEnd().indexOf(' ') + 1)}` }, ...rest]
}

/** Where the words were found, before the text; empty for what the row shows anyway. */
export function hitPlace({ where, file }: Pick<SkillHit, 'where' | 'file'>): string {
  if (where === 'body') return listWords.snippet.inSkillMd
  if (where === 'file') return listWords.snippet.in(file)
  return where === 'tags' ? 'tags: ' : ''
}

/** The matched text of a row, with the words marked. */
export function Snippet({ hit }: { hit: SkillHit }): ReactNode {
  return (
    <>
      <VisibleText text={hitPlace(hit)} />
      {nearFirst(snippetPieces(hit.snippet)).map(({ at, text, found }) =>
        found ? (
          <mark key={at}>
            <VisibleText text={text} />
          </mark>
        ) : (
          <VisibleText key={at} text={text} />
        ),
      )}
    </>
  )
}
