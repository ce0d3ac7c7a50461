import { readdirSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'

/** Scheme and host of the page: its origin is `app://bundle`. */
export const SCHEME = 'app'
export const HOST = 'bundle'
export const ORIGIN = `${SCHEME}://${HOST}`
export const PAGE_URL = `${ORIGIN}/index.html`

export interface BundleFile {
  /** Absolute path on disk. */
  file: string
  contentType: string
}

/** Path as in a URL, such as "/assets/index.js" → the file. Nothing else can be asked for (EL-3). */
export type BundleManifest = ReadonlyMap<string, BundleFile>

export type Lookup = { status: 200; found: BundleFile } | { status: 400 | 404 }

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
}

/** Lists the built page once. Symlinks and files of unknown kinds, source maps among them, are left out. */
export function readManifest(rendererDir: string): BundleManifest {
  const manifest = new Map<string, BundleFile>()
  for (const entry of readdirSync(rendererDir, { recursive: true, withFileTypes: true })) {
    const contentType = CONTENT_TYPES[extname(entry.name)]
    if (!entry.isFile() || !contentType) continue
    const file = join(entry.parentPath, entry.name)
    manifest.set(`/${relative(rendererDir, file).split(sep).join('/')}`, { file, contentType })
  }
  return manifest
}

/**
 * The file that a URL means. The path is decoded once; a NUL, a backslash, a `..`, a second slash or a broken
 * escape is a 400, another host or a name that is not listed a 404.
 */
export function lookUp(manifest: BundleManifest, address: string): Lookup {
  if (!URL.canParse(address)) return { status: 400 }
  const url = new URL(address)
  if (url.protocol !== `${SCHEME}:` || url.host !== HOST) return { status: 404 }
  const path = decodeOnce(url.pathname)
  if (path === null || path.includes('\0') || path.includes('\\') || path.includes('//'))
    return { status: 400 }
  if (path.split('/').some((part) => part === '..' || part === '.')) return { status: 400 }
  const found = manifest.get(path === '/' ? '/index.html' : path)
  return found ? { status: 200, found } : { status: 404 }
}

function decodeOnce(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null // a broken % escape
  }
}
