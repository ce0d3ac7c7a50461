/** What `window.__app` shows to tests. */
export interface AppProbe {
  perf: {
    /** Last text handed to a live region. */
    lastAnnounce: string
    politeCount: number
    assertiveCount: number
  }
}

declare global {
  interface Window {
    __app?: AppProbe
  }
}

type Listener = (text: string) => void
const regions: Record<'polite' | 'assertive', Listener | undefined> = {
  polite: undefined,
  assertive: undefined,
}
/** At most one polite message in this time; the last one wins. */
const POLITE_GAP_MS = 2000
let nextPolite = 0
let held: ReturnType<typeof setTimeout> | undefined

/** Called once by the component that draws the two regions. */
export function attachRegions(polite: Listener, assertive: Listener): () => void {
  regions.polite = polite
  regions.assertive = assertive
  return () => {
    regions.polite = undefined
    regions.assertive = undefined
  }
}

/** Says a text to screen readers, politely and coalesced to one message per 2 s. */
export function announce(text: string): void {
  clearTimeout(held)
  const wait = nextPolite - performance.now()
  if (wait > 0) {
    held = setTimeout(() => speakPolite(text), wait)
    return
  }
  speakPolite(text)
}

/** Interrupts: only for a request that waits for the person. */
export function announceNow(text: string): void {
  note(text, 'assertiveCount')
  regions.assertive?.(text)
}

/** Takes away what was said of a request that waits no more, for who reads the page by screen reader later. */
export function endAnnouncement(): void {
  regions.assertive?.('')
}

function speakPolite(text: string): void {
  nextPolite = performance.now() + POLITE_GAP_MS
  note(text, 'politeCount')
  regions.polite?.(text)
}

function note(text: string, counter: 'politeCount' | 'assertiveCount'): void {
  if (typeof window === 'undefined') return
  window.__app ??= { perf: { lastAnnounce: '', politeCount: 0, assertiveCount: 0 } }
  window.__app.perf.lastAnnounce = text
  window.__app.perf[counter] += 1
}
