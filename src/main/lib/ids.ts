import { randomBytes } from 'node:crypto'

/** A new id: a short prefix that tells the kind, and 80 random bits. */
export function newId(
  prefix:
    | 'ses'
    | 'msg'
    | 'prop'
    | 'call'
    | 'mc'
    | 'req'
    | 'run'
    | 'rule'
    | 'mcp'
    | 'set'
    | 'app'
    | 'op'
    | 'trash'
    | 'try',
): string {
  return `${prefix}_${randomBytes(10).toString('hex')}`
}
