import { crc32, deflateRawSync } from 'node:zlib'

/** One entry of an archive, honest unless it says otherwise. */
export interface ZipEntry {
  name: string | Buffer
  content?: string | Buffer
  /** Type and mode as Unix has them. */
  mode?: number
  encrypted?: boolean
  /** In the list of entries, instead of the real ones. */
  declaredSize?: number
  crc?: number
  /** In front of the bytes, instead of `name`. */
  localName?: string
}

/** Builds a ZIP archive byte by byte, so that tests can make the ones that no program would. */
export function makeZip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const packed = packEntry(entry)
    const local = Buffer.concat([localHeader(packed), packed.bytes])
    locals.push(local)
    centrals.push(centralHeader(packed, offset))
    offset += local.length
  }
  const central = Buffer.concat(centrals)
  return Buffer.concat([...locals, central, endRecord(entries.length, central.length, offset)])
}

interface Packed {
  name: Buffer
  localName: Buffer
  bytes: Buffer
  size: number
  crc: number
  flags: number
  mode: number
}

function packEntry(entry: ZipEntry): Packed {
  const content = Buffer.from(entry.content ?? '')
  const name = Buffer.from(entry.name)
  return {
    name,
    localName: entry.localName === undefined ? name : Buffer.from(entry.localName),
    bytes: deflateRawSync(content),
    size: entry.declaredSize ?? content.length,
    crc: entry.crc ?? crc32(content),
    flags: 0x800 | (entry.encrypted ? 1 : 0),
    mode: entry.mode ?? 0o100644,
  }
}

function localHeader({ localName, bytes, size, crc, flags }: Packed): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(8, 8)
  header.writeUInt32LE(crc, 14)
  header.writeUInt32LE(bytes.length, 18)
  header.writeUInt32LE(size, 22)
  header.writeUInt16LE(localName.length, 26)
  return Buffer.concat([header, localName])
}

function centralHeader({ name, bytes, size, crc, flags, mode }: Packed, offset: number): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE((3 << 8) | 20, 4)
  header.writeUInt16LE(20, 6)
  header.writeUInt16LE(flags, 8)
  header.writeUInt16LE(8, 10)
  header.writeUInt32LE(crc, 16)
  header.writeUInt32LE(bytes.length, 20)
  header.writeUInt32LE(size, 24)
  header.writeUInt16LE(name.length, 28)
  header.writeUInt32LE((mode << 16) >>> 0, 38)
  header.writeUInt32LE(offset, 42)
  return Buffer.concat([header, name])
}

function endRecord(entries: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries, 8)
  end.writeUInt16LE(entries, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return end
}
