/** A page of rows for Page Up and Page Down. */
const PAGE = 10

/** The row that a key moves to; null when the key is not one of the grid's. */
export function moveRow(key: string, index: number, count: number): number | null {
  if (count === 0) return null
  const clamp = (at: number): number => Math.min(count - 1, Math.max(0, at))
  switch (key) {
    case 'ArrowDown':
      return clamp(index + 1)
    case 'ArrowUp':
      return clamp(index - 1)
    case 'PageDown':
      return clamp(index + PAGE)
    case 'PageUp':
      return clamp(index - PAGE)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

/** The next name that begins with what was typed, from the row after `index` round to it. A single letter cycles. */
export function typeAhead(names: readonly string[], index: number, typed: string): number | null {
  const prefix = typed.toLowerCase()
  const start = prefix.length > 1 ? index : index + 1
  for (let step = 0; step < names.length; step += 1) {
    const at = (start + step + names.length) % names.length
    if (names[at]?.toLowerCase().startsWith(prefix)) return at
  }
  return null
}
