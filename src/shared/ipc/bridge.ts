import type { Port } from './protocol'

/** All that the preload script gives to the page, as `window.satchel`. */
export interface Bridge {
  /**
   * Asks main for the page's port. Give it to `connect` of `client.ts`. A page has one port: asking again closes
   * the one before. Rejects when main refuses.
   */
  connect(): Promise<Port>
  /** Path on disk of a file that was dropped on the page or picked in it; '' if it is not a file of the disk. */
  getPathForFile(file: unknown): string
}

/** Names of the messages between preload and main; only they use them. */
export const CONNECT_CHANNEL = 'satchel:connect'
/** The first message on a port that main has accepted. */
export const READY_MESSAGE = 'ready'
