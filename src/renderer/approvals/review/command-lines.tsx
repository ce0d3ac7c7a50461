import { displayArgv } from '@shared/visible-text'
import { Marked } from '../../ui/line-list'

/** The words of a command, flags coloured, odd characters revealed. `perLine`: one flag with its value per line. */
export function CommandLines({ argv, perLine }: { argv: readonly string[]; perLine: boolean }) {
  const lines = displayArgv(argv)
  return lines.map((line, l) => (
    <span key={`${l}:${line.join(' ')}`}>
      {l > 0 && (perLine ? '  ' : ' ')}
      {line.map((word, w) => (
        <span key={`${w}:${word}`} className={word.startsWith('-') ? 'fn' : undefined}>
          {w > 0 && ' '}
          <Marked shown={word} last={false} />
        </span>
      ))}
      {perLine && l < lines.length - 1 && ' \\\n'}
    </span>
  ))
}
