import { join } from 'node:path'
import type { Plugin } from 'vite'

const ROOT = join(import.meta.dirname, '..', '..')

interface Change {
  file: string
  find: string
  replace: string
}

/** Changes files as they are loaded; those on disk stay as they are. */
export function plant(planted: string, root = ROOT): Plugin {
  if (planted === '') return { name: 'no-mutant' }
  const changes = [JSON.parse(planted) as Change | Change[]].flat()
  return {
    name: 'mutant',
    enforce: 'pre',
    transform(code, id) {
      const path = id.split('?')[0]
      const here = changes.filter(({ file }) => join(root, file) === path)
      if (here.length === 0) return null
      return here.reduce((text, { find, replace }) => text.split(find).join(replace), code)
    },
  }
}
