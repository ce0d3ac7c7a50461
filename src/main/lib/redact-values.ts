import { FIRST_LINE, formsOf, MIN_SECRET } from './redact-forms'
import { beforeUnfinished, joinedLines, printed, unseenDropped } from './redact-views'
import type { Seen } from './redact-views'
import type { HeldSecret, Stage } from './redact'

/** One way to look at what is printed, and what is looked for in it. */
interface View {
  see(text: string): Seen | null
  forms: readonly string[]
  names: ReadonlyMap<string, string>
  any: RegExp
  longest: number
  starts: ReadonlySet<string | undefined>
  /** Forms that stand only where a line begins. */
  cut: ReadonlySet<string>
}

/** From `at` to `end` of the printed text. */
interface Match {
  at: number
  end: number
  name: string
}

/** Characters before what is held: how a line and a sequence of codes began. */
const CONTEXT = 128
/** A value stands in at most so many characters with all that is between its letters. */
const MAX_SPAN = 8192

/**
 * Takes values out of what is printed, also where codes that nobody sees or, in base64, line breaks stand between their
 * letters. Null: there is nothing to look for.
 */
export function createValueStage(secrets: readonly HeldSecret[], found: Set<string>): Stage | null {
  const views = viewsOf(secrets)
  if (views.length === 0) return null
  const most = MAX_SPAN + 8 * Math.max(...views.map(({ longest }) => longest))
  let context = ''
  let held = ''
  return {
    holds: () => held !== '',
    push(text, isLast = false) {
      const all = context + held + text
      let out = ''
      let from = context.length
      const looks = looksAt(views, all, most)
      // What follows may turn its end into something that nobody sees.
      const before = isLast ? null : beforeUnfinished(all)
      const cut = before === null ? [] : looksAt(views, before, most)
      for (;;) {
        const match = best(looks.map((look) => look.next(from)))
        const open = isLast
          ? null
          : firstOf([...looks, ...cut].map((look) => look.open(from, match?.at ?? all.length)))
        const end = open ?? match?.at ?? all.length
        out += all.slice(from, end)
        if (open !== null || !match) {
          context = all.slice(Math.max(0, end - CONTEXT), end)
          held = all.slice(end)
          return out
        }
        found.add(match.name)
        out += `[redacted:${match.name}]`
        from = match.end
      }
    },
  }
}

function looksAt(views: readonly View[], all: string, most: number) {
  return views.flatMap((view) => {
    const seen = view.see(all)
    return seen ? [createLook(view, { all, seen, most })] : []
  })
}

function viewsOf(secrets: readonly HeldSecret[]): View[] {
  const plain = new Map<string, string>()
  const wrapped = new Map<string, string>()
  const cut = new Set<string>()
  const add = (to: Map<string, string>, form: string, name: string) => {
    if (!to.has(form)) to.set(form, name)
  }
  for (const { name, value } of secrets) {
    if (value.length < MIN_SECRET) continue
    const forms = formsOf(value)
    for (const form of [...forms.plain, ...forms.wrapped]) add(plain, form, name)
    for (const form of forms.wrapped) add(wrapped, form, name)
    for (const form of forms.cut) {
      if (!wrapped.has(form)) cut.add(form)
      add(wrapped, form, name)
    }
  }
  if (plain.size === 0) return []
  return [view(printed, plain), view(unseenDropped, plain), view(joinedLines, wrapped, cut)]
}

function view(
  see: View['see'],
  names: ReadonlyMap<string, string>,
  cut: ReadonlySet<string> = new Set(),
): View {
  const forms = [...names.keys()].sort((a, b) => b.length - a.length)
  const any = new RegExp(forms.map(escaped).join('|'), 'g')
  return {
    see,
    forms,
    names,
    any,
    longest: forms[0]?.length ?? 0,
    starts: new Set(forms.map((form) => form[0])),
    cut,
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}

interface Text {
  all: string
  seen: Seen
  most: number
}

/** Goes through one view of a text, from its beginning to its end. */
function createLook(of: View, text: Text) {
  let known: Match | null | undefined
  return {
    next(from: number): Match | null {
      if (known === undefined || (known !== null && known.at < from)) known = search(of, text, from)
      return known
    },
    open: (from: number, to: number) => openFrom(of, text, { from, to }),
  }
}

/** The leftmost value from a place of the printed text on, and of those the longest. */
function search(of: View, { all, seen, most }: Text, from: number): Match | null {
  of.any.lastIndex = seen.indexOf(from)
  for (let hit = of.any.exec(seen.text); hit; hit = of.any.exec(seen.text)) {
    const at = seen.place(hit.index)
    const end = seen.place(hit.index + hit[0].length - 1) + 1
    const isOne =
      end - at <= most && isWritten(of, { all, seen }, { index: hit.index, at, end, form: hit[0] })
    if (isOne) return { at, end, name: of.names.get(hit[0]) ?? '' }
    of.any.lastIndex = hit.index + 1
  }
  return null
}

/** The first place up to `to` from which the rest of the text may become one of the forms. */
function openFrom(
  of: View,
  { all, seen, most }: Text,
  { from, to }: { from: number; to: number },
): number | null {
  const first = Math.max(seen.indexOf(from), seen.text.length - of.longest)
  for (let index = first; index < seen.text.length; index += 1) {
    const at = seen.place(index)
    if (at > to) return null
    if (!of.starts.has(seen.text[index]) || all.length - at >= most) continue
    if (canGrow(of, { all, seen }, index)) return at
  }
  return null
}

/** What follows may be a backspace, which takes the last character of a line back. */
function canGrow(of: View, { all, seen }: Pick<Text, 'all' | 'seen'>, index: number): boolean {
  const rest = seen.text.slice(index)
  const last = /[^\r\n]$/.test(rest.slice(1)) ? rest.slice(0, -1) : rest
  const at = seen.place(index)
  return of.forms.some((form) => {
    if (
      !(form.length > rest.length && form.startsWith(rest)) &&
      !(form.length >= rest.length && form.startsWith(last))
    )
      return false
    return isWritten(of, { all, seen }, { index, at, end: all.length, form })
  })
}

/** Across lines a value stands with some of its characters on the first one, or from the beginning of a line. */
function isWritten(
  of: View,
  { all, seen }: Pick<Text, 'all' | 'seen'>,
  { index, at, end, form }: { index: number; at: number; end: number; form: string },
): boolean {
  if (!seen.isJoined) return true
  if (of.cut.has(form)) return beginsLine(all, at)
  const edge = seen.place(index + FIRST_LINE - 1)
  const onFirst = edge < end && !/[\r\n]|\\[rn]/.test(all.slice(at, edge))
  return onFirst || !/[\r\n]|\\[rn]/.test(all.slice(at, end)) || beginsLine(all, at)
}

function beginsLine(all: string, at: number): boolean {
  const before = all.slice(Math.max(0, at - CONTEXT / 2), at)
  const seen = unseenDropped(before)?.text ?? before
  return at === 0 || /(?:[\r\n]|\\[rn])[ \t]*$/.test(seen)
}

function best(matches: readonly (Match | null)[]): Match | null {
  return matches.reduce((one, other) => {
    if (!one || !other) return one ?? other
    if (other.at !== one.at) return other.at < one.at ? other : one
    return other.end > one.end ? other : one
  }, null)
}

function firstOf(places: readonly (number | null)[]): number | null {
  const all = places.filter((place) => place !== null)
  return all.length > 0 ? Math.min(...all) : null
}
