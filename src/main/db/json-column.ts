import type { z } from 'zod'

/** Parses a JSON column by its schema; a damaged one gives the fallback, so that one bad row never bricks a chat. */
export function readJson<T extends z.ZodType>(
  schema: T,
  text: string | null,
  fallback: z.output<T>,
): z.output<T> {
  if (text === null) return fallback
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : fallback
  } catch {
    return fallback // not JSON: same as a wrong shape
  }
}
