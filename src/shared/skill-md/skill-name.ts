/** Longest legal name, in code points (`format.md` 1.1). */
export const MAX_NAME = 64

/** Nearly all legal names. Patterns of other scripts are only made when one needs them, which takes milliseconds. */
const SIMPLE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const ASCII = /^[ -~]*$/
const LEGAL = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u

/** The form in which names are compared: without case and without differences of Unicode composition. */
export function foldName(name: string): string {
  // Views fold the names of 10,000 skills, nearly all of which are in that form already.
  if (/^[a-z0-9-]*$/.test(name)) return name
  return name.normalize('NFKC').trim().toLowerCase()
}

/** True for a name that a model can call: lower-case letters and digits in words joined by single hyphens. */
export function isLegalName(name: string): boolean {
  if (isSimpleName(name)) return true
  if (ASCII.test(name)) return false
  return name === foldName(name) && countCharacters(name) <= MAX_NAME && LEGAL.test(name)
}

/** A legal name made of any text; `skill` when nothing of it can be kept. */
export function slugOf(text: string): string {
  if (isSimpleName(text)) return text
  const words = foldName(text).replace(/[^\p{L}\p{N}]+/gu, '-')
  const cut = Array.from(words.replace(/^-/, '')).slice(0, MAX_NAME).join('')
  return cut.replace(/-$/, '') || 'skill'
}

/** Nearly all legal names are: a few ASCII letters, digits and single hyphens. */
export function isSimpleName(name: string): boolean {
  return name.length <= MAX_NAME && SIMPLE.test(name)
}

/** Length in code points, as the format counts it. */
export function countCharacters(text: string): number {
  return Array.from(text).length
}

/** Why a new skill can't have this name, in one sentence with what to do; null: it can. */
export function whyNoName(name: string): string | null {
  if (name === '') return 'Give it a name.'
  if (/^(?:con|prn|aux|nul|com\d|lpt\d)$/.test(name)) {
    return `"${name}" can't be the name of a skill: Windows keeps it for a device. Take ${name}-skill, for example.`
  }
  if (isLegalName(name)) return null
  const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name
  const rule = '1 to 64 lower-case letters and digits, in words joined by single hyphens'
  return `"${shown}" can't be the name of a skill: ${rule}. Take ${slugOf(name)}, for example.`
}
