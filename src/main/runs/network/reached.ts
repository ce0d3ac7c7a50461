import type { NetworkRecord } from '@shared/domain/run'
import { visibleText } from '@shared/visible-text'

/** Of each kind; a script can name any number of hosts. */
const MOST = 50
const MOST_TEXT = 300

/** Collects which hosts a run reached and which it was refused, each once with how often. `clean` takes secrets out. */
export function createReached(clean: (text: string) => string) {
  const reached = new Map<string, NetworkRecord['reached'][number]>()
  const refused = new Map<string, NetworkRecord['refused'][number]>()
  let more = 0
  return {
    add(host: string, address: string): void {
      const known = reached.get(host)
      if (known) known.times += 1
      else if (reached.size < MOST) reached.set(host, { host, address, times: 1 })
      else more += 1
    },
    /** `host` is whatever the script wrote. */
    refuse(host: string, why: string): void {
      const shown = visibleText(clean(host)).slice(0, MOST_TEXT)
      const key = `${shown}\n${why}`
      const known = refused.get(key)
      if (known) known.times += 1
      else if (refused.size < MOST)
        refused.set(key, { host: shown, why: visibleText(clean(why)).slice(0, MOST_TEXT), times: 1 })
      else more += 1
    },
    record: (): NetworkRecord => ({
      reached: [...reached.values()],
      refused: [...refused.values()],
      ...(more > 0 ? { more } : {}),
    }),
  }
}

/** "reached api.example.com:443 (2 times); refused evil.example:443: it is not allowed"; null: neither. */
export function reachedWords({ reached, refused, more }: NetworkRecord): string | null {
  const times = (count: number) => (count === 1 ? '' : ` (${count} times)`)
  const words = [
    ...(reached.length > 0
      ? [`it reached ${reached.map((one) => `${one.host}${times(one.times)}`).join(', ')}`]
      : []),
    ...refused.map(
      (one) => `${one.host || 'a request without a host'} was refused: ${one.why}${times(one.times)}`,
    ),
    ...(more ? [`${more} more connections are not listed`] : []),
  ]
  return words.length > 0 ? words.join('; ') : null
}
