import type { AppContract } from '@shared/ipc/contract'
import type { Handlers } from '@shared/ipc/define'
import type { AppDeps } from '../app/deps'
import type { Arranging } from '../arranging/service'
import { createTemplates } from '../arranging/templates'

type Calls = Pick<Handlers<AppContract>, Extract<keyof AppContract, `${'arrange' | 'trash'}.${string}`>>

export function arrangingHandlers({
  arranging,
  deps,
}: {
  arranging: Arranging
  deps: Pick<AppDeps, 'resourcesDir'>
}): Calls {
  return {
    'arrange.plan': (input) => arranging.plan(input),
    'arrange.do': (input) => arranging.do(input),
    'arrange.undo': ({ id }) => arranging.undo(id),
    'arrange.last': () => ({ last: arranging.last() }),
    'arrange.templates': () => createTemplates(deps.resourcesDir).list(),
    'trash.list': () => arranging.trash(),
    'trash.restore': async ({ trashId, name }) => {
      const request = { do: 'restore', trashId, ...(name === undefined ? {} : { name }) } as const
      const { hash } = await arranging.plan({ projectDir: null, request })
      return arranging.do({ projectDir: null, request, planHash: hash })
    },
    'trash.remove': async ({ trashId }) => {
      await arranging.empty(trashId)
      return {}
    },
  }
}
