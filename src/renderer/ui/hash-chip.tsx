import { announce } from './announce'
import { shortHash } from './format'
import { HashIcon } from './icons'
import { Tip } from './tip'

/** A sha256, short; the click copies it whole. */
export function HashChip({ hash }: { hash: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(hash)
    announce('Copied')
  }
  return (
    <Tip text={`Copy sha256 ${hash}`}>
      <button type="button" className="fact mono" data-hash={hash} onClick={() => void copy()}>
        <HashIcon size={14} aria-hidden="true" />
        {`sha256 ${shortHash(hash)}`}
      </button>
    </Tip>
  )
}
