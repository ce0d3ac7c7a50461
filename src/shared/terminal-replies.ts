/** Answers of a terminal to questions in the output (AP-6): cursor and device reports, modes, focus, mouse, colours. */
const REPLIES =
  // oxlint-disable-next-line no-control-regex -- these characters are what is looked for
  /\u001b\[[?>=]?[\d;]*(?:\$y|[Rcnt])|\u001b\[[IO]|\u001b\[<[\d;]*[Mm]|\u001b[P\]][^\u0007\u001b]*(?:\u0007|\u001b\\)/g

/** What a person typed among what a terminal sends. */
export function withoutReplies(data: string): string {
  return data.replaceAll(REPLIES, '')
}
