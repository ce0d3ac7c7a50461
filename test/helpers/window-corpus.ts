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
  await withModel(session, async (say) => {
    for (const one of cases) {
      await say(one)
      expect.soft(await harmOf(session, one), `${one.id} ${one.title}`).toEqual([])
      await expect(composer(session.page), one.title).toBeEnabled()
    }
    expect(await openedAddresses(session)).toEqual([])
    await session.close()
    expect(networkOf(session)).toMatchObject({ requests: [], names: [], dnsQueries: 0, connections: [] })
  })
}

/** What changes the whole page where nothing stops it: each gets a page of its own, and nothing comes behind the last. */
const LAST = ['X9', 'X8', 'X7']

/** The cases that did harm, in an app without its defences. */
export async function harmedBy(session: Session, cases: readonly WindowCase[]): Promise<WindowCase[]> {
  const harmed: WindowCase[] = []
  const inOrder = cases.toSorted((a, b) => LAST.indexOf(a.id) - LAST.indexOf(b.id))
  session.page.setDefaultTimeout(15_000)
  await withModel(session, async (say) => {
    for (const one of inOrder) {
      if (LAST.includes(one.id)) await session.page.reload()
      // A page that is on its way elsewhere takes no more keys; what it did shows all the same.
      await say(one).catch(() => undefined)
      const harm = await harmOf(session, one).catch((error: unknown) => [String(error)])
      if (harm.length > 0) harmed.push(one)
      console.log(`${one.id} ${one.title}: ${harm.join('; ').slice(0, 200)}`)
    }
    await session.close()
  })
  return harmed
}

async function withModel(
  session: Session,
  play: (say: (one: WindowCase) => Promise<void>) => Promise<void>,
): Promise<void> {
  const fake = await startFakeProvider()
  try {
    await useProvider(session.page, fake.url)
    await recordOpened(session)
    await play(async (one) => {
      fake.queue({ text: [one.text.slice(0, 20), one.text.slice(20), `\n\n${END}`] })
      await sayCase(session, one)
    })
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

async function sayCase({ page }: Session, { title, waitsFor }: WindowCase): Promise<void> {
  await page.keyboard.press('ControlOrMeta+N')
  await expect(transcript(page)).not.toContainText('Say it:')
  await sendMessage(page, `Say it: ${title.slice(0, 40)}`)
  await expect(transcript(page), title).toContainText(waitsFor ?? END)
}

/** What is not as it must be after a text has come and was clicked. */
async function harmOf(session: Session, { click, shows }: WindowCase): Promise<string[]> {
  const { page } = session
  const text = (await transcript(page).textContent()) ?? ''
  if (click) await clickInEveryWay(page, click)
  const contents = await webContentsCount(session)
  return [
    ...(shows && !text.includes(shows) ? [`"${shows}" is not shown`] : []),
    ...(await harmIn(page)),
    ...(contents === 1 ? [] : [`there are ${contents} pages`]),
    ...blocked(session, 'request').map((target) => `a request to ${String(target)}`),
  ]
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
