import { useRef } from 'react'
import { CopyButton } from '../../ui/copy-button'
import { shellWord } from '@shared/visible-text'
import { CommandLines } from './command-lines'
import { useOnScreen } from '../../ui/use-on-screen'
import { words } from '../words'
import { reviewWords } from './review-strings'

const LONG = 4096

/** The exact command, one flag per line. `onSeen` is called once its end was on the screen; give another command another `key`. */
export function ReviewCommand({ argv, onSeen }: { argv: readonly string[]; onSeen: () => void }) {
  const end = useRef<HTMLSpanElement>(null)
  useOnScreen(end, onSeen)
  const length = argv.reduce((sum, arg) => sum + arg.length + 1, 0)
  return (
    <div className="rv-cmd">
      <div className="row rv-cmd-head">
        <span className="small b">{words.exact}</span>
        {length > LONG && <span className="small t3">{reviewWords.reviewCommand.characters(length)}</span>}
        <span className="sp" />
        <CopyButton
          text={() => argv.map(shellWord).join(' ')}
          label={reviewWords.reviewCommand.copyCommand}
        />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <pre className="code" aria-label={words.exact} tabIndex={0}>
        <CommandLines argv={argv} perLine />
        <span ref={end} className="rv-end" />
      </pre>
    </div>
  )
}
