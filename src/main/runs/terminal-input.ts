/** What is done with keys that a person typed for a run. */
export interface TypedKeys {
  /** Ctrl-C was among them. */
  interrupt: boolean
  text: string
}

/** Answers of a terminal to questions in the output (AP-6): cursor and device reports, modes, focus, mouse, colours. */
const REPLIES =
  // oxlint-disable-next-line no-control-regex -- these characters are what is looked for
  /\u001b\[[?>=]?[\d;]*(?:\$y|[Rcnt])|\u001b\[[IO]|\u001b\[<[\d;]*[Mm]|\u001b[P\]][^\u0007\u001b]*(?:\u0007|\u001b\\)/g

/**
 * Keys for a full-screen program, with the replies of its terminal: it asked for them, and nothing else reads them.
 * Ctrl-C is a key that it may read itself. There is nothing that Ctrl-Z could go back to: it would stop for good.
 */
export function fullScreenKeys(data: string): string {
  return data.replaceAll('\u001a', '')
}

/**
 * Takes out what no person typed: replies to questions that the script's output asked, which would answer its next
 * prompt, and the end of a bracketed paste. Ctrl-C goes to the script as a signal, since a key would end the sandbox
 * around it; Ctrl-\\ and Ctrl-Z would do the same and are dropped.
 */
export function filterKeys(data: string): TypedKeys {
  const text = data
    .replaceAll(REPLIES, '')
    // oxlint-disable-next-line no-control-regex -- these characters are what is looked for
    .replaceAll(/\u001b\[20[01]~/g, '')
    // oxlint-disable-next-line no-control-regex -- these characters are what is looked for
    .replaceAll(/[\u0003\u001a\u001c]/g, '')
  return { interrupt: data.includes('\u0003'), text }
}
