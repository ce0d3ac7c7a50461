import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const THEMES: [string, ...string[]] = ['light', 'dark', 'hc-light', 'hc-dark']
/** What colours and widths of lines decide; all other rules say the same in every theme. */
const OF_A_THEME = ['color-contrast', 'link-in-text-block', 'target-size']

/** Rules of WCAG 2.0 to 2.2, A and AA, that the page breaks in any of the themes, as "theme, rule: where". */
export async function violations(page: Page, [first, ...others] = THEMES): Promise<string[]> {
  const before = await wear(page, first)
  const found = await broken(page, first, (axe) =>
    axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']),
  )
  for (const theme of others) {
    await wear(page, theme)
    found.push(...(await broken(page, theme, (axe) => axe.withRules(OF_A_THEME))))
  }
  await wear(page, before)
  return found
}

async function broken(page: Page, theme: string, choose: (axe: AxeBuilder) => AxeBuilder): Promise<string[]> {
  const { violations: all } = await choose(new AxeBuilder({ page }).setLegacyMode(true)).analyze()
  return all.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${theme}, ${id}: ${target.join(' ')}`))
}

/** Puts the theme on, waits until its colours stand, and gives the one before. */
function wear(page: Page, theme: string): Promise<string> {
  return page.locator('html').evaluate(async (html, next) => {
    const old = html.dataset['theme'] ?? ''
    html.dataset['theme'] = next
    const fades = html.ownerDocument.getAnimations().filter((one: object) => 'transitionProperty' in one)
    await Promise.allSettled(fades.map((fade: { finished: Promise<unknown> }) => fade.finished))
    return old
  }, theme)
}
