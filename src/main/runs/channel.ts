import type { OutputChunk } from '@shared/domain/run'
import { createRedactor, type HeldSecret, type Redactor } from '../lib/redact'
import type { OutputLog } from './output-log'
import { createCollector, type Collector } from './text'

/** One of the two streams of a run, from bytes to what may be seen of them. */
export interface Channel {
  name: OutputChunk['channel']
  decoder: InstanceType<typeof TextDecoder>
  redactor: Redactor
  collector: Collector
  /** Bytes whose text is held until more comes. */
  heldBytes: number
  /** Secrets that were found only in the text as it is read, overwritten and moved about. */
  lateNames: Set<string>
}

export function createChannel(name: Channel['name'], secrets: readonly HeldSecret[]): Channel {
  const lateNames = new Set<string>()
  return {
    name,
    decoder: new TextDecoder('utf-8', { ignoreBOM: true }),
    redactor: createRedactor(secrets),
    collector: createCollector(cleaner(secrets, lateNames)),
    heldBytes: 0,
    lateNames,
  }
}

/** Takes secrets out of a text that is whole. */
export function cleaner(
  secrets: readonly HeldSecret[],
  found: Set<string> = new Set(),
): (text: string) => string {
  return (text) => {
    const redactor = createRedactor(secrets)
    const clean = redactor.push(text) + redactor.end()
    for (const name of redactor.found()) found.add(name)
    return clean
  }
}

/** Names of the secrets that were found in what a channel printed; whole after its excerpt. */
export function foundIn({ redactor, lateNames }: Channel): string[] {
  return [...redactor.found(), ...lateNames]
}

/** What a script printed, without secrets, for the model and the log. */
export function feed(channel: Channel, log: OutputLog, bytes: Uint8Array): void {
  const text = channel.redactor.push(channel.decoder.decode(bytes, { stream: true }))
  channel.collector.push(text)
  // After a crash what was held is read again from its beginning.
  channel.heldBytes += bytes.length
  const isSettled = !channel.redactor.holds()
  log.append(channel.name, text, isSettled ? channel.heldBytes : 0)
  if (isSettled) channel.heldBytes = 0
}

/** Nothing more comes: what was held is let go. */
export function endChannel(channel: Channel, log: OutputLog): void {
  const rest = channel.redactor.push(channel.decoder.decode()) + channel.redactor.end()
  channel.collector.push(rest)
  log.append(channel.name, rest, channel.heldBytes)
}
