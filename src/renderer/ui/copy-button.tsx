import { announce } from './announce'
import { IconButton } from './button'
import { CheckIcon, CopyIcon } from './icons'
import { useState } from 'react'
import { words } from './strings'

const SHOW_DONE_MS = 1500

/** Copies exactly the given text. */
export function CopyButton({
  text,
  label = words.copyButton.copy,
}: {
  text: string | (() => string)
  label?: string
}) {
  const [done, setDone] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
    setDone(true)
    announce(words.copyButton.copied)
    setTimeout(() => setDone(false), SHOW_DONE_MS)
  }
  return (
    <IconButton tiny label={label} onClick={() => void copy()}>
      {done ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
    </IconButton>
  )
}
