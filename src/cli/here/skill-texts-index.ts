import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { SkillHit } from '@shared/domain/skill'
import type { IndexedSkill } from '../../main/search/worker-contract'
import { openSkillIndex } from '../../main/search/skill-index'
import type { SkillIndex } from '../../main/search/skill-index'
import { readTexts } from '../../main/search/skill-texts'
import { readSkillMd } from '../../main/skills/scan/facts'
import type { SkillRecord } from '../../main/skills/record'
import { readStart } from '../../main/skills/store/safe-read'
import { listTree } from '../../main/skills/store/tree'
import { startProgress } from '../terminal/progress'
import type { SkillsHere } from './skills'
import type { World } from '../world'

const MAX_HITS = 1000
const MAX_FILES = 2000
/** Skills that are written in one transaction, so that the app waits for none of it. */
const BATCH = 100

/**
 * What the full-text index finds, best first. The app's own index is used and completed where there is one; else one is
 * made in memory. What the app knows of other projects stays.
 */
export function findTexts({ registry, dataDir }: SkillsHere, world: World, query: string): SkillHit[] {
  const index = openIndex(dataDir)
  const progress = startProgress(world, 'Reading skills')
  try {
    const known = new Map(index.stamps().map(({ key, stamp }) => [key, stamp]))
    const wanted = registry.all().filter(({ unread, key, stamp }) => !unread && known.get(key) !== stamp)
    for (let at = 0; at < wanted.length; at += BATCH) {
      progress.tick(at)
      index.index({ upsert: wanted.slice(at, at + BATCH).map(indexed), remove: [] })
    }
    return index.search(query, MAX_HITS)
  } finally {
    progress.end()
    index.close()
  }
}

function openIndex(dataDir: string | null): SkillIndex {
  const readers = { readBody, readTexts: textsOf }
  const file = dataDir === null ? null : join(dataDir, 'index.db')
  if (file !== null && existsSync(file)) {
    try {
      return openSkillIndex({ ...readers, file })
    } catch {
      // Locked, damaged, not ours to write: one in memory finds the same.
    }
  }
  return openSkillIndex({ ...readers, file: ':memory:' })
}

function indexed(record: SkillRecord): IndexedSkill {
  const { key, name, label, description, tags, skillMd, rootDir, stamp } = record
  return { key, name, label, description, tags, skillMd, rootDir, stamp }
}

function readBody(skillMd: string): string {
  return readSkillMd(skillMd, basename(dirname(skillMd))).body
}

function textsOf(rootDir: string): ReturnType<typeof readTexts> {
  const { files } = listTree(rootDir, { maxFiles: MAX_FILES, allowHardLinks: true })
  return readTexts(files, readStart)
}
