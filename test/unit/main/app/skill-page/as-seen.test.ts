import { join } from 'node:path'
import { expect, it } from 'vitest'
import { estimateTokens } from '@shared/tokens'
import { fileCosts } from '../../../../../src/main/app/skill-page/as-seen'
import { makeSkill, recordFor, tempDir, write } from '../../skills/support'

it('counts each file that agents open by its text, and scripts as nothing', () => {
  const text = 'Before reading, deskew the page.\n'.repeat(20)
  const dir = makeSkill(join(tempDir(), 'pdf'), 'pdf', {
    'references/ocr.md': text,
    'scripts/run.sh': '#!/bin/sh\necho run\n',
  })
  write(join(dir, 'assets/logo.bin'), Buffer.from([1, 0, 2]))
  expect(fileCosts(recordFor(dir))).toEqual([
    { path: 'assets/logo.bin', tokens: null, isScript: false },
    { path: 'references/ocr.md', tokens: estimateTokens(text), isScript: false },
    { path: 'scripts/run.sh', tokens: 0, isScript: true },
  ])
})
