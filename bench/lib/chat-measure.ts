import type { Page } from '@playwright/test'
import { profiled } from './window-measure'

/** What the window did with a long chat, in milliseconds unless said otherwise. */
export interface ChatTimes {
  /** From the click on the chat to the second frame with its end in view. */
  opened: number
  /** Between frames while it is scrolled upwards, 60 and 1,200 px in each. */
  slow: number[]
  fast: number[]
  /** Share of frames in which the middle of the transcript showed no row. */
  blankSlow: number
  blankFast: number
  /** Most elements in the transcript. */
  nodes: number
  /** Turns from the first one that was drawn up to the end: the page has at least these. */
  turns: number
}

const FRAMES = 120
const FRAME = 'const frame = () => new Promise((done) => requestAnimationFrame(done))'
const LOG = '[role="log"]'

/** Opens the chat of this title in the page itself, so that nothing of the measuring is in the times. */
export async function measureChat(page: Page, title: string): Promise<ChatTimes> {
  const opened = await profiled(page, 'chat-opened', () => open(page, title))
  const slow = await profiled(page, 'chat-slow', () => scroll(page, 60))
  const fast = await profiled(page, 'chat-fast', () => scroll(page, 1200))
  return {
    opened,
    slow: slow.gaps,
    fast: fast.gaps,
    blankSlow: slow.blank,
    blankFast: fast.blank,
    nodes: Math.max(slow.nodes, fast.nodes),
    turns: fast.turns,
  }
}

function open(page: Page, title: string): Promise<number> {
  return page.evaluate<number>(`(async () => {
    ${FRAME}
    const link = [...document.querySelectorAll('.chat-open')].find((one) => one.textContent.includes(${JSON.stringify(title)}))
    const start = performance.now()
    link.click()
    while (!document.querySelector('${LOG} [data-role="assistant"]')) await frame()
    await frame()
    return performance.now() - start
  })()`)
}

interface Scrolled {
  gaps: number[]
  blank: number
  nodes: number
  turns: number
}

function scroll(page: Page, step: number): Promise<Scrolled> {
  return page.evaluate(`(async () => {
    ${FRAME}
    const log = document.querySelector('${LOG}')
    const { left, top, width, height } = log.getBoundingClientRect()
    const gaps = []
    let [blank, nodes, last] = [0, 0, await frame()]
    const indexes = () => [...log.querySelectorAll('[data-index]')].map((one) => Number(one.dataset.index))
    for (let n = 0; n < ${FRAMES}; n += 1) {
      log.scrollTop -= ${step}
      const now = await frame()
      gaps.push(now - last)
      last = now
      const middle = document.elementFromPoint(left + width / 2, top + height / 2)
      if (!middle?.closest('[data-index]')?.querySelector('[data-role]')) blank += 1
      nodes = Math.max(nodes, log.querySelectorAll('*').length)
    }
    const first = Math.min(...indexes())
    log.scrollTop = log.scrollHeight
    for (let n = 0; n < 10; n += 1) await frame()
    return { gaps, blank: blank / ${FRAMES}, nodes, turns: Math.max(...indexes()) + 1 - first }
  })()`)
}

/** Megabytes of the page's heap after a collection. */
export async function heapMb(page: Page): Promise<number> {
  const client = await page.context().newCDPSession(page)
  await client.send('HeapProfiler.collectGarbage')
  const { usedSize } = await client.send('Runtime.getHeapUsage')
  await client.detach()
  return usedSize / 1e6
}
