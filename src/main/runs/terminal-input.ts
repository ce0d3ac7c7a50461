import { withoutReplies } from '@shared/terminal-replies'

/** What is done with keys that a person typed for a run. */
export interface TypedKeys {
  /** Ctrl-C was among them. */
  interrupt: boolean
  text: string
}

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
  const text = withoutReplies(data)
    // oxlint-disable-next-line no-control-regex -- these characters are what is looked for
    .replaceAll(/\u001b\[20[01]~/g, '')
    // oxlint-disable-next-line no-control-regex -- these characters are what is looked for
    .replaceAll(/[\u0003\u001a\u001c]/g, '')
  return { interrupt: data.includes('\u0003'), text }
}
