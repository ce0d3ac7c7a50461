import { visibleLine } from '@shared/visible-text'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { Button } from '../ui/button'
import { formatAgo } from '../ui/format'
import { units } from '../ui/unit-strings'
import { TryIcon } from '../ui/icons'
import { StatusMark } from '../ui/marks'
import { useNow } from '../ui/use-now'
import { discard, isDirty, saveDocument } from './documents'
import type { OpenDocument } from './documents'
import { words } from './strings'
import { tryIt } from './side/trials'

/** What is open, whether it is saved, and the two ways out. */
export function Bar({ id, document, isAuthor }: { id: string; document: OpenDocument; isAuthor: boolean }) {
  const dirty = isDirty(document)
  const now = useNow(60_000, document.restoredAt !== null)
  return (
    <div className="row ed-bar">
      <span className="mono m trunc">{visibleLine(document.path)}</span>
      {dirty && <StatusMark tone="warn">{words.unsaved}</StatusMark>}
      {dirty && document.restoredAt !== null && (
        <span className="small t3 trunc">{words.restored(agoWords(document.restoredAt, now))}</span>
      )}
      <span className="sp" />
      {document.whyNot === null && (
        <>
          {!isAuthor && (
            <Button
              small
              variant="quiet"
              title={words.authorMeans}
              onClick={() => becomeAuthor(document.key)}
            >
              {words.author}
            </Button>
          )}
          <Button
            small
            icon={<TryIcon size={14} />}
            shortcut="Mod+R"
            title={words.tryMeans}
            onClick={() => void tryIt(document.key)}
          >
            {words.tryIt}
          </Button>
          <Button small unavailable={!dirty && NOTHING} onClick={() => discard(id)}>
            {words.discard}
          </Button>
          <Button
            small
            variant="solid"
            shortcut="Mod+S"
            unavailable={!dirty && NOTHING}
            onClick={() => void saveDocument(id)}
          >
            {words.save}
          </Button>
        </>
      )}
    </div>
  )
}

function becomeAuthor(key: string): void {
  void guarded(async () => void (await api.call('editor.author', { key, on: true })))
}

const NOTHING = words.bar.thereIsNothingTo

function agoWords(at: number, now: number): string {
  const ago = formatAgo(at, now)
  return ago === units.now ? words.bar.aMomentAgo : words.bar.ago(ago)
}
