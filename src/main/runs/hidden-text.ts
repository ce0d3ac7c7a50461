/** What colours and marks are on; colours as the terminal names them, empty for its own. */
interface Look {
  concealed: boolean
  fore: string
  back: string
}

const PLAIN: Look = { concealed: false, fore: '', back: '' }

// oxlint-disable-next-line no-control-regex -- these characters are what is looked for
const COLOURS = /(?:\u001b\[|\u009b)([\d;:]*)m/g

/**
 * Puts text between marks that a terminal would have kept from a person's eyes: concealed, or in the colour of its
 * ground (attack cases T6, T7). Who reads the output without colours then knows what nobody saw.
 */
export function markHidden(text: string): string {
  let look = PLAIN
  let isOpen = false
  const marked = text.replaceAll(COLOURS, (_sequence, codes: string) => {
    look = after(look, codes)
    const isHidden = look.concealed || (look.fore !== '' && look.fore === look.back)
    if (isHidden === isOpen) return ''
    isOpen = isHidden
    return isHidden ? '⟦hidden: ' : '⟧'
  })
  return isOpen ? `${marked}⟧` : marked
}

function after(look: Look, codes: string): Look {
  const numbers = codes.split(/[;:]/).map(Number)
  let now = look
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0
    const length = code === 38 || code === 48 ? (numbers[at + 1] === 5 ? 2 : 4) : 0
    now = withCode(now, code, numbers.slice(at + 1, at + 1 + length).join(','))
    at += length
  }
  return now
}

/** `named` is what follows 38 and 48: a palette's number or three parts of a colour. */
function withCode(look: Look, code: number, named: string): Look {
  if (code === 0) return PLAIN
  if (code === 8 || code === 28) return { ...look, concealed: code === 8 }
  if (code === 38 || code === 39) return { ...look, fore: named }
  if (code === 48 || code === 49) return { ...look, back: named }
  const colour = `5,${(code % 10) + (code >= 90 ? 8 : 0)}`
  if (/^[39][0-7]$/.test(String(code))) return { ...look, fore: colour }
  return /^(?:4|10)[0-7]$/.test(String(code)) ? { ...look, back: colour } : look
}
