import type { Bridge } from '@shared/ipc/bridge'
import { connect } from '@shared/ipc/client'
import type { AppContract } from '@shared/ipc/contract'
import type { Client } from '@shared/ipc/define'

declare global {
  interface Window {
    satchel?: Bridge
  }
}

export type Api = Client<AppContract>

let client: Api | undefined

/** The page's one way to main. Every call rejects with an AppError whose message can be shown as it is. */
export const api: Api = {
  call: (name, input) => connected().call(name, input),
  stream: (name, input, on) => connected().stream(name, input, on),
}

/** Puts another client in place: for tests and for the page's own start. */
export function setApi(other: Api): void {
  client = other
}

/** Opens the port that the preload script offers. Without one (a plain browser) it says what to do. */
export async function connectApi(): Promise<void> {
  if (client) return
  if (!window.satchel) throw new Error('This page only works inside Satchel. Start the app with "npm start".')
  client = connect<AppContract>(await window.satchel.connect())
}

/** The sentence of an error, for an inline note. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function connected(): Api {
  if (!client) throw new Error('The page is not connected yet.')
  return client
}
