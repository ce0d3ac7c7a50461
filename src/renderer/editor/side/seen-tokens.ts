import { parseSkillMd } from '@shared/skill-md'
import { estimateTokens } from '@shared/tokens'

/** Tokens of the instructions of a SKILL.md, estimated. */
export function bodyTokens(text: string, folderName: string): number {
  return estimateTokens(parseSkillMd(text, { folderName }).body)
}
