import type { SkillUse } from '@shared/domain/skill'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { api } from '../api'

/** By key; null: not asked yet. Copies that were never used have none. */
type Uses = ReadonlyMap<string, SkillUse> | null

const store = createStore<{ uses: Uses; watchers: number; stale: boolean }>(() => ({
  uses: null,
  watchers: 0,
  stale: true,
}))

/** What the record says of every skill's use; kept true while somebody looks. */
export function useSkillUses(): Uses {
  useEffect(() => {
    store.setState(({ watchers }) => ({ watchers: watchers + 1 }))
    fetchWhereStale()
    return () => store.setState(({ watchers }) => ({ watchers: watchers - 1 }))
  }, [])
  return useStore(store, (state) => state.uses)
}

/** After `audit.changed`: asked again at once where it is shown, else when it is. */
export function skillUseChanged(): void {
  store.setState({ stale: true })
  fetchWhereStale()
}

let asking = false

/** One question at a time. */
function fetchWhereStale(): void {
  const { stale, watchers } = store.getState()
  if (asking || !stale || watchers === 0) return
  asking = true
  store.setState({ stale: false })
  api
    .call('skills.use', {})
    .then(
      (rows) => store.setState({ uses: new Map(rows.map((row) => [row.key, row])) }),
      () => undefined, // the page is going away, or the app: the next change asks again
    )
    .finally(() => {
      asking = false
      fetchWhereStale()
    })
}
