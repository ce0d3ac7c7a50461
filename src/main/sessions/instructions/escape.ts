/** Control characters but white space; format characters (zero-width, bidi, tags); variation selectors. */
const HIDDEN = /(?![\t\n\r])\p{Cc}|\p{Cf}|\p{Variation_Selector}/gu

/** Most names and descriptions are that already: words of ASCII with one blank between them. */
const PLAIN = /^(?:[!-~]+(?: [!-~]+)*)?$/

/** One line without anything that hides: white space collapsed, control and invisible characters removed. */
export function plainLine(text: string): string {
  if (PLAIN.test(text)) return text
  return text.replace(HIDDEN, '').replace(/\s+/g, ' ').trim()
}

/** One line that can neither close a tag nor hide (`runtime.md` 1). */
export function escapeLine(text: string): string {
  return escapeXml(plainLine(text))
}

/** Text inside a tag or an attribute. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
}

/** Text in a list that is not XML: quotes stay as they are. */
export function escapeTags(text: string): string {
  return text.replace(/[&<>]/g, (char) => ENTITIES[char] ?? char)
}

/**
 * Makes tags of ours harmless inside foreign text, opening and closing, however they are spelled: in capitals, with
 * blanks, or with characters in them that nobody sees. Everything else stays as it is.
 */
export function closeSafely(text: string): string {
  return text.replace(OUR_TAGS, '&lt;')
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** The tags that the instructions are built of; nobody else may write them. */
const NAMES = [
  'skill',
  'active_skills',
  'available_skills',
  'project_instructions',
  'agent-skills',
  'chat_so_far',
  'fork_result',
]
const UNSEEN = String.raw`[\p{Cc}\p{Cf}\p{Variation_Selector}]*`
const GAP = String.raw`[\s\p{Cc}\p{Cf}\p{Variation_Selector}]*`

/** Each blank is tried once: no text makes this slow. */
const OUR_TAGS = new RegExp(
  `<(?=${GAP}(?:/${GAP})?(?:${NAMES.map((name) => Array.from(name).join(UNSEEN)).join('|')})(?![a-z0-9]))`,
  'giu',
)
