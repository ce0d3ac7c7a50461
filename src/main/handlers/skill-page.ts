import type { SKILL_PAGE_CALLS } from '@shared/domain/skill-page'
import { AppError } from '@shared/errors'
import type { Handlers } from '@shared/ipc/define'
import type { Parts } from '../handlers'
import { noteVersion } from '../db/skill-version-rows'
import type { SkillEntry } from '../skills/record'
import { skillAsSeen } from '../sessions/instructions/skill-view'
import { fileCosts, shownSkill } from '../app/skill-page/as-seen'
import { skillImage } from '../app/skill-page/image'
import { skillScripts, type ScriptDeps } from '../app/skill-page/scripts'
import { grantSecret, skillSecrets } from '../app/skill-page/secrets'
import { skillUsage } from '../app/skill-page/usage'
import {
  checkVersion,
  compareVersions,
  skillVersions,
  versionText,
  type VersionDeps,
} from '../app/skill-page/versions'

/** The calls of a skill's page, line by line. */
export function skillPageHandlers(parts: Parts): Handlers<typeof SKILL_PAGE_CALLS> {
  const { db, deps, registry, settings } = parts
  const find = ({ projectDir, key }: { projectDir: string | null; key: string }): SkillEntry => {
    const entry = registry.get(projectDir, key)
    if (entry) return entry
    throw new AppError(
      'not_found',
      'This skill is not there any more. Its folder was moved, renamed or deleted.',
    )
  }
  return {
    'skillPage.asSeen': async ({ style, ...skill }) => {
      const { defaultStyle } = settings.get()
      const view = skillAsSeen(await shownSkill(parts, find(skill).record), style ?? defaultStyle)
      return { ...view, isDefault: view.style === defaultStyle }
    },
    'skillPage.fileCosts': (skill) => fileCosts(find(skill).record),
    'skillPage.usage': (skill) => skillUsage(db.sql, find(skill).record.key, deps.now()),
    'skillPage.versions': (skill) => skillVersions(versionDeps(parts), find(skill).record),
    'skillPage.compare': ({ before, after, ...skill }) => {
      for (const digest of [before, after]) checkVersion(parts, find(skill).record.key, digest)
      return compareVersions(versionDeps(parts), { before, after })
    },
    'skillPage.versionText': async ({ digest, path, ...skill }) => {
      checkVersion(parts, find(skill).record.key, digest)
      return { text: await versionText(versionDeps(parts), { digest, path }) }
    },
    'skillPage.restore': async ({ digest, expected, ...skill }) => {
      const { record } = find(skill)
      checkVersion(parts, record.key, digest)
      const { kept } = await parts.editing.restore({ key: record.key, digest, expected })
      const seenAt = deps.now()
      db.tx(() => noteVersion(db.sql, { skillKey: record.key, digest, seenAt, how: 'restored' }))
      return { kept }
    },
    'skillPage.scripts': (skill) => skillScripts(scriptDeps(parts), find(skill).record),
    'skillPage.secrets': (skill) => skillSecrets(parts, find(skill).record),
    'skillPage.grantSecret': async ({ name, treeDigest, ...skill }) => {
      await grantSecret(parts, find(skill).record, { name, treeDigest })
      return {}
    },
    'skillPage.image': ({ path, ...skill }) => ({ dataUrl: skillImage(find(skill).record, path) }),
  }
}

function scriptDeps({ db, projects, runs, sessionDeps, store }: Parts): ScriptDeps {
  const projectDirs = projects.list().map(({ dir }) => dir)
  return { sql: db.sql, store, runs, rules: sessionDeps.rules, projectDirs }
}

function versionDeps({ db, deps, store }: Parts): VersionDeps {
  return { db, store, now: deps.now }
}
