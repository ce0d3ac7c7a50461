/** What a script prints, and what is left of it in the window and in the result for the model. */
export interface PrintedCase {
  id: string
  title: string
  printed: string
  /** In the window's own terminal. */
  shown: string
  /** For the model. */
  read: string
}

const ESC = '\u001b'
const BEL = '\u0007'
const same = (text: string) => ({ shown: text, read: text })

export const PRINTED_CASES: readonly PrintedCase[] = [
  { id: 'T1', title: 'sets the clipboard', printed: `a${ESC}]52;c;ZXZpbA==${BEL}b`, ...same('ab') },
  { id: 'T1', title: 'asks for the clipboard', printed: `a${ESC}]52;c;?${BEL}b`, ...same('ab') },
  { id: 'T2', title: 'asks where the cursor is', printed: `a${ESC}[6nb`, ...same('ab') },
  { id: 'T2', title: 'asks what the terminal is', printed: `a${ESC}[cb`, ...same('ab') },
  { id: 'T2', title: 'asks for a setting', printed: `a${ESC}P$qm${ESC}\\b`, ...same('ab') },
  { id: 'T2', title: 'asks for a mode', printed: `a${ESC}[?2026$pb`, ...same('ab') },
  { id: 'T2', title: 'asks for the title', printed: `a${ESC}[21tb`, ...same('ab') },
  { id: 'T3', title: 'sets a title', printed: `${ESC}]0;sudo${BEL}text`, ...same('text') },
  {
    id: 'T4',
    title: 'a link to a file',
    printed: `${ESC}]8;;file:///etc/passwd${ESC}\\here${ESC}]8;;${ESC}\\`,
    ...same('here'),
  },
  {
    id: 'T4',
    title: 'a link to a script under another name',
    printed: `${ESC}]8;;javascript:alert(1)${BEL}https://good.test${ESC}]8;;${BEL}`,
    ...same('https://good.test'),
  },
  { id: 'T5', title: 'a line that is written over', printed: `safe\r${ESC}[2Krm -rf`, ...same('rm -rf') },
  {
    id: 'T6',
    title: 'hidden text',
    printed: `${ESC}[8mevil${ESC}[0m ok`,
    shown: 'evil ok',
    read: '⟦hidden: evil⟧ ok',
  },
  {
    id: 'T7',
    title: 'text in the colour of its ground',
    printed: `${ESC}[30;40mevil${ESC}[0m ok`,
    shown: 'evil ok',
    read: '⟦hidden: evil⟧ ok',
  },
  {
    id: 'T8',
    title: 'the other screen, no cursor and the mouse are left on',
    printed: `${ESC}[?1049h${ESC}[?25l${ESC}[?1000hend`,
    ...same('end'),
  },
  {
    id: 'T9',
    title: 'a string of the device without an end',
    printed: `a${ESC}P${'x'.repeat(100)}`,
    shown: `a${'x'.repeat(100)}`,
    read: 'a',
  },
]

/** What would go to a script as keys, and what of it goes. */
export interface TypedCase {
  id: string
  title: string
  typed: string
  goes: string
}

export const TYPED_CASES: readonly TypedCase[] = [
  { id: 'T2', title: 'a report of the cursor', typed: `a${ESC}[12;40Rb`, goes: 'ab' },
  { id: 'T2', title: 'a report of a setting', typed: `a${ESC}P1$r0m${ESC}\\b`, goes: 'ab' },
  { id: 'T2', title: 'a report of a mode', typed: `a${ESC}[?2026;2$yb`, goes: 'ab' },
  { id: 'T10', title: 'the end of a paste in what is pasted', typed: `a${ESC}[201~b`, goes: 'ab' },
]

/** Text in a name, an argument or a file, and how a person sees it. */
export interface HiddenCase {
  id: string
  title: string
  text: string
  /** As `visibleText` writes it, where that differs from the text. */
  shown?: string
  /** Words that look like others. */
  lookAlike?: string[]
}

export const HIDDEN_CASES: readonly HiddenCase[] = [
  { id: 'U1', title: 'turned letters', text: 'invoice\u202Efdp.sh', shown: 'invoice⟦U+202E⟧fdp.sh' },
  { id: 'U2', title: 'a space without width', text: 'exa\u200Bmple.com', shown: 'exa⟦U+200B⟧mple.com' },
  { id: 'U3', title: 'a Cyrillic letter', text: '\u0455udo', lookAlike: ['\u0455udo'] },
  { id: 'U4', title: 'tag characters', text: 'ok\u{E0041}', shown: 'ok⟦U+E0041⟧' },
  { id: 'U5', title: 'variation selectors', text: 'a\u{E0101}\u{E0102}', shown: 'a⟦U+E0101⟧⟦U+E0102⟧' },
  {
    id: 'U6',
    title: '10,000 combining marks',
    text: `e${'\u0301'.repeat(10_000)}`,
    shown: `e${'\u0301'.repeat(4)}⟦U+0301 ×9996⟧`,
  },
  {
    id: 'U7',
    title: 'full-width dots and slash',
    text: '．．／etc',
    shown: '⟦U+FF0E ×2⟧⟦U+FF0F⟧etc',
    lookAlike: ['．．／etc'],
  },
]
