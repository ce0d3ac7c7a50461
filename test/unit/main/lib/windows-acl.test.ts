import { describe, expect, it } from 'vitest'
import { whyNotAdminsAcl } from '../../../../src/main/lib/windows-acl'

const TRUSTED_INSTALLER = 'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464'
const ADMINS_ONLY = 'O:BAG:SYD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)'
/** What %ProgramData% has, and hands down: everybody may add files and folders. */
const PROGRAM_DATA =
  'O:SYG:SYD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICIIO;GA;;;CO)(A;OICI;0x1200a9;;;BU)(A;CI;DCLCRPCR;;;BU)'

describe('a descriptor of Windows', () => {
  it.each([
    ['administrators and the system alone', ADMINS_ONLY],
    ['everybody may read', 'O:SYG:SYD:(A;;FR;;;WD)(A;;FRFX;;;AU)(A;;FA;;;BA)'],
    ['the installer of Windows owns it', `O:${TRUSTED_INSTALLER}G:SYD:(A;;FA;;;${TRUSTED_INSTALLER})`],
    ['others are denied', 'O:BAG:SYD:(D;;FA;;;BU)(A;;FA;;;BA)'],
    ['only what is in it could be written', 'O:BAG:SYD:(A;OICIIO;GA;;;BU)(A;;FA;;;BA)'],
    ['audit entries follow', `${ADMINS_ONLY}S:AI(AU;OICIFA;FA;;;WD)`],
  ])("is an administrator's where %s", (_what, sddl) => {
    expect(whyNotAdminsAcl(sddl, 'itself')).toBeNull()
    expect(whyNotAdminsAcl(sddl, 'above')).toBeNull()
  })

  it.each([
    ['a person owns it', 'O:S-1-5-21-1-2-3-1001G:SYD:(A;;FA;;;BA)', 'owner'],
    ['its owner is not told', 'G:SYD:(A;;FA;;;BA)', 'owner'],
    ['it is no descriptor', 'nonsense', 'owner'],
    ['it has no list, so that everybody may do everything', 'O:BAG:SY', 'owner'],
    ['its list is null', 'O:BAG:SYD:NO_ACCESS_CONTROL', 'writable'],
    ['everybody may change its rights', 'O:BAG:SYD:(A;;WD;;;WD)(A;;FA;;;BA)', 'writable'],
    ['users may do everything', 'O:BAG:SYD:(A;;FA;;;BA)(A;;FA;;;BU)', 'writable'],
    ['users may delete it', 'O:BAG:SYD:(A;;0x1301bf;;;BU)', 'writable'],
    ['a person may delete what is in it', 'O:BAG:SYD:(A;;DT;;;S-1-5-21-1-2-3-1001)', 'writable'],
    ['a right is unknown', 'O:BAG:SYD:(A;;QQ;;;BU)', 'writable'],
    ['a condition allows it', 'O:BAG:SYD:(XA;;FA;;;WD;(@User.Title=="PM"))', 'writable'],
  ])('is none where %s', (_what, sddl, reason) => {
    expect(whyNotAdminsAcl(sddl, 'itself')).toBe(reason)
    expect(whyNotAdminsAcl(sddl, 'above')).toBe(reason)
  })

  it('may let others add files to a folder above, as %ProgramData% does, and not to the folder itself', () => {
    expect(whyNotAdminsAcl(PROGRAM_DATA, 'above')).toBeNull()
    expect(whyNotAdminsAcl(PROGRAM_DATA, 'itself')).toBe('writable')
    expect(whyNotAdminsAcl('O:BAG:SYD:(A;;FW;;;BU)', 'itself')).toBe('writable')
    expect(whyNotAdminsAcl('O:BAG:SYD:(A;;FW;;;BU)', 'above')).toBeNull()
  })
})
