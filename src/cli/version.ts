import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from './world'

/** As package.json says. */
export function versionOf({ root }: Pick<World, 'root'>): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return version
}
