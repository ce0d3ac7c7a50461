import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { AuditEvent } from '@shared/domain/audit'
import type { AuditVerdict } from '@shared/domain/audit'
import { AppError } from '@shared/errors'
import { faultOf, START } from '../../main/audit/chain'
import { chainReader, verified } from '../../main/audit/reader'
import { withAudit } from '../here/audit'
import type { Given, Outcome } from '../grammar/command'
import { EXIT } from '../grammar/exit-codes'
import { counted, shown } from '../terminal/output'
import type { Style } from '../terminal/output'
import type { World } from '../world'

/** `satchel audit verify`: the record, or a file that it was written to. Ends with 1 where an entry doesn't match. */
export async function run({ words }: Given, world: World): Promise<Outcome> {
  const [file] = words
  const verdict =
    file === undefined
      ? await withAudit(
          world,
          async ({ sql, dataDir }) => (await verified(chainReader(sql, dataDir, true))).verdict,
        )
      : await verifyFile(file)
  return {
    result: { ok: verdict.firstBad === null, ...verdict },
    exit: verdict.firstBad === null ? EXIT.done : EXIT.failed,
    text: (out, err) => ({
      out: verdictText(verdict, out),
      err: (verdict.remarks ?? []).map((remark) => err.paint('warn', shown(remark))).join('\n'),
    }),
  }
}

function verdictText({ firstBad, entries, fault }: AuditVerdict, style: Style): string {
  if (firstBad === null)
    return style.paint('good', `Log verified, ${counted(entries, 'entry', 'entries')}, no gaps.`)
  const entry = firstBad.toLocaleString('en-US')
  return style.paint(
    'bad',
    fault === 'output'
      ? `The kept output of the run of entry ${entry} is not what it printed.`
      : `Entry ${entry} doesn't match (${fault ?? 'changed'}). Entries after it can't be trusted.`,
  )
}

/** The chain of a file from its first line on; a file that was begun anew goes on in the middle. */
async function verifyFile(path: string): Promise<AuditVerdict> {
  let at: { seq: number; hash: string } | null = null
  let entries = 0
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity })
  try {
    for await (const line of lines) {
      const event = eventOf(line)
      const before = at ?? (event && event.seq > 1 ? { seq: event.seq - 1, hash: event.prevHash } : START)
      const fault = event ? faultOf(event, before) : 'changed'
      if (fault && !event && (await isTorn(path, line))) return { entries, firstBad: null, remarks: [TORN] }
      if (fault) return { entries, firstBad: before.seq + 1, fault }
      at = { seq: event!.seq, hash: event!.hash }
      entries += 1
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new AppError('not_found', `The file can't be read (${code ?? String(error)}): ${path}`)
  }
  return { entries, firstBad: null }
}

const TORN =
  'The last line is incomplete: the disk was full, or Satchel ended while it was written. It is completed as soon as the file can be written again.'

/** The line is the end of the file, without the end of a line. */
async function isTorn(path: string, line: string): Promise<boolean> {
  const file = await open(path)
  try {
    const length = Buffer.byteLength(line)
    const { size } = await file.stat()
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, Math.max(0, size - length))
    return length > 0 && buffer.equals(Buffer.from(line))
  } finally {
    await file.close()
  }
}

function eventOf(line: string): AuditEvent | null {
  try {
    return AuditEvent.parse(JSON.parse(line))
  } catch {
    return null // no entry: told as the first that doesn't match
  }
}
