import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { ListPlaces } from './window-app'

/** What one window did, in milliseconds unless said otherwise. */
export interface ListTimes {
  firstPaint: number
  /** Between frames while the list is scrolled. */
  gaps: number[]
  /** Share of frames in which the middle of the list showed no row. */
  blank: number
  /** From a letter to the second frame after it. */
  keys: number[]
  /** Rows in the page. */
  drawn: number
}

/** Set: the page leaves a CPU profile in this folder, and times are no good. */
const profileDir = process.env['SATCHEL_BENCH_PROFILE']
const FRAMES = 120
const STEP = 1200
/** What is typed, letter by letter, and taken away again. */
const TYPED = ['t', 'th', 'thi', 'thin', 'thing', 'thin', 'thi', 'th', 't', '']

const FRAME = 'const frame = () => new Promise((done) => requestAnimationFrame(done))'

/** The list is opened, scrolled and filtered in the page itself, so that nothing of the measuring is in the times. */
export async function measureList(page: Page, places: ListPlaces): Promise<ListTimes> {
  const text = JSON.stringify(places)
  const firstPaint = await page.evaluate<number>(`(async () => {
    ${FRAME}
    const { open, row } = ${text}
    const start = performance.now()
    document.querySelector(open).click()
    while (!document.querySelector(row)) await frame()
    await frame()
    return performance.now() - start
  })()`)
  const scrolled = await page.evaluate<{ gaps: number[]; blank: number; drawn: number }>(`(async () => {
    ${FRAME}
    const { scroller, row } = ${text}
    const list = document.querySelector(scroller)
    const { left, top, width, height } = list.getBoundingClientRect()
    const gaps = []
    let [blank, drawn, last] = [0, 0, await frame()]
    for (let n = 0; n < ${FRAMES}; n += 1) {
      list.scrollTop += ${STEP}
      const now = await frame()
      gaps.push(now - last)
      last = now
      const middle = document.elementFromPoint(left + width / 3, top + height / 2)
      if (!middle || !middle.closest(row)) blank += 1
      drawn = Math.max(drawn, document.querySelectorAll(row).length)
    }
    list.scrollTop = 0
    await frame()
    return { gaps, blank: blank / ${FRAMES}, drawn }
  })()`)
  const keys = await page.evaluate<number[]>(`(async () => {
    ${FRAME}
    const box = document.querySelector(${text}.filter)
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
    const times = []
    for (const typed of ${JSON.stringify(TYPED)}) {
      await frame()
      const start = performance.now()
      set.call(box, typed)
      box.dispatchEvent(new InputEvent('input', { bubbles: true }))
      await frame()
      await frame()
      times.push(performance.now() - start)
    }
    return times
  })()`)
  return { firstPaint, keys, ...scrolled }
}

/** Does it under the page's profiler where that is asked for. */
export async function profiled<T>(page: Page, name: string, run: () => Promise<T>): Promise<T> {
  if (!profileDir) return run()
  const client = await page.context().newCDPSession(page)
  await client.send('Profiler.enable')
  await client.send('Profiler.setSamplingInterval', { interval: 200 })
  await client.send('Profiler.start')
  const done = await run()
  const { profile } = await client.send('Profiler.stop')
  mkdirSync(profileDir, { recursive: true })
  writeFileSync(join(profileDir, `${name}-${Date.now()}.cpuprofile`), JSON.stringify(profile))
  return done
}
