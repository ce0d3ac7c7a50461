import type { SkillDetail } from '@shared/domain/skill'
import { api } from '../../api'
import type { Loaded } from '../use-skills'
import { useAsked } from './use-asked'

export interface SkillMdText {
  /** As the file is called on disk. */
  path: string
  /** Whole, byte order mark included; null for what is no text, is missing, or is too large to be shown whole. */
  text: string | null
}

/** The file of instructions as it stands on disk. */
export function useSkillMd(projectDir: string | null, detail: SkillDetail): Loaded<SkillMdText> {
  const { key, fileList, treeDigest, changedAt } = detail
  const path = fileList.find((file) => file.path.toLowerCase() === 'skill.md')?.path
  return useAsked(
    async () => {
      if (path === undefined) return { path: 'SKILL.md', text: null }
      const { text, cut } = await api.call('skills.readFile', { projectDir, key, path })
      return { path, text: cut ? null : text }
    },
    JSON.stringify([projectDir, key, path, treeDigest, changedAt]),
  )
}
