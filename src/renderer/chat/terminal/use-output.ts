import { useEffect, useState } from 'react'
import { api } from '../../api'
import { createFrameQueue, onNextFrame } from '../../stores/frame-queue'
import { createScreen } from './screen'
import type { Screen } from './screen'

/** What a terminal block draws. */
export interface Output {
  screen: Screen
  ended: boolean
}

/** Output of a run, from its start and then live; drawn once per frame. It never enters a store. */
export function useOutput(runId: string): Output {
  const [screen] = useState(createScreen)
  // Each batch sets a new object: the screen itself changes in place.
  const [progress, setProgress] = useState({ ended: false })
  useEffect(() => {
    let written = 0
    const queue = createFrameQueue<{ offset: number; channel: 'out' | 'err'; data: string }>((chunks) => {
      for (const chunk of chunks) {
        // After a reopened stream the same piece may come twice.
        if (chunk.offset < written) continue
        written = chunk.offset + chunk.data.length
        screen.write(chunk.channel, chunk.data)
      }
      setProgress((before) => ({ ...before }))
    }, onNextFrame)
    return api.stream(
      'runs.output',
      { runId, from: 0 },
      {
        event: (chunk) => queue.add(chunk),
        // After the last pieces, which wait for the same frame.
        end: () => onNextFrame(() => setProgress({ ended: true })),
      },
    )
  }, [runId, screen])
  return { screen, ...progress }
}
