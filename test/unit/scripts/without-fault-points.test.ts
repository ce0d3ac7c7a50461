import { readFileSync } from 'node:fs'
import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { withoutFaultPoints } from '../../../scripts/lib/without-fault-points.mjs'

const root = resolve(import.meta.dirname, '../../..')
const plugin = withoutFaultPoints()
const names = [
  ...readFileSync(join(root, 'src/main/lib/fault-point.ts'), 'utf8').matchAll(/^ {2}\| '([a-z.-]+)'$/gm),
].map(([, name]) => name ?? '')
const sources = globSync('src/main/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('fault-point.ts'))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

test('every fault point stands at least at one place', () => {
  const used = sources.map(({ text }) => text).join('\n')
  expect(names.length).toBeGreaterThanOrEqual(40)
  expect(names.filter((name) => !used.includes(`faultPoint('${name}')`))).toEqual([])
})

test('no fault point is left in what people run', () => {
  for (const { file, text } of sources) {
    const left = plugin.transform(text, join(root, file))?.code ?? text
    expect(left, file).not.toContain('faultPoint(')
  }
})

test('a fault point inside an expression is refused', () => {
  expect(() => plugin.transform("x && faultPoint('db.before-begin')\n", '/a/src/main/x.ts')).toThrow('alone')
})

test('only the lines of fault points are taken away', () => {
  const code = "  a()\n  faultPoint('db.before-begin')\n  b()\n"
  expect(plugin.transform(code, '/a/src/main/x.ts')?.code).toBe('  a()\n\n  b()\n')
})
