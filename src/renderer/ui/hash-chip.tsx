import { announce } from './announce'
import { shortHash } from './format'
import { HashIcon } from './icons'
import { Tip } from './tip'
import { words } from './strings'

/** A sha256, short; the click copies it whole. */
export function HashChip({ hash }: { hash: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(hash)
    announce(words.hashChip.copied)
  }
  return (
    <Tip text={words.hashChip.copySha(hash)}>
      <button type="button" className="fact mono" data-hash={hash} onClick={() => void copy()}>
        <HashIcon size={14} aria-hidden="true" />
        {words.hashChip.sha(shortHash(hash))}
      </button>
    </Tip>
  )
}
