import { isAbsolute, relative, sep } from 'node:path'

/** True when `path` is `folder` or lies in it. Both absolute; links are not followed. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`))
}
