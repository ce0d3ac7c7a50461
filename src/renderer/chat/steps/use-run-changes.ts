import type { ChangeSet, UndoResult } from '@shared/domain/run-changes'
import { useCallback, useEffect, useState } from 'react'
import { api, messageOf } from '../../api'
import { announce } from '../../ui/announce'
import { resultWords } from './run-changes-words'
import { useRun } from '../../stores/runs'

/** What is chosen of a set; left out: all. */
export type Chosen = { n: number; overwrite?: string }[]

export interface RunChanges {
  sets: ChangeSet[]
  /** Of the last undo here. */
  result: UndoResult | null
  error: string
  busy: boolean
  undo(setId: string, files?: Chosen): void
  goOn(setId: string): void
}

/** What a run changed, fetched again whenever the run or an undo of it says so. */
export function useRunChanges(runId: string): RunChanges {
  const run = useRun(runId)
  const [sets, setSets] = useState<ChangeSet[]>([])
  const [result, setResult] = useState<UndoResult | null>(null)
  const [error, setError] = useState('')
  const [busy, setBusy] = useState(false)
  const fetchSets = useCallback(
    () => api.call('runs.changes', { runId }).then(setSets, (reason: unknown) => setError(messageOf(reason))),
    [runId],
  )
  useEffect(() => {
    void fetchSets()
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- main fetched the run anew: so are its changes
  }, [fetchSets, run])
  const act = async (work: () => Promise<UndoResult>) => {
    setBusy(true)
    setError('')
    try {
      const did = await work()
      setResult(did)
      announce(resultWords(did))
    } catch (reason) {
      setError(messageOf(reason))
    } finally {
      setBusy(false)
      await fetchSets()
    }
  }
  return {
    sets,
    result,
    error,
    busy,
    undo: (setId, files) => void act(() => api.call('runs.undo', { setId, ...(files ? { files } : {}) })),
    goOn: (setId) => void act(() => api.call('runs.continueUndo', { setId })),
  }
}
