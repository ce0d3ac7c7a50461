import { CopyButton } from './copy-button'
import { VisibleText } from './visible-text'
import { words } from './strings'

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/

/** One argument as a POSIX shell would need it written, so that blanks and quotes can be seen. */
export function quoteArg(arg: string): string {
  return PLAIN.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`
}

/** The arguments of one line: the program and what belongs to it, then each flag with its values. */
export function argvLines(argv: string[]): string[][] {
  const lines: string[][] = []
  for (const arg of argv) {
    if (lines.length === 0 || arg.startsWith('-')) lines.push([arg])
    else lines.at(-1)?.push(arg)
  }
  return lines
}

/**
 * The exact command, never a prettified one: every argument quoted where a shell would need it, invisible
 * characters by number. `lines`: one flag a line, joined by a backslash.
 */
export function CommandBlock({ argv, lines }: { argv: string[]; lines?: boolean }) {
  const rows = lines ? argvLines(argv) : [argv]
  return (
    <div className="cmdblock">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <pre className="code" aria-label={words.commandBlock.exactCommand} tabIndex={0}>
        {rows.map((row, r) => (
          <span key={`${r}:${row.join(' ')}`}>
            {r > 0 && '  '}
            {row.map((arg, a) => (
              <span key={`${a}:${arg}`} className={arg.startsWith('-') ? 'fn' : undefined}>
                {a > 0 && ' '}
                <VisibleText text={quoteArg(arg)} />
              </span>
            ))}
            {r < rows.length - 1 && ' \\\n'}
          </span>
        ))}
      </pre>
      <CopyButton text={argv.map(quoteArg).join(' ')} label={words.commandBlock.copyCommand} />
    </div>
  )
}
