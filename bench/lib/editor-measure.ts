import type { Page } from '@playwright/test'

/** Typing in a long text, in milliseconds. */
export interface TypingTimes {
  /** From a letter until the frame after it is drawn. */
  keys: number[]
  /** Longest time between two frames once typing stops, in which problems are looked for. */
  stops: number[]
}

const LETTERS = 12
const STOPS = 5
/** The text settles 150 ms after the last letter (`ux.md` 7); what follows has come by then. */
const AFTER_MS = 700

/** Letters come as they do from a keyboard, in the middle of the text, all in the page itself. */
export function measureTyping(page: Page): Promise<TypingTimes> {
  return page.evaluate<TypingTimes>(`(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    const drawn = async () => {
      await frame()
      await new Promise((done) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = done
        port2.postMessage(0)
      })
    }
    const text = document.querySelector('.cm-content')
    const scroller = document.querySelector('.cm-scroller')
    scroller.scrollTop = scroller.scrollHeight / 2
    await drawn()
    await drawn()
    const { top, height } = scroller.getBoundingClientRect()
    const lines = [...document.querySelectorAll('.cm-line')]
    const line = lines.find((one) => one.getBoundingClientRect().top > top + height / 3 && one.firstChild)
    text.focus()
    getSelection().collapse(line, 0)
    await drawn()
    const [keys, stops] = [[], []]
    for (let stop = 0; stop < ${STOPS}; stop += 1) {
      for (let letter = 0; letter < ${LETTERS}; letter += 1) {
        await frame()
        const start = performance.now()
        document.execCommand('insertText', false, 'x')
        await drawn()
        keys.push(performance.now() - start)
      }
      let [longest, last] = [0, await frame()]
      const end = performance.now() + ${AFTER_MS}
      while (performance.now() < end) {
        const now = await frame()
        longest = Math.max(longest, now - last)
        last = now
      }
      stops.push(longest)
    }
    if (!text.textContent.includes('xxxxxxxxxxxx')) throw new Error('Nothing was typed.')
    return { keys, stops }
  })()`)
}
