import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { whyFolderNotAdmins, whyNotAdmins } from '../../../../src/main/lib/admin-owned'
import type { Ownership } from '../../../../src/main/lib/admin-owned'
import { tempDir } from '../skills/support'

type Owned = Record<string, { uid?: number; mode?: number }>

function who(owned: Owned, change: Partial<Ownership> = {}): Ownership {
  return {
    platform: 'linux',
    uid: 1000,
    stat: (path) => ({ uid: owned[path]?.uid ?? 0, mode: owned[path]?.mode ?? 0o755 }),
    canWrite: () => false,
    ...change,
  }
}

const FILE = '/etc/satchel/policy.json'

describe('a file of an administrator', () => {
  it("is root's, with all folders above it", () => {
    expect(whyNotAdmins(FILE, who({ [FILE]: { mode: 0o644 } }))).toBeNull()
  })

  it('may lie below a folder for everyone where nobody can rename what is of others', () => {
    expect(whyNotAdmins(FILE, who({ '/etc': { mode: 0o1777 } }))).toBeNull()
  })

  it.each<[string, Owned]>([
    [`${FILE} belongs to somebody else than an administrator`, { [FILE]: { uid: 1000 } }],
    ['/etc/satchel belongs to somebody else than an administrator', { '/etc/satchel': { uid: 1000 } }],
    ['/etc belongs to somebody else than an administrator', { '/etc': { uid: 7 } }],
    [`others than an administrator can write ${FILE}`, { [FILE]: { mode: 0o646 } }],
    ['others than an administrator can write /etc/satchel', { '/etc/satchel': { mode: 0o775 } }],
    ['others than an administrator can write /etc', { '/etc': { mode: 0o777 } }],
    [`others than an administrator can write ${FILE}`, { [FILE]: { mode: 0o1777 } }],
  ])('is none when %s', (reason, owned) => {
    expect(whyNotAdmins(FILE, who(owned))).toBe(reason)
    expect(whyNotAdmins(FILE, who(owned, { uid: 0 }))).toBe(reason)
  })

  it('is none when the user can write it all the same, by an access list', () => {
    expect(whyNotAdmins(FILE, who({}, { canWrite: () => true }))).toBe(`you can write ${FILE}`)
  })

  it('is one for root itself, who can write everything: else root would be the way round it', () => {
    expect(whyNotAdmins(FILE, who({}, { uid: 0, canWrite: () => true }))).toBeNull()
  })

  describe('on Windows', () => {
    const PATH = 'C:\\ProgramData\\Satchel\\policy.json'
    const OPEN = 'O:SYG:SYD:(A;;FA;;;BA)(A;;DCLC;;;BU)'
    const onWindows = (descriptors: Record<string, string>) =>
      who(
        {},
        {
          platform: 'win32',
          descriptors: (paths) =>
            paths.map((path) => descriptors[path] ?? 'O:BAG:SYD:(A;;FA;;;BA)(A;;FR;;;BU)'),
        },
      )

    it('is decided by the descriptors of the file and of all folders above it', () => {
      expect(whyNotAdmins(PATH, onWindows({ 'C:\\ProgramData': OPEN, 'C:\\': OPEN }))).toBeNull()
      expect(whyNotAdmins(PATH, onWindows({ [PATH]: OPEN }))).toBe(
        `others than an administrator can write ${PATH}`,
      )
      const person = 'O:S-1-5-21-1-2-3-1001G:SYD:(A;;FA;;;BA)'
      expect(whyNotAdmins(PATH, onWindows({ 'C:\\ProgramData\\Satchel': person }))).toBe(
        'C:\\ProgramData\\Satchel belongs to somebody else than an administrator',
      )
      const root = { 'C:\\': 'O:SYG:SYD:(A;;FA;;;WD)' }
      expect(whyNotAdmins(PATH, onWindows(root))).toBe('others than an administrator can write C:\\')
    })

    it('is none where it can not be told', () => {
      const silent = who({}, { platform: 'win32', descriptors: () => [] })
      expect(whyNotAdmins(PATH, silent)).toBe(`${PATH} belongs to somebody else than an administrator`)
      // Here is no Windows to ask.
      expect(whyNotAdmins(PATH, who({}, { platform: 'win32' }))).toBe('Satchel can not tell who may write it')
    })
  })

  it('is none when it is gone', () => {
    expect(whyNotAdmins(join(tempDir(), 'gone'))).toBe('it can not be read')
  })
})

it('a folder is judged with everything directly in it', () => {
  const dir = tempDir()
  mkdirSync(join(dir, 'a'))
  mkdirSync(join(dir, 'b'))
  expect(whyFolderNotAdmins(dir, who({}))).toBeNull()
  const bad = join(dir, 'b')
  expect(whyFolderNotAdmins(dir, who({ [bad]: { uid: 5 } }))).toBe(
    `${bad} belongs to somebody else than an administrator`,
  )
  expect(whyFolderNotAdmins(dir, who({ [dir]: { uid: 5 } }))).toBe(
    `${dir} belongs to somebody else than an administrator`,
  )
})
