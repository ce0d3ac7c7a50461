import { describe, expect, it } from 'vitest'
import { applyEdits, fixEdits } from '@shared/skill-md/fix-edits'
import { check, skillMdOf } from './skill-folder'
import type { Sketch } from './skill-folder'

/** SKILL.md after the fix of its first problem of this code; null: it has none. */
function fixed(sketch: Sketch, code: string): string | null {
  const text = skillMdOf(sketch)
  const problem = check(sketch).find((one) => one.code === code && one.file === undefined)
  const fix = problem && fixEdits(text, { ...problem, folderName: 'pdf-tools' })
  return fix ? applyEdits(text, fix.edits) : null
}

const FILES = {
  'references/forms.md': '# Forms\n',
  'scripts/check_table.py': 'print(1)\n',
  'a/my notes.md': 'x',
}

describe('a fix that knows the folder', () => {
  it.each([
    ['link-target-missing', 'See [x](references/from.md#forms).', 'See [x](references/forms.md#forms).'],
    ['link-target-missing', 'See [x]({baseDir}/docs/Forms.md).', 'See [x]({baseDir}/references/forms.md).'],
    ['link-target-missing', '[a](x.md) [x](<b/my notes.md>)', '[a](x.md) [x](<a/my%20notes.md>)'],
    ['file-not-there', 'Run scripts/chek_table.py now.', 'Run scripts/check_table.py now.'],
  ])('of %s in %j names the file that is nearest', (code, body, mended) => {
    const wanted = body.includes('[a](x.md)') ? null : skillMdOf({ body: mended })
    expect(fixed({ body, files: FILES }, code)).toBe(wanted)
  })

  it('is none where no file is near, or two are', () => {
    expect(fixed({ body: '[x](references/more.md)', files: FILES }, 'link-target-missing')).toBeNull()
    const twins = { 'references/form1.md': 'x', 'references/form2.md': 'x' }
    expect(fixed({ body: '[x](references/form.md)', files: twins }, 'link-target-missing')).toBeNull()
  })

  it('writes the tool that a slip meant, and leaves patterns and the rest of the field', () => {
    const front = ['allowed-tools: Raed Bash(Raed:*), Grep # Raed', 'x-own: Raed']
    expect(fixed({ front }, 'tool-unknown')).toBe(
      skillMdOf({ front: ['allowed-tools: Read Bash(Raed:*), Grep # Raed', 'x-own: Raed'] }),
    )
    expect(fixed({ front: ['allowed-tools: Python'] }, 'tool-unknown')).toBeNull()
  })

  it('deletes what nobody sees, and leaves joiners of emoji, flags and what reverses text', () => {
    const family = '\u{1F468}\u200D\u{1F469}'
    const front = ['description: Reads\u200B PDF files. Use when asked.']
    const body = `${family} a\u2060b\u202Ec \u200F`
    expect(fixed({ front, body }, 'hidden-characters')).toBe(
      skillMdOf({ front: ['description: Reads PDF files. Use when asked.'], body: `${family} ab\u202Ec ` }),
    )
  })
})
