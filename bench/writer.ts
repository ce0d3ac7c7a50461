import { applyBurst } from './lib/bursts'
import type { Burst } from './lib/bursts'

/** What the process of the other program is asked to do, one after the other. */
export interface WriteOrder {
  dir: string
  burst: Burst
  names: string[]
}

/** Another program that changes skills while the scanner looks: answers each order with what it did. */
process.on('message', ({ dir, burst, names }: WriteOrder) => {
  process.send!(applyBurst(dir, burst, names))
})
