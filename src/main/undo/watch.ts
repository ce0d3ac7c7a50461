import { relative } from 'node:path'
import { isInside } from '../lib/contain'
import { chooseKept, keepChosen } from './keep'
import { listFolder, type Listing } from './listing'
import type { Context } from './context'
import { rawPath, type RawPath } from './state'

/** Folders whose last look is kept in memory. */
const FOLDERS = 3

/** What is in a folder now, its contents kept. `enough`: the rest is not kept any more. */
export async function look(
  context: Context,
  root: string,
  enough: () => boolean = () => false,
): Promise<Listing> {
  const listing = await listFolder(root, hidden(context, root), context.limits.listing)
  chooseKept(listing, context.limits.keep)
  const previous = context.latest.get(root) ?? null
  await keepChosen(listing, { blobs: context.blobs, limits: context.limits.keep, previous, enough })
  remember(context, listing)
  return listing
}

/** The same for all who ask while it is under way. */
export function lookOnce(context: Context, root: string): Promise<Listing> {
  const known = context.taking.get(root)
  if (known) return known
  const isLate = () => context.closing || performance.now() > (context.hurry.get(root) ?? Infinity)
  const taking = look(context, root, isLate).finally(() => context.taking.delete(root))
  context.taking.set(root, taking)
  return taking
}

export function remember({ latest }: Context, listing: Listing): void {
  latest.delete(listing.root)
  latest.set(listing.root, listing)
  const [oldest] = latest.keys()
  if (latest.size > FOLDERS && oldest !== undefined) latest.delete(oldest)
}

/** The app's own data, where it lies in the folder. */
export function hidden({ deps }: Context, root: string): Set<RawPath> {
  if (!isInside(root, deps.dataDir) || root === deps.dataDir) return new Set()
  return new Set([rawPath(relative(root, deps.dataDir).split('\\').join('/'))])
}
