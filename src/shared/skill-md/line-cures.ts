import { editSkillMd } from './edit'
import { openEditing } from './editing'
import { isSame } from './field-path'
import { FIELD_LINE } from './repair'
import { slugOf } from './skill-name'
import { readSource } from './source'
import { parseYamlMap } from './yaml-map'
import { withoutHidden } from '../visible-text'

/** A whole file after a cure, and what was done. */
export interface Cured {
  title: string
  text: string
  /** What stands there until a person writes it; left out: nothing does. */
  template?: string
}

/** What a new description says until it is written: it is told as left from a template, so it is not forgotten. */
const DESCRIPTION = 'TODO what this skill does, and when to use it'

/** A line for the description that is missing. */
export function withDescription(text: string): Cured {
  return {
    title: 'Added a "description". Write what the skill does, and when to use it.',
    text: editSkillMd(text, { set: { description: DESCRIPTION } }),
    template: DESCRIPTION,
  }
}

/** The two fields that every skill has, over a text without any. */
export function withFields(text: string, folderName: string): Cured {
  return {
    title: 'Added the frontmatter. Write what the skill does, and when to use it.',
    text: editSkillMd(text, { set: { name: slugOf(folderName), description: DESCRIPTION } }),
    template: DESCRIPTION,
  }
}

/**
 * Spaces for tabs at the start of lines, two for each, as most files indent. Null where the fields can be read as they
 * are, or can't be read then either.
 */
export function withoutTabs(text: string): Cured | null {
  const { open, close, lines, yaml } = readSource(text)
  if (close === -1 || !/^ *\t/m.test(yaml) || parseYamlMap(yaml, 1).ok) return null
  const inSpaces = (line: string) => line.replace(/^[ \t]+/, (indent) => indent.replaceAll('\t', '  '))
  if (!parseYamlMap(yaml.split('\n').map(inSpaces).join('\n'), 1).ok) return null
  const parts = lines.slice(open + 1, close).map(({ start, next }) => inSpaces(text.slice(start, next)))
  return {
    title: 'Replaced tabs by spaces in the indentation.',
    text: text.slice(0, lines[open]!.next) + parts.join('') + text.slice(lines[close]!.start),
  }
}

/**
 * A field that stands twice, once: those before the last go, which nothing read, so that every value stays what it was.
 * Null where they are not whole lines, or are not all alike in that.
 */
export function withoutTwins(text: string, key: string): Cured | null {
  const source = readSource(text)
  const places = fieldLines(source.yaml).filter((field) => field.key === key)
  if (places.length < 2) return null
  let now = text
  for (const { first, last } of places.slice(0, -1).reverse()) {
    const start = source.lines[source.open + 1 + first]!.start
    const end = source.lines[source.open + 1 + last]!.next
    now = now.slice(0, start) + now.slice(end)
  }
  if (!isSame(openEditing(now).values, openEditing(text).values)) return null
  return { title: `Deleted the "${key}" that was not used.`, text: now }
}

/** Each field of the first level with the lines that belong to it, counted from 0. */
function fieldLines(yaml: string): { key: string; first: number; last: number }[] {
  const fields: { key: string; first: number; last: number }[] = []
  for (const [at, line] of yaml.split('\n').entries()) {
    const key = FIELD_LINE.exec(line)?.[1]
    if (key !== undefined) fields.push({ key, first: at, last: at })
    else if (/^(?:[ \t]|-[ \t])/.test(line) && fields.at(-1)) fields.at(-1)!.last = at
  }
  return fields
}

/** The three flags that are spelt with tag characters: England, Scotland, Wales. */
export const TAG_FLAGS =
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/gu
const TAGS = /[\u{E0000}-\u{E007F}]+/gu
const BIDI = /[\u202a-\u202e\u2066-\u2069]/g

/** Without characters that spell text for a model alone; flags stay. */
export function withoutTags(text: string): Cured {
  const flags = [...text.matchAll(TAG_FLAGS)].map(([flag]) => flag)
  const parts = text.split(TAG_FLAGS).map((part) => part.replace(TAGS, ''))
  return {
    title: 'Deleted the invisible tag characters.',
    text: parts.map((part, at) => part + (flags[at] ?? '')).join(''),
  }
}

/** Without characters that nobody sees, but for those with a cure and a name of their own. */
export function withoutUnseen(text: string): Cured {
  return { title: 'Deleted the characters that nobody sees.', text: withoutHidden(text, OWN_CURE) }
}

const OWN_CURE = new RegExp(`${TAGS.source}|${BIDI.source}`, 'u')

const BEFORE_COMMENT = /^(?:[^#\n]|(?<=\S)#)+/gm

/** Another name for a tool in the lines of one field. Null where it stands there otherwise than as a whole word. */
export function withTool(
  text: string,
  { field, written, meant }: { field: string; written: string; meant: string },
): Cured | null {
  const source = readSource(text)
  const place = fieldLines(source.yaml).find(({ key }) => key === field)
  if (!place || !/^[\w.-]+$/.test(written)) return null
  const start = source.lines[source.open + 1 + place.first]!.start
  const end = source.lines[source.open + 1 + place.last]!.end
  const word = new RegExp(`(?<![\\w.(*:/-])${written.replaceAll('.', '\\.')}(?![\\w.:/-])`, 'g')
  const lines = text.slice(start, end)
  const colon = lines.indexOf(':') + 1
  const next =
    lines.slice(0, colon) + lines.slice(colon).replace(BEFORE_COMMENT, (part) => part.replace(word, meant))
  return { title: `Wrote "${meant}".`, text: text.slice(0, start) + next + text.slice(end) }
}

/** Without characters that turn the order of others round. */
export function withoutTurns(text: string): Cured {
  return {
    title: 'Deleted the characters that reverse the order of others.',
    text: text.replace(BIDI, ''),
  }
}
