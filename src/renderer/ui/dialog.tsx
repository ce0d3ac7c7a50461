import { clsx } from 'clsx'
import { Dialog as Radix } from 'radix-ui'
import { useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { IconButton } from './button'
import { focusBack, openerOfDialog } from './focus'
import { CloseIcon } from './icons'
import { words } from './strings'

export interface DialogProps {
  open: boolean
  /** Escape and the close button. A click on the backdrop does nothing (`ux.md` 3.2). */
  onClose: () => void
  /** Accessible name and heading; focus starts on it or on the field marked `data-first`, never on a button. */
  title: ReactNode
  /** In the head row, left of the close button. */
  headExtra?: ReactNode
  /** Under the title, inside the head. */
  subtitle?: ReactNode
  footer?: ReactNode
  /** Sets another size than the small default. */
  className?: string
  /** Leaves out the padded, scrolling body: the children lay themselves out. */
  bare?: boolean
  children: ReactNode
  onKeyDown?: (event: KeyboardEvent) => void
}

export function Dialog(props: DialogProps) {
  const title = useRef<HTMLHeadingElement>(null)
  const before = useRef<Element>(null)
  return (
    <Radix.Root open={props.open} onOpenChange={(open) => !open && props.onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          className={clsx('dlg', props.className)}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            before.current = openerOfDialog()
            startIn(title.current)
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            focusBack(before.current)
          }}
          onPointerDownOutside={(event) => event.preventDefault()}
          onInteractOutside={(event) => event.preventDefault()}
          {...(props.onKeyDown ? { onKeyDown: props.onKeyDown } : {})}
        >
          <header className="dlg-head">
            <div className="grow">
              <Radix.Title ref={title} tabIndex={-1} className="dlg-title">
                {props.title}
              </Radix.Title>
              {props.subtitle}
            </div>
            {props.headExtra}
            <IconButton label={words.dialog.close} shortcut="Escape" onClick={props.onClose}>
              <CloseIcon />
            </IconButton>
          </header>
          {props.bare ? props.children : <div className="dlg-body">{props.children}</div>}
          {props.footer && <footer className="dlg-foot">{props.footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** In the field that the dialog is about, all of it selected; else on the heading. */
function startIn(title: HTMLElement | null): void {
  const field = title?.closest('[role="dialog"]')?.querySelector<HTMLInputElement>('input[data-first]')
  ;(field ?? title)?.focus()
  field?.select()
}
