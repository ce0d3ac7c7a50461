import type { TrashEntry } from '@shared/domain/arranging'
import { AppError } from '@shared/errors'
import { withPlace } from '../here/arranging'
import type { Given, Outcome } from '../grammar/command'
import { shown } from '../terminal/output'
import type { World } from '../world'

const NOWHERE = { dir: '/', shown: '/' }

/** `satchel skills trash`: what was deleted in the last 30 days. */
export function list(_given: Given, world: World): Promise<Outcome> {
  return withPlace(world, NOWHERE, async ({ arranging }) => {
    const entries = arranging.trash()
    return {
      result: entries,
      text: () => ({ out: entries.length === 0 ? 'The trash is empty.' : entries.map(lineOf).join('\n') }),
    }
  })
}

/** `satchel skills restore`: by the id of the trash, or by a name that only one thing there has. */
export function restore({ words, values }: Given, world: World): Promise<Outcome> {
  return withPlace(world, NOWHERE, async ({ arranging, arrange }) => {
    const entry = entryNamed(arranging.trash(), words[0]!)
    const name = values.get('name')
    const { done } = await arrange({
      do: 'restore',
      trashId: entry.id,
      ...(name === undefined ? {} : { name }),
    })
    return {
      result: { operation: done.id, kind: done.kind, name: done.name, path: done.path },
      text: () => ({ out: `${shown(done.text)} It is in ${shown(done.path ?? '')}` }),
    }
  })
}

function entryNamed(entries: readonly TrashEntry[], asked: string): TrashEntry {
  const found = entries.filter(({ id, name }) => id === asked || name === asked)
  const [entry] = found
  if (entry && found.length === 1) return entry
  const why = found.length > 1 ? `${found.length} skills in the trash are` : 'Nothing in the trash is'
  throw new AppError('not_found', `${why} called "${asked}". satchel skills trash shows their ids.`)
}

function lineOf({ id, name, from, deletedAt }: TrashEntry): string {
  return `${id}  ${shown(name)}  ${shown(from)}  ${new Date(deletedAt).toISOString().slice(0, 16)}`
}
