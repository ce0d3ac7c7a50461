import { foldName, MAX_NAME, slugOf } from '@shared/skill-md/skill-name'

/** `foldName`, without the work for the many names that are in that form already: views have 10,000 of them. */
export function quickFold(name: string): string {
  return /^[a-z0-9-]*$/.test(name) ? name : foldName(name)
}

/** `slugOf`, in the same way. */
export function quickSlug(text: string): string {
  return text.length <= MAX_NAME && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text) ? text : slugOf(text)
}
