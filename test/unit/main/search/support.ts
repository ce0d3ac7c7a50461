import { join } from 'node:path'
import { openSkillIndex } from '../../../../src/main/search/skill-index'
import type { SkillIndex } from '../../../../src/main/search/skill-index'
import type { SkillTexts } from '../../../../src/main/search/skill-texts'
import type { IndexedSkill } from '../../../../src/main/search/worker-contract'
import { later, tempDir } from '../skills/support'

const BODIES: Record<string, string> = {
  pdf: 'Use OCR to deskew scanned pages before you extract text.',
  mail: 'Write a letter. Attach the pdf.',
  csv: 'Sum the columns of a table. Ärger mit Umlauten. 数据处理的方法。',
}
const FILES: Record<string, SkillTexts> = {
  pdf: {
    paths: ['references/tesseract_setup.md', 'scripts/run.py', 'assets/Logo-Dark.png'],
    texts: [
      { path: 'references/tesseract_setup.md', text: 'Binarise first.\n\nThen  despeckle the\npage.' },
      { path: 'scripts/run.py', text: 'import pytesseract' },
    ],
  },
}

/** An index of skills whose bodies and files are made up. */
export function openIndex(
  file = join(tempDir(), 'index.db'),
  bodies = BODIES,
): { file: string; index: SkillIndex } {
  const index = openSkillIndex({
    file,
    readBody: (path) => bodies[path] ?? '',
    readTexts: (dir) => FILES[dir] ?? { paths: [], texts: [] },
  })
  later(() => index.close())
  return { file, index }
}

export const doc = (name: string, change: Partial<IndexedSkill> = {}): IndexedSkill => ({
  key: `personal:${name}`,
  name,
  description: `About ${name}.`,
  tags: [],
  skillMd: name,
  rootDir: name,
  stamp: '1',
  ...change,
})

export const keysOf = (index: SkillIndex, query: string, limit = 10): string[] =>
  index.search(query, limit).map(({ key }) => key.slice('personal:'.length))

/** With three skills and more. */
export function filled(more: readonly IndexedSkill[] = []): {
  file: string
  index: SkillIndex
  keys: (query: string) => string[]
} {
  const opened = openIndex()
  opened.index.index({ upsert: [...Object.keys(BODIES).map((name) => doc(name)), ...more], remove: [] })
  return { ...opened, keys: (query) => keysOf(opened.index, query) }
}
