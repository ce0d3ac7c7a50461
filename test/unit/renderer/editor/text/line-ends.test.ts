import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileText, openText } from '../../../../../src/renderer/editor/text/line-ends'

describe('a file in the editor', () => {
  test('comes out byte for byte as it went in, whatever ends its lines', () => {
    const text = fc
      .array(fc.constantFrom('a', 'ü', '\n', '\r\n', '\r', '\uFEFF', ' '))
      .map((all) => all.join(''))
    fc.assert(
      fc.property(text, (file) => {
        const { text, form } = openText(file)
        expect(fileText(text, form)).toBe(file)
      }),
    )
  })

  test('with CRLF alone is edited with plain line ends, and new lines get CRLF', () => {
    const { text, form } = openText('\uFEFFa\r\nb\r\n')
    expect([text, form]).toEqual(['a\nb\n', { bom: true, ends: '\r\n' }])
    expect(fileText('a\nnew\nb\n', form)).toBe('\uFEFFa\r\nnew\r\nb\r\n')
  })

  test.each(['a\r\nb\n', 'a\rb', '\n\r', '\r\n\r'])('%j with mixed ends keeps each of them', (file) => {
    expect(openText(file)).toEqual({ text: file, form: { bom: false, ends: 'mixed' } })
  })
})
