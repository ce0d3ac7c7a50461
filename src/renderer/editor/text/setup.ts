import { autocompletion, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { markdown, markdownLanguage } from '@codemirror/lang-markdown'
import { yamlFrontmatter } from '@codemirror/lang-yaml'
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  syntaxHighlighting,
} from '@codemirror/language'
import { lintGutter } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import type { Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { visibleText } from '@shared/visible-text'
import { isMac } from '../../ui/keys'

/** Colours by the tokens of the theme in force: the same classes in all of them. */
const colours = HighlightStyle.define([
  { tag: tags.heading, color: 'var(--syn-kw)', fontWeight: '600' },
  {
    tag: [tags.definition(tags.propertyName), tags.propertyName, tags.link, tags.labelName],
    color: 'var(--syn-fn)',
  },
  { tag: [tags.string, tags.special(tags.string), tags.monospace], color: 'var(--syn-str)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--syn-num)' },
  { tag: [tags.keyword, tags.typeName, tags.atom], color: 'var(--syn-kw)' },
  { tag: [tags.comment, tags.meta, tags.quote], color: 'var(--syn-com)' },
  { tag: tags.url, color: 'var(--syn-fn)' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
])

/** Bidirectional and invisible characters are drawn by their numbers, as everywhere in the window. */
const hidden = highlightSpecialChars({
  addSpecialChars: /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\u{e0000}-\u{e007f}]/gu,
  render(code) {
    const mark = document.createElement('span')
    mark.className = 'inv'
    mark.textContent = code === 13 ? '␍' : visibleText(String.fromCodePoint(code))
    return mark
  },
})

export interface EditorSetup {
  /** Accessible name. */
  label: string
  path: string
  readOnly: boolean
  /** Every line end is a character of the text: only \n ends a line. */
  keepsEnds: boolean
}

/** Alt and an arrow go back and forward in the window, as everywhere, but where a Mac moves by words with them. */
const ownKeys = defaultKeymap.filter(({ key = '' }) => isMac() || !/^Alt-Arrow(?:Left|Right)$/.test(key))

/** Everything that every text of the editor has. Tab leaves the text, as everywhere (`ux.md` 6). */
export function baseExtensions({ label, path, readOnly, keepsEnds }: EditorSetup): Extension[] {
  return [
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    hidden,
    history(),
    foldGutter({ openText: '⌄', closedText: '›' }),
    drawSelection(),
    bracketMatching(),
    highlightSelectionMatches(),
    search({ top: true }),
    autocompletion({ icons: false }),
    lintGutter(),
    syntaxHighlighting(colours),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorState.readOnly.of(readOnly),
    keymap.of([...completionKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...ownKeys]),
    ...(keepsEnds ? [EditorState.lineSeparator.of('\n')] : []),
    ...languageOf(path),
  ]
}

function languageOf(path: string): Extension[] {
  const content = markdown({ base: markdownLanguage })
  if (/(?:^|\/)skill\.md$/i.test(path)) return [yamlFrontmatter({ content })]
  return /\.(?:md|markdown)$/i.test(path) ? [content] : []
}
