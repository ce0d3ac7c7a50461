import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createArranging } from '../../src/main/arranging/service'
import { onFaultPoint } from '../../src/main/lib/fault-point'

/** A program that moves a skill and is killed at a point on the way. */
const { home, key, point } = JSON.parse(process.argv[2] ?? '{}') as Record<string, string>

const wanted = (dir: string) => ({ dir, label: '', shown: dir, noLinksBelow: null, refusal: null })

async function main(at: { home: string; key: string }): Promise<void> {
  const arranging = createArranging({
    dataDir: join(at.home, 'data'),
    now: Date.now,
    log: { info() {}, warn() {}, error() {} },
    skill: (_project, path) =>
      existsSync(path)
        ? { key: path, name: basename(path), path, shown: path, locked: null, notCopied: null }
        : null,
    holding: (_project, path) => wanted(dirname(path)),
    place: () => wanted(join(at.home, 'work/app/.satchel/skills')),
    former: (path) => wanted(dirname(path)),
    template: () => null,
    effects: () => [],
    digestOf: async () => null,
    record() {},
    changed: async () => undefined,
  })
  const request = { do: 'move', key: at.key, place: 'project', name: basename(at.key) } as const
  const { hash } = await arranging.plan({ projectDir: null, request })
  await arranging.do({ projectDir: null, request, planHash: hash })
}

onFaultPoint((now) => {
  if (now === point) process.kill(process.pid, 'SIGKILL')
})
void main({ home: home ?? '', key: key ?? '' })
