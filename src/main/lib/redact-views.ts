/** A text in which values are looked for, and where its characters stand in what was printed. */
export interface Seen {
  text: string
  /** Place in the printed text of a character of `text`; its end for one behind the last. */
  place(index: number): number
  /** Index of the first character of `text` that stands at this place of the printed text or behind it. */
  indexOf(place: number): number
  /** Lines are one text. */
  isJoined: boolean
}

// oxlint-disable no-control-regex -- these characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2060\ufeff]/

/**
 * What a terminal does not show: sequences of bounded length; a character that a backspace takes back; and what has no
 * width.
 */
const UNSEEN =
  /(?:\u001b\[|\u009b)[0-?]{0,40}[ -/]{0,4}[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]{0,56}(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]{0,4}[0-OQ-WYZ\\`-~]|[^\r\n\b\u001b]\u0008|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2060\ufeff]/

const UNSEEN_ALL = new RegExp(UNSEEN.source, 'g')
const UNSEEN_OR_BREAK = new RegExp(String.raw`${UNSEEN.source}|[\r\n][ \t]*|\\[rn]`, 'g')
/** A sequence at the end of a text that is not whole yet. */
const UNFINISHED =
  /(?:(?:\u001b\[|\u009b)[0-?]{0,40}[ -/]{0,4}|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]{0,56}\u001b?|\u001b[ -/]{0,4}|\\)$/
// oxlint-enable no-control-regex

/** The text before a sequence that is not whole yet; null: there is none. */
export function beforeUnfinished(text: string): string | null {
  const end = text.slice(-64)
  const at = UNFINISHED.exec(end)?.index
  return at === undefined ? null : text.slice(0, text.length - end.length + at)
}

/** As it was printed. */
export function printed(text: string): Seen {
  return { text, place: (index) => index, indexOf: (place) => place, isJoined: false }
}

/** Without what a terminal does not show; null where that is nothing. */
export function unseenDropped(text: string): Seen | null {
  return CONTROL.test(text) ? without(text, UNSEEN_ALL, false) : null
}

/** The same with all lines as one text. */
export function joinedLines(text: string): Seen {
  return without(text, UNSEEN_OR_BREAK, true)
}

function without(text: string, drop: RegExp, isJoined: boolean): Seen {
  const kept: string[] = []
  /** Where each kept piece begins, in the printed text and in the one that is seen. */
  const places: number[] = []
  const indexes: number[] = []
  let from = 0
  let length = 0
  const keep = (to: number) => {
    if (to <= from) return
    kept.push(text.slice(from, to))
    places.push(from)
    indexes.push(length)
    length += to - from
  }
  for (const { 0: match, index } of text.matchAll(drop)) {
    keep(index)
    from = index + match.length
  }
  keep(text.length)
  return {
    text: kept.join(''),
    place(index) {
      if (index >= length) return text.length
      const piece = lastUpTo(indexes, index)
      return (places[piece] ?? 0) + index - (indexes[piece] ?? 0)
    },
    indexOf(place) {
      const piece = lastUpTo(places, place)
      if (piece < 0) return 0
      const next = indexes[piece + 1] ?? length
      return Math.min(next, (indexes[piece] ?? 0) + place - (places[piece] ?? 0))
    },
    isJoined,
  }
}

/** Index of the last of ascending numbers that is not above `most`; -1: all are. */
function lastUpTo(numbers: readonly number[], most: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) <= most) low = middle + 1
    else high = middle
  }
  return low - 1
}
