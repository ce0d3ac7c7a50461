import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createArranging } from '../../src/main/arranging/service'
import { onFaultPoint, type FaultPoint } from '../../src/main/lib/fault-point'

/** Argument of the process, as one JSON text: it moves a skill, and is killed at a point on the way. */
export interface KilledMove {
  home: string
  key: string
  point: FaultPoint
}

const { home, key, point } = JSON.parse(process.argv[2] ?? '{}') as KilledMove

const wanted = (dir: string) => ({ dir, label: '', shown: dir, noLinksBelow: null, refusal: null })

async function main(): Promise<void> {
  const arranging = createArranging({
    dataDir: join(home, 'data'),
    now: Date.now,
    log: { info() {}, warn() {}, error() {} },
    skill: (_project, path) =>
      existsSync(path)
        ? { key: path, name: basename(path), path, shown: path, locked: null, notCopied: null }
        : null,
    holding: (_project, path) => wanted(dirname(path)),
    place: () => wanted(join(home, 'work/app/.satchel/skills')),
    former: (path) => wanted(dirname(path)),
    template: () => null,
    effects: () => [],
    digestOf: async () => null,
    record() {},
    changed: async () => undefined,
  })
  const request = { do: 'move', key: key, place: 'project', name: basename(key) } as const
  const { hash } = await arranging.plan({ projectDir: null, request })
  await arranging.do({ projectDir: null, request, planHash: hash })
}

onFaultPoint((now) => {
  if (now === point) process.kill(process.pid, 'SIGKILL')
})
void main()
