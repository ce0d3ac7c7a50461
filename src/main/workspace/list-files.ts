import { readdir } from 'node:fs/promises'
import type { Dirent } from 'node:fs'
import { openChild, openFolder, type OpenFolder } from './folder-walk'
import type { Place } from './place'

/** Folders that are big, not the person's, and nothing to search in. */
const LEFT_OUT = new Set(['.git', 'node_modules', '.venv', '__pycache__'])

export interface Listing {
  /** Relative to the place, with /, in the order of their names. */
  files: string[]
  /** There are more: the walk ended at its limit. */
  cut: boolean
}

/** Every file below a folder; links are not followed, of special files nothing is told. Throws as `openFolder`. */
export async function listFiles(place: Place, limit: number): Promise<Listing> {
  const folder = await openFolder(place.workspace.root, place.segments)
  const listing: Listing = { files: [], cut: false }
  try {
    await walk(folder, '', { listing, limit, hidden: hiddenIn(place) })
  } finally {
    await folder.close()
  }
  return listing
}

interface Walk {
  listing: Listing
  limit: number
  /** Folders of the app's own data, relative to the place. */
  hidden: ReadonlySet<string>
}

async function walk(folder: OpenFolder, prefix: string, state: Walk): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    const path = prefix + entry.name
    if (state.listing.files.length >= state.limit) {
      state.listing.cut = true
      return
    }
    if (entry.isFile()) state.listing.files.push(path)
    if (entry.isDirectory() && !LEFT_OUT.has(entry.name) && !state.hidden.has(path)) {
      await walkInto(folder, entry.name, { path, state })
    }
  }
}

async function walkInto(folder: OpenFolder, name: string, { path, state }: { path: string; state: Walk }) {
  let child: OpenFolder
  try {
    child = await openChild(folder, name)
  } catch {
    return // gone, swapped for a link, or not ours to read: nothing of it is listed
  }
  try {
    await walk(child, `${path}/`, state)
  } finally {
    await child.close()
  }
}

async function entriesOf(folder: OpenFolder): Promise<Dirent[]> {
  const entries = await readdir(folder.at('.'), { withFileTypes: true })
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function hiddenIn({ workspace, segments }: Place): Set<string> {
  const base = [workspace.root, ...segments].join('/')
  return new Set(
    workspace.hidden
      .filter((folder) => folder.startsWith(`${base}/`))
      .map((folder) => folder.slice(base.length + 1)),
  )
}
