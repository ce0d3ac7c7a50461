import { useState } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import { api, messageOf } from '../../api'
import { addNotice } from '../../stores/ui'
import { Button } from '../button'
import { Dialog } from '../dialog'
import { ImageIcon } from '../icons'
import { VisibleText } from '../visible-text'
import { checkLink, imageHost } from './links'
import { words } from '../strings'

/** Opens an address in the system's browser, through main's own check. */
export async function openExternal(url: string): Promise<void> {
  try {
    await api.call('desktop.openExternal', { url })
  } catch (error) {
    addNotice('error', messageOf(error))
  }
}

/** A link of a text we did not write: the host is always visible, odd ones are shown in full before they open. */
export function SafeLink(props: {
  href: string
  /** The link's text without its styling. */
  text: string
  children: ReactNode
  onInternal?: ((path: string) => void) | undefined
  isInternal?: ((path: string) => boolean) | undefined
}) {
  const check = checkLink(props.text, props.href)
  const [asking, setAsking] = useState(false)
  const { onInternal } = props
  if (check.kind === 'refused') {
    return (
      <span title={words.link.thisKindOfLink}>
        {props.children} (<VisibleText text={check.url} />)
      </span>
    )
  }
  if (check.kind === 'internal') {
    if (props.isInternal?.(check.path) === false)
      return (
        <span className="md-missing">
          {props.children} <span className="md-host">{words.link.noSuchFile}</span>
        </span>
      )
    return onInternal ? (
      <button type="button" className="linklike" onClick={() => onInternal(check.path)}>
        {props.children}
      </button>
    ) : (
      <span className="mono">{props.children}</span>
    )
  }
  const open = (event: MouseEvent) => {
    event.preventDefault()
    if (check.warnings.length > 0) setAsking(true)
    else void openExternal(check.url)
  }
  return (
    <>
      <a href={check.url} onClick={open} onAuxClick={open} rel="noreferrer">
        {props.children}
      </a>
      {!props.text.includes(check.host) && <span className="md-host"> ({check.host})</span>}
      {asking && <LinkDialog url={check.url} warnings={check.warnings} onClose={() => setAsking(false)} />}
    </>
  )
}

/** Stands in for an image: nothing is fetched (MD-2). */
export function ImageChip({ src, alt }: { src: string; alt: string }) {
  const [asking, setAsking] = useState(false)
  const isWeb = /^https?:/i.test(src)
  const label = words.link.imageFrom(alt, imageHost(src))
  if (!isWeb) return <span className="tag">{label}</span>
  return (
    <>
      <button type="button" className="chip" onClick={() => setAsking(true)}>
        <ImageIcon size={14} aria-hidden="true" />
        {label}
      </button>
      {asking && <LinkDialog url={src} warnings={[]} onClose={() => setAsking(false)} />}
    </>
  )
}

/** Asks before an address opens, which stands there whole. */
export function LinkDialog(props: { url: string; warnings: string[]; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={props.onClose}
      title={words.link.openThisAddressIn}
      footer={
        <>
          <Button onClick={props.onClose}>{words.link.stayHere}</Button>
          <Button
            onClick={() => {
              void openExternal(props.url)
              props.onClose()
            }}
          >
            {words.link.openAddress}
          </Button>
        </>
      }
    >
      <pre className="code">
        <VisibleText text={props.url} />
      </pre>
      <ul className="md-warnings">
        {props.warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Dialog>
  )
}
