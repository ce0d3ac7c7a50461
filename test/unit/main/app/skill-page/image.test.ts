import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { skillImage } from '../../../../../src/main/app/skill-page/image'
import { makeSkill, recordFor, tempDir, write } from '../../skills/support'

const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex')

function setup() {
  const base = tempDir()
  const dir = makeSkill(join(base, 'pdf'), 'pdf')
  write(join(dir, 'assets/a.png'), PNG)
  return { base, dir, record: recordFor(dir) }
}

describe('a picture of a skill', () => {
  it('is given as a data address by what its bytes are', () => {
    const { dir, record } = setup()
    write(join(dir, 'photo.txt'), Buffer.from('ffd8ffe000', 'hex'))
    expect(skillImage(record, 'assets/a.png')).toBe(`data:image/png;base64,${PNG.toString('base64')}`)
    expect(skillImage(record, './photo.txt')).toMatch(/^data:image\/jpeg;/)
  })

  it('is never a drawing with scripts in it, whatever its name says', () => {
    const { dir, record } = setup()
    write(join(dir, 'a.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')
    write(join(dir, 'b.png'), '<svg/>')
    expect(skillImage(record, 'a.svg')).toBeNull()
    expect(skillImage(record, 'b.png')).toBeNull()
  })

  it('is nothing above 2 MB', () => {
    const { dir, record } = setup()
    write(join(dir, 'big.png'), Buffer.concat([PNG, Buffer.alloc(2 * 1024 * 1024)]))
    expect(skillImage(record, 'big.png')).toBeNull()
  })

  it('never leaves the skill, by its path or by a link', () => {
    const { base, dir, record } = setup()
    write(join(base, 'secret.png'), PNG)
    symlinkSync(join(base, 'secret.png'), join(dir, 'link.png'))
    expect(() => skillImage(record, '../secret.png')).toThrow(/refused/)
    expect(skillImage(record, 'link.png')).toBeNull()
  })

  it('is not read where nothing of the skill may be', () => {
    const { dir } = setup()
    expect(skillImage(recordFor(dir, { unread: true }), 'assets/a.png')).toBeNull()
  })
})
