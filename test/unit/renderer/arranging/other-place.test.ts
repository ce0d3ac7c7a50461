import { expect, test } from 'vitest'
import { otherPlace } from '../../../../src/renderer/arranging/other-place'

test('a skill is offered another place than its own, with and without a project', () => {
  expect(otherPlace('personal', '/home/ada/shop')).toBe('project')
  expect(otherPlace('personal', null)).toBe('personal-shared')
  expect(otherPlace('project', '/home/ada/shop')).toBe('personal')
  expect(otherPlace('bundled', null)).toBe('personal')
})
