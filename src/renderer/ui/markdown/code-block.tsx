import { useMemo } from 'react'
import { codeLines } from '../code-lines'
import type { CodeToken } from '../code-lines'
import { CopyButton } from '../copy-button'
import { VisibleText } from '../visible-text'
import { words } from '../strings'

/** Names of languages as they stand behind a fence, where the usual file ending is another word. */
const ENDING = new Map([
  ['python', 'py'],
  ['python3', 'py'],
  ['javascript', 'js'],
  ['jsx', 'js'],
  ['typescript', 'ts'],
  ['tsx', 'ts'],
  ['shell', 'sh'],
  ['console', 'sh'],
  ['ruby', 'rb'],
  ['perl', 'pl'],
  ['markdown', 'md'],
])

/**
 * A block of code: what is shown is what is copied, hidden characters by their numbers (MD-6). It gets its colours
 * when the block is closed; while it arrives, each frame would colour all of it again.
 */
export function CodeBlock({ code, language, open }: { code: string; language: string; open: boolean }) {
  const text = code.replace(/\n$/, '')
  const name = language.toLowerCase()
  const lines = useMemo(
    () => (open ? undefined : codeLines(text, `code.${ENDING.get(name) ?? name}`)),
    [open, text, name],
  )
  return (
    <div className="md-code">
      <div className="md-code-head">
        <span className="tiny t3">{language || words.codeBlock.text}</span>
        <span className="sp" />
        <CopyButton text={text} label={words.codeBlock.copyCode} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <pre tabIndex={0} aria-label={words.codeBlock.code}>
        {lines ? <ColouredLines lines={lines} /> : <VisibleText text={text} />}
      </pre>
    </div>
  )
}

function ColouredLines({ lines }: { lines: CodeToken[][] }) {
  return lines.map((tokens, line) => (
    // oxlint-disable-next-line react/no-array-index-key -- lines of a closed block: the number is what they are
    <span key={line}>
      {line > 0 && '\n'}
      {tokens.map((token, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- as above
        <span key={i} className={token.kind || undefined}>
          <VisibleText text={token.text} />
        </span>
      ))}
    </span>
  ))
}
