/** A text from the clipboard, on its way into a terminal. */
export interface Pasted {
  text: string
  lines: number
}

/**
 * What of a text may be typed at once: no control characters, so that it can neither end a bracketed paste nor press
 * keys of its own. A line break at its end is left out: the person sends the last line.
 */
export function pastedText(text: string): Pasted {
  const plain = text
    .replaceAll(/\r\n?/g, '\n')
    // oxlint-disable-next-line no-control-regex -- these characters are what is looked for
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
    .replace(/\n$/, '')
  return { text: plain, lines: plain.split('\n').length }
}
