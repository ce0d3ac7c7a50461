import { basename, isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import { isFolder, realOrSelf } from '../scan/on-disk'
import type { RootNote } from '../sources/sources'
import { readDataFile } from '../../lib/data-file'
import { isInside } from '../../lib/contain'

/** A plugin of the kind that Claude Code reads (`management.md` 2.8). */
export interface PluginFolder {
  name: string
  /** Its own folder; nothing outside is looked at. */
  dir: string
  /** Folders that hold skills, or are skills themselves. They exist and lie inside `dir`. */
  places: string[]
}

const MAX_FILE = 1024 * 1024

const paths = z.union([z.string(), z.array(z.string()).max(500)]).optional()
const name = z.string().min(1).max(100)
const Manifest = z.object({ name: name.optional(), skills: paths.catch(undefined) })
const Entry = z.object({
  name,
  /** Others than a path (GitHub, npm ...) are not on this disk. */
  source: z.unknown(),
  strict: z.boolean().optional().catch(undefined),
  skills: paths.catch(undefined),
})
type Entry = z.infer<typeof Entry>
const Marketplace = z.object({
  metadata: z.object({ pluginRoot: z.string().optional() }).optional().catch(undefined),
  plugins: z.array(z.unknown()).max(2000),
})

/**
 * The plugins that a folder holds: it is one (`.claude-plugin/plugin.json`, or only `skills/`), or its
 * `.claude-plugin/marketplace.json` names some by a relative path. Paths that lead out of a plugin are refused with a
 * note; `location` is how the folder is shown. Never throws.
 */
export function readPlugins(dir: string, location = dir): { plugins: PluginFolder[]; notes: RootNote[] } {
  const found: Found = { plugins: [], notes: [], location }
  const own = manifestOf(dir, found)
  const entries = entriesOf(dir, found)
  for (const { entry, at } of entries) {
    if (entry.strict === false)
      addPlugin(found, { name: entry.name, dir: at, extra: entry.skills, usual: false })
    else
      addPlugin(found, {
        name: entry.name,
        dir: at,
        extra: both(entry.skills, manifestOf(at, found)?.skills),
      })
  }
  const listed = entries.some(({ at }) => realOrSelf(at) === realOrSelf(dir))
  if (!listed && (own || isFolder(join(dir, 'skills')))) {
    addPlugin(found, { name: own?.name ?? basename(dir), dir, extra: own?.skills })
  }
  return { plugins: found.plugins, notes: found.notes }
}

interface Found {
  plugins: PluginFolder[]
  notes: RootNote[]
  location: string
}

type Paths = z.infer<typeof paths>

interface Candidate {
  name: string
  dir: string
  extra: Paths
  /** False: only what `extra` names, not `skills/` as well. */
  usual?: boolean
}

function addPlugin(found: Found, { name, dir, extra, usual = true }: Candidate): void {
  const listed = listOf(extra)
  const wanted = usual || listed.length === 0 ? ['skills', ...listed] : listed
  const places = wanted.flatMap((path) => placeIn(dir, path, found))
  found.plugins.push({ name, dir, places: [...new Set(places)] })
}

/** The folder that a manifest's path means, if it exists and lies inside the plugin, also by its links. */
function placeIn(dir: string, path: string, found: Found): string[] {
  const place = resolve(dir, path)
  const real = realOrSelf(place)
  const out = isAbsolute(path) || !isInside(dir, place) || !isInside(realOrSelf(dir), real)
  if (out && (path !== 'skills' || isFolder(place))) {
    const note = `Its path ${JSON.stringify(path)} leads out of the plugin, so it is not read.`
    found.notes.push({ location: found.location, note })
  }
  return !out && isFolder(place) ? [place] : []
}

function manifestOf(dir: string, found: Found): z.infer<typeof Manifest> | null {
  const value = manifestFile(join(dir, '.claude-plugin', 'plugin.json'), found)
  const manifest = Manifest.safeParse(value)
  return manifest.success ? manifest.data : null
}

/** The plugins of a marketplace that lie in its own folder. */
function entriesOf(dir: string, found: Found): { entry: Entry; at: string }[] {
  const market = Marketplace.safeParse(manifestFile(join(dir, '.claude-plugin', 'marketplace.json'), found))
  if (!market.success) return []
  const root = market.data.metadata?.pluginRoot ?? '.'
  return market.data.plugins.flatMap((value) => {
    const entry = Entry.safeParse(value)
    if (!entry.success || typeof entry.data.source !== 'string') return []
    const { source } = entry.data
    const below = source.startsWith('./') || source === '.' ? source : join(root, source)
    return placeIn(dir, below, found).map((at) => ({ entry: entry.data, at }))
  })
}

function manifestFile(path: string, found: Found): unknown {
  const file = readDataFile(path, MAX_FILE)
  if (file.state === 'broken') {
    found.notes.push({ location: `${found.location}/.claude-plugin/${basename(path)}`, note: file.reason })
  }
  return file.state === 'read' ? file.value : undefined
}

function listOf(value: Paths): string[] {
  return typeof value === 'string' ? [value] : (value ?? [])
}

function both(a: Paths, b: Paths): string[] {
  return [...listOf(a), ...listOf(b)]
}
