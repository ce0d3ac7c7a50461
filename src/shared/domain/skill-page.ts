import { z } from 'zod'
import { call } from '../ipc/define'

const SkillRef = z.object({ projectDir: z.string().min(1).max(4096).nullable(), key: z.string().max(5000) })

/** What the parts of a skill's page ask for beyond `skills.get`; each throws `not_found` for a skill that is gone. */
export const SKILL_PAGE_CALLS = {
  /** A picture of the skill as a data address; null for what is none, or is larger than 2 MB. Never SVG (MD-2). */
  'skillPage.image': call(
    SkillRef.extend({ path: z.string().max(4096) }),
    z.object({ dataUrl: z.string().nullable() }),
  ),
}
