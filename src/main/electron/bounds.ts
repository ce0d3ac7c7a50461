import type { Rectangle } from 'electron'

export const MIN_WIDTH = 480
export const MIN_HEIGHT = 520
const DEFAULT_WIDTH = 1440
const DEFAULT_HEIGHT = 900

/**
 * Where the window goes: as it was, but wholly inside one visible work area, the one it overlaps most; without a
 * saved place in the middle of the first one. Never smaller than the minimum, even if the screen is.
 */
export function placeWindow(
  saved: Rectangle | null,
  workAreas: readonly [Rectangle, ...Rectangle[]],
): Rectangle {
  const area = saved ? bestArea(saved, workAreas) : workAreas[0]
  const width = clamp(saved?.width ?? DEFAULT_WIDTH, MIN_WIDTH, area.width)
  const height = clamp(saved?.height ?? DEFAULT_HEIGHT, MIN_HEIGHT, area.height)
  const x = saved?.x ?? area.x + Math.floor((area.width - width) / 2)
  const y = saved?.y ?? area.y + Math.floor((area.height - height) / 2)
  return {
    x: clamp(x, area.x, area.x + area.width - width),
    y: clamp(y, area.y, area.y + area.height - height),
    width,
    height,
  }
}

function bestArea(rect: Rectangle, areas: readonly [Rectangle, ...Rectangle[]]): Rectangle {
  return areas.reduce((best, area) => (overlap(rect, area) > overlap(rect, best) ? area : best), areas[0])
}

function overlap(a: Rectangle, b: Rectangle): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return Math.max(0, width) * Math.max(0, height)
}

/** The lower limit wins where the two contradict each other. */
function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(Math.round(value), high))
}
