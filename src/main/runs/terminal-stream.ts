/** Undoes what the terminal adds to a program's output, and finds the end marker of our wrapper in it. */
export interface TerminalStream {
  /** The program's own bytes among those that just arrived. */
  push(chunk: Uint8Array): Buffer
  /** Bytes held back in the hope of a marker, when none will come any more. */
  rest(): Buffer
  /** Exit code behind the marker; null until the marker was seen. */
  exitCode(): number | null
}

/**
 * The marker starts with 0x1e and holds that byte once. It is recognised across any split; what only looks like its
 * beginning is given on as soon as that is known. Every CR LF is one LF of the program: the terminal puts a CR before
 * each LF, so this is exact, also for a program that prints CR LF itself. `isRaw`: it sets the terminal
 * itself, where an LF may stand alone; nothing is undone.
 */
export function createTerminalStream(marker: string, isRaw = false): TerminalStream {
  let held = ''
  let code: number | null = null
  let found = false

  const release = (text: string, hold: string): Buffer => {
    held = hold
    return Buffer.from(isRaw ? text : text.replaceAll('\r\n', '\n'), 'latin1')
  }

  return {
    push(chunk) {
      if (code !== null) return Buffer.alloc(0)
      const text = held + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1')
      const at = found ? 0 : text.indexOf(marker)
      if (at < 0) {
        const keep = holdFrom(text, marker, isRaw)
        return release(text.slice(0, keep), text.slice(keep))
      }
      found = true
      const digits = /^(\d{1,3});/.exec(text.slice(at + marker.length, at + marker.length + 4))
      if (digits) code = Number(digits[1])
      return release(text.slice(0, at), code === null ? text.slice(at) : '')
    },
    rest: () => (found ? Buffer.alloc(0) : release(held, '')),
    exitCode: () => code,
  }
}

/** Where the part begins that can't be given on yet: a possible beginning of the marker, or a CR whose LF may follow. */
function holdFrom(text: string, marker: string, isRaw: boolean): number {
  const start = text.lastIndexOf('\x1e')
  if (start >= 0 && marker.startsWith(text.slice(start))) {
    return !isRaw && text[start - 1] === '\r' ? start - 1 : start
  }
  return !isRaw && text.endsWith('\r') ? text.length - 1 : text.length
}
