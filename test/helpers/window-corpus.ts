import type { Page } from '@playwright/test'
import type { WindowCase } from '../corpus/window-cases'
import { blocked, webContentsCount } from './attacked-app'
import { composer, sendMessage, transcript } from './chat'
import { expect, networkOf, type Session } from './electron'
import { startFakeProvider } from './fake-provider'
import { inPage, RAW_PORT } from './raw-port'

/** The last words of every text. */
const END = 'The end of it.'

/**
 * Lets a model say each text in a chat of its own. Nothing of it may run, be fetched, be looked up, leave the window
 * or become anything else than text, code and links that are safe.
 */
export async function runWindowCorpus(session: Session, cases: readonly WindowCase[]): Promise<void> {
  const fake = await startFakeProvider()
  try {
    await useProvider(session.page, fake.url)
    await recordOpened(session)
    for (const one of cases) {
      fake.queue({ text: [one.text.slice(0, 20), one.text.slice(20), `\n\n${END}`] })
      await playCase(session, one)
    }
    expect(await openedAddresses(session)).toEqual([])
    await session.close()
    expect(networkOf(session)).toMatchObject({ requests: [], names: [], dnsQueries: 0, connections: [] })
  } finally {
    await fake.close()
  }
}

/** By the page's own port; the page is loaded anew afterwards, because its connection ended by it. */
async function useProvider(page: Page, url: string): Promise<void> {
  await expect(composer(page)).toBeVisible()
  const provider = {
    id: 'fake',
    kind: 'openai-compatible',
    label: 'Fake',
    baseUrl: url,
    models: ['model-a'],
    key: { store: 'none' },
  }
  const answers = await inPage<{ t: string }[]>(
    page,
    `${RAW_PORT} const port = await rawPort()
     const saved = await port.ask({ t: 'call', id: 1, name: 'providers.save', input: ${JSON.stringify(provider)} })
     const set = await port.ask({ t: 'call', id: 2, name: 'settings.set', input: { defaultModel: 'fake/model-a' } })
     return [saved, set]`,
  )
  expect(answers.map(({ t }) => t)).toEqual(['result', 'result'])
  await page.reload()
  await expect(composer(page)).toBeVisible()
}

async function playCase(session: Session, { title, click, shows, waitsFor }: WindowCase): Promise<void> {
  const { page } = session
  await page.keyboard.press('ControlOrMeta+N')
  await expect(transcript(page)).not.toContainText('Say it:')
  await sendMessage(page, `Say it: ${title.slice(0, 40)}`)
  await expect(transcript(page), title).toContainText(waitsFor ?? END)
  if (shows) await expect.soft(transcript(page), title).toContainText(shows)
  if (click) await clickInEveryWay(page, click)
  expect.soft(await harmIn(page), title).toEqual([])
  expect.soft(await webContentsCount(session), title).toBe(1)
  expect.soft(blocked(session, 'request'), title).toEqual([])
  await expect(composer(page), title).toBeEnabled()
}

async function clickInEveryWay(page: Page, words: string): Promise<void> {
  for (const link of await transcript(page).getByText(words, { exact: true }).all()) {
    await link.click({ force: true })
    await link.click({ force: true, button: 'middle' })
    await link.click({ force: true, modifiers: ['ControlOrMeta'] })
    await link.click({ force: true, modifiers: ['Shift'] })
    await page.keyboard.press('Escape')
  }
}

/** What of the text became more than text. */
function harmIn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(${HARM})(document.querySelector('[role=log]'))`)
}

/** Runs in the page, on the transcript. */
const HARM = `(log) => {
  const harm = []
  const banned = 'script,style,link,meta,base,form,iframe,frame,object,embed,math,video,audio,source,track,portal,webview,img,image,[srcdoc]'
  for (const node of log.querySelectorAll(banned)) harm.push('element ' + node.outerHTML.slice(0, 200))
  for (const node of log.querySelectorAll('*')) {
    for (const { name, value } of node.attributes) {
      if (name.startsWith('on')) harm.push('attribute ' + name)
      const isAddress = /^(href|src|srcset|action|formaction|xlink:href|ping)$/.test(name)
      if (isAddress && !/^(https?:|mailto:|#)/.test(value)) harm.push(name + '=' + value.slice(0, 100))
    }
  }
  if ('pwned' in window) harm.push('a script ran')
  if (!location.href.startsWith('app://bundle/')) harm.push('the page is at ' + location.href)
  if (typeof window.satchel?.connect !== 'function') harm.push('a name was hidden')
  return harm
}`

/** From here on nothing is opened on this computer, but noted. */
async function recordOpened({ app }: Session): Promise<void> {
  await app.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { openedAddresses: opened })
    shell.openExternal = async (url) => void opened.push(url)
  })
}

function openedAddresses({ app }: Session): Promise<string[]> {
  return app.evaluate(
    () => (globalThis as { openedAddresses?: string[] }).openedAddresses ?? ['never recorded'],
  )
}
