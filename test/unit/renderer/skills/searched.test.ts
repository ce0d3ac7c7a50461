import { describe, expect, it } from 'vitest'
import { searched } from '../../../../src/renderer/skills/use-skills'

const asked = (query: string) => ({ projectDir: null, query })
const hits = new Map([['k', { key: 'k', where: 'body' as const, snippet: '' }]])

describe('the answer of the search', () => {
  it('is awaited while there is none, or one from another project', () => {
    expect(searched(null, asked('pdf'))).toEqual({ hits: null, waiting: true, failed: false })
    const other = { projectDir: '/work', query: 'pdf', hits }
    expect(searched(other, asked('pdf'))).toEqual({ hits: null, waiting: true, failed: false })
  })

  it('still counts while somebody types on', () => {
    const told = { ...asked('pd'), hits }
    expect(searched(told, asked('pdf'))).toEqual({ hits, waiting: true, failed: false })
    expect(searched(told, asked('csv'))).toEqual({ hits: null, waiting: true, failed: false })
  })

  it('that failed is told as failed, and not as nothing found', () => {
    expect(searched({ ...asked('pdf'), hits: null }, asked('pdf'))).toMatchObject({ failed: true })
    expect(searched({ ...asked('pdf'), hits: new Map() }, asked('pdf'))).toMatchObject({ failed: false })
    expect(searched({ ...asked('pd'), hits: null }, asked('pdf'))).toMatchObject({ failed: false })
  })
})
