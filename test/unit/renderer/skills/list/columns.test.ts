import { describe, expect, it } from 'vitest'
import { columnTemplate, fitColumns } from '../../../../../src/renderer/skills/list/columns'
import { USUAL_LOOK } from '../../../../../src/renderer/stores/library-look'

describe('fitColumns', () => {
  it('shows all but what is hidden where there is room', () => {
    expect(fitColumns(1200, USUAL_LOOK)).toEqual(['name', 'from', 'status', 'tokens', 'runs', 'changed'])
    expect(fitColumns(1200, { ...USUAL_LOOK, hidden: ['status', 'runs'] })).toEqual([
      'name',
      'from',
      'tokens',
      'files',
      'changed',
    ])
  })

  it.each([
    [760, ['name', 'from', 'status', 'tokens', 'runs']],
    [660, ['name', 'from', 'status', 'tokens']],
    [520, ['name', 'from', 'status']],
    [330, ['name', 'status']],
    [0, ['name', 'status']],
  ])('leaves out what is needed least in %i pixels', (width, columns) => {
    expect(fitColumns(width, USUAL_LOOK)).toEqual(columns)
  })

  it('counts the widths that a person gave', () => {
    expect(fitColumns(760, { ...USUAL_LOOK, widths: { status: 300 } })).not.toContain('runs')
  })
})

it('gives the names what the others leave', () => {
  expect(columnTemplate(['name', 'from', 'tokens'], { widths: { tokens: 120 } })).toBe(
    'minmax(0, 1fr) 92px 120px',
  )
})
