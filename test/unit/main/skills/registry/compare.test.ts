import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compareCopies } from '../../../../../src/main/skills/registry/compare'
import { recordFor, tempDir, write } from '../support'

const states = async (left: string, right: string) =>
  (await compareCopies(recordFor(left), recordFor(right))).files.map(({ path, state }) => [path, state])

describe('two copies', () => {
  it('are compared by their bytes, what differs first', async () => {
    const dir = tempDir()
    const [a, b] = [join(dir, 'a'), join(dir, 'b')]
    write(join(a, 'SKILL.md'), 'one\n')
    write(join(b, 'SKILL.md'), 'one\n')
    write(join(a, 'lines.txt'), 'one\n')
    write(join(b, 'lines.txt'), 'one\r\n')
    write(join(a, 'same-size.txt'), 'one\n')
    write(join(b, 'same-size.txt'), 'two\n')
    write(join(a, 'mine.txt'), '')
    write(join(b, 'theirs.txt'), '')
    expect(await states(a, b)).toEqual([
      ['lines.txt', 'differs'],
      ['mine.txt', 'left-only'],
      ['same-size.txt', 'differs'],
      ['theirs.txt', 'right-only'],
      ['SKILL.md', 'same'],
    ])
  })

  it.skipIf(process.platform === 'win32')('differ by the right to be executed too', async () => {
    const dir = tempDir()
    for (const name of ['a', 'b']) {
      mkdirSync(join(dir, name))
      writeFileSync(join(dir, name, 'run.sh'), 'echo\n')
    }
    chmodSync(join(dir, 'b', 'run.sh'), 0o755)
    expect(await states(join(dir, 'a'), join(dir, 'b'))).toEqual([['run.sh', 'mode']])
  })
})
