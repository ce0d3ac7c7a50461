import { CopyButton } from '../copy-button'
import { VisibleText } from '../visible-text'

/** A block of code: what is shown is what is copied, hidden characters by their numbers (MD-6). */
export function CodeBlock({ code, language }: { code: string; language: string; open: boolean }) {
  const text = code.replace(/\n$/, '')
  return (
    <div className="md-code">
      <div className="md-code-head">
        <span className="tiny t3">{language || 'text'}</span>
        <span className="sp" />
        <CopyButton text={text} label="Copy code" />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <pre tabIndex={0} aria-label="Code">
        <VisibleText text={text} />
      </pre>
    </div>
  )
}
