import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { SettingsView } from '@shared/domain/settings'
import { SkillsPage } from '../../../../src/renderer/settings/pages'

const page = (catalogueMax: number, catalogueShare: number): string => {
  const settings = { projectOverPersonal: false, maxActiveSkills: 5, catalogueMax, catalogueShare }
  return renderToStaticMarkup(createElement(SkillsPage, { view: { settings } as unknown as SettingsView }))
}
const field = (html: string, label: string): string =>
  html.match(/<input[^>]*>/g)?.find((input) => input.includes(`aria-label="${label}"`)) ?? ''

test('both limits of the catalogue are fields with their values', () => {
  const html = page(50, 0.07)
  expect(field(html, 'Skills in the catalogue')).toContain('value="50"')
  expect(field(html, 'Size of the catalogue')).toContain('value="7"')
})

test('a limit that was changed can be put back', () => {
  expect(page(50, 0.02)).not.toContain('Reset')
  expect(page(20, 0.005)).toMatch(/Reset.*Skills in the catalogue.*Reset.*Size of the catalogue/s)
})
