/*
 * Who may change a file on Windows, from its security descriptor as text (SDDL): the one form of it that does not depend
 * on the language of the system.
 */

/** Administrators, the system, the built-in administrator, domain administrators, the installer of Windows; the owner. */
const ADMINS = new Set([
  'BA',
  'SY',
  'LA',
  'DA',
  'CO',
  'S-1-5-18',
  'S-1-5-32-544',
  'S-1-3-0',
  'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464',
])

/** Rights of files and folders by their letters. */
const RIGHTS: Readonly<Record<string, number>> = {
  CC: 0x1,
  DC: 0x2,
  LC: 0x4,
  SW: 0x8,
  RP: 0x10,
  WP: 0x20,
  DT: 0x40,
  LO: 0x80,
  CR: 0x100,
  SD: 0x1_0000,
  RC: 0x2_0000,
  WD: 0x4_0000,
  WO: 0x8_0000,
  GA: 0x1000_0000,
  GX: 0x2000_0000,
  GW: 0x4000_0000,
  GR: 0x8000_0000,
  FA: 0x1f_01ff,
  FR: 0x12_0089,
  FW: 0x12_0116,
  FX: 0x12_00a0,
}
/** Deleting what is in it, deleting or renaming itself, changing its rights and its owner; everything. */
const REPLACES = 0x40 | 0x1_0000 | 0x4_0000 | 0x8_0000 | 0x1000_0000
/** The same, and writing, or adding to a folder. */
const WRITES = REPLACES | 0x2 | 0x4 | 0x4000_0000

/**
 * What is wrong with the descriptor of a file that only an administrator may change, or of a folder `above` one, into
 * which others may put things but where they may replace nothing; null when nothing is. What can't be read is wrong.
 */
export function whyNotAdminsAcl(sddl: string, place: 'itself' | 'above'): 'owner' | 'writable' | null {
  const found =
    /^O:(S-[\d-]+|[A-Z]{2})(?:G:(?:S-[\d-]+|[A-Z]{2}))?D:([A-Z]*)((?:\([^()]*(?:\([^()]*\)[^()]*)*\))*)/.exec(
      sddl,
    )
  const owner = found?.[1]
  if (!found || owner === undefined || owner === 'CO' || !ADMINS.has(owner)) return 'owner'
  const entries = found[3] ?? ''
  if (entries === '' || found[2]?.includes('NO_ACCESS') === true) return 'writable'
  const mask = place === 'itself' ? WRITES : REPLACES
  const open = [...entries.matchAll(/\(([^()]*)/g)].some(([, entry = '']) => allows(entry, mask))
  return open ? 'writable' : null
}

/** `type;flags;rights;object;inherited object;who`. */
function allows(entry: string, mask: number): boolean {
  const [type = '', flags = '', rights = '', , , who = ''] = entry.split(';')
  if (/^(?:O|X|Z)?D$/.test(type) || flags.match(/../g)?.includes('IO') || ADMINS.has(who)) return false
  return (rightsOf(rights) & mask) !== 0
}

/** As a number or as letters; all of them for what is not known. */
function rightsOf(text: string): number {
  if (/^(?:0x[\da-f]+|\d+)$/i.test(text)) return Number(text)
  return (text.match(/../g) ?? []).reduce((all, letters) => all | (RIGHTS[letters] ?? ~0), 0)
}
