import '@xterm/xterm/css/xterm.css'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { LinkDialog } from '../../ui/markdown/link'
import { checkLink } from '../../ui/markdown/links'
import { VisibleText } from '../../ui/visible-text'
import { chat } from '../strings'
import { createEmulator } from './emulator'
import type { Emulator } from './emulator'
import './full-screen.css'
import type { Pasted } from './paste'

/** The terminal of a full-screen program, while it runs. It takes the focus only when the person gives it. */
export function FullScreen({ runId }: { runId: string }) {
  const box = useRef<HTMLDivElement>(null)
  const hint = useRef<HTMLParagraphElement>(null)
  const emulator = useRef<Emulator>(null)
  const [link, setLink] = useState<string>()
  const [lines, setLines] = useState<Pasted>()
  const hintId = useId()
  useEffect(() => {
    if (!box.current) return undefined
    const made = createEmulator(box.current, {
      runId,
      onLeave: () => hint.current?.focus(),
      onLink: setLink,
      onLines: setLines,
    })
    emulator.current = made
    return () => made.dispose()
  }, [runId])
  const paste = () => {
    if (lines) emulator.current?.paste(lines.text)
    setLines(undefined)
  }
  return (
    <fieldset className="full-screen" aria-label={chat.fullScreen} aria-describedby={hintId}>
      <div ref={box} className="full-screen-box" />
      <p ref={hint} id={hintId} className="small t2 full-screen-hint" tabIndex={-1}>
        {chat.fullScreenHint}
      </p>
      {link !== undefined && <LinkAsked url={link} onClose={() => setLink(undefined)} />}
      {lines && <LinesAsked pasted={lines} onPaste={paste} onClose={() => setLines(undefined)} />}
    </fieldset>
  )
}

/** A program may write any text over its link: the whole address is shown before it opens. */
function LinkAsked({ url, onClose }: { url: string; onClose: () => void }) {
  const check = checkLink(url, url)
  return check.kind === 'web' && <LinkDialog url={check.url} warnings={check.warnings} onClose={onClose} />
}

function LinesAsked(props: { pasted: Pasted; onPaste: () => void; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={props.onClose}
      title={chat.pasteLines(props.pasted.lines)}
      footer={
        <>
          <Button onClick={props.onClose}>{chat.dontPaste}</Button>
          <Button onClick={props.onPaste}>{chat.paste}</Button>
        </>
      }
    >
      <p>{chat.pasteLinesText}</p>
      <pre className="code">
        <VisibleText text={props.pasted.text} />
      </pre>
    </Dialog>
  )
}
