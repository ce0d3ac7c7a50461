import type { MessageRow } from '../../db/message-rows'
import type { SessionRow } from '../../db/session-rows'
import type { Catalogue } from './catalogue'
import { catalogueOf, mustPrepare, prepareCatalogue } from './compose'
import type { SessionDeps } from '../deps'

/** Chats whose last catalogue is known. */
const MAX_CHATS = 20
const shown = new Map<string, Catalogue>()

/**
 * The catalogue as the page of a chat counts it. Where it must be written anew from thousands of skills, the page has the
 * last one until then, and `tell` is called: only the first opening of a chat waits for it.
 */
export function shownCatalogue(
  deps: SessionDeps,
  session: SessionRow,
  messages: readonly MessageRow[],
  tell: () => void,
): Catalogue {
  const before = shown.get(session.id)
  if (before && mustPrepare(deps, session, messages)) {
    prepareCatalogue(deps, session, messages).then(tell, (error: unknown) =>
      deps.log.error('a catalogue could not be written', error),
    )
    return before
  }
  const catalogue = catalogueOf(deps, session, messages)
  shown.delete(session.id)
  shown.set(session.id, catalogue)
  const oldest = shown.keys().next().value
  if (shown.size > MAX_CHATS && oldest !== undefined) shown.delete(oldest)
  return catalogue
}
