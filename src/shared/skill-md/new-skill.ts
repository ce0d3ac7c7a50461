import { editSkillMd } from './edit'

/** A template's SKILL.md as it is for a new skill: with its name, and its description where one is given. */
export function namedSkillMd(
  text: string,
  { name, description }: { name: string; description: string },
): string {
  const about = description.replace(/\s+/g, ' ').trim()
  return editSkillMd(text, { set: { name, ...(about === '' ? {} : { description: about }) } })
}
