/** The whole number that was typed, pulled into the range; null when it is none. */
export function inRange(text: string, min: number, max: number): number | null {
  const value = Math.round(Number(text))
  if (text.trim() === '' || !Number.isFinite(value)) return null
  return Math.min(max, Math.max(min, value))
}
