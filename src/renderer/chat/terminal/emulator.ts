import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import type { OutputChunk } from '@shared/domain/run'
import { withoutReplies } from '@shared/terminal-replies'
import { api } from '../../api'
import { guarded } from '../../shell/actions'
import { terminalLook } from './colors'
import { pastedText } from './paste'
import type { Pasted } from './paste'

/** What a terminal needs of the page around it. */
export interface EmulatorHost {
  runId: string
  /** The key that leaves it was pressed. */
  onLeave: () => void
  /** A link in the output was clicked; only http and https. */
  onLink: (url: string) => void
  /** Several lines would be pasted into a program that may act on each. */
  onLines: (pasted: Pasted) => void
}

export interface Emulator {
  paste(text: string): void
  focus(): void
  dispose(): void
}

/** Characters of one message at most. */
const TYPED = 32_000

/**
 * A terminal for one run, from its first byte on. What the program asks is answered to it alone, once, and only while
 * it runs (AP-6). There is no clipboard for it, no title, no image; its links go through `onLink`.
 */
export function createEmulator(box: HTMLElement, host: EmulatorHost): Emulator {
  const root = document.documentElement
  const terminal = new Terminal({
    ...terminalLook(root),
    fontFamily: "'Plex Mono', monospace",
    fontSize: 12,
    lineHeight: 1.25,
    screenReaderMode: true,
    logLevel: 'off',
    linkHandler: { activate: (_event, url) => host.onLink(url), allowNonHttpProtocols: false },
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.open(box)
  fit.fit()
  const ends = [
    keys(terminal, box, host),
    wire(terminal, host.runId),
    follow(terminal, root),
    resizing(terminal, fit, { box, runId: host.runId }),
  ]
  return {
    paste: (text) => terminal.paste(text),
    focus: () => terminal.focus(),
    dispose() {
      for (const end of ends) end()
      terminal.dispose()
    },
  }
}

/** Keys that are not the program's: the one that leaves it, and what comes from the clipboard. No other one reaches the page. */
function keys(terminal: Terminal, box: HTMLElement, host: EmulatorHost): () => void {
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.key !== 'Escape' || !event.shiftKey || event.ctrlKey || event.altKey || event.metaKey)
      return true
    event.preventDefault()
    if (event.type === 'keydown') host.onLeave()
    return false
  })
  const onKey = (event: KeyboardEvent) => event.stopPropagation()
  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const pasted = pastedText(event.clipboardData?.getData('text/plain') ?? '')
    if (pasted.lines > 1 && !terminal.modes.bracketedPasteMode) host.onLines(pasted)
    else if (pasted.text !== '') terminal.paste(pasted.text)
  }
  box.addEventListener('keydown', onKey)
  box.addEventListener('paste', onPaste, true)
  return () => {
    box.removeEventListener('keydown', onKey)
    box.removeEventListener('paste', onPaste, true)
  }
}

/** Output in, keys and replies out. Errors are apart from it; they are read at the end. */
function wire(terminal: Terminal, runId: string): () => void {
  let isOpen = true
  let isAgain = false
  let written = 0
  let last = Promise.resolve()
  const show = async (chunk: OutputChunk): Promise<void> => {
    if (!isOpen || chunk.channel === 'err' || chunk.offset < written) return
    written = chunk.offset + chunk.data.length
    isAgain = chunk.again === true
    await new Promise<void>((resolve) => terminal.write(chunk.data, resolve))
    isAgain = false
  }
  const close = api.stream(
    'runs.output',
    { runId, from: 0, answers: true },
    {
      event: (chunk) => (last = last.then(() => show(chunk))),
      end() {
        isOpen = false
      },
    },
  )
  terminal.onData((sent) => {
    if (!isOpen) return
    const data = isAgain ? withoutReplies(sent) : sent
    for (let at = 0; at < data.length; at += TYPED) {
      const piece = data.slice(at, at + TYPED)
      void guarded(async () => void (await api.call('runs.input', { runId, data: piece })))
    }
  })
  return () => {
    isOpen = false
    close()
  }
}

/** Keeps to the theme of the page. */
function follow(terminal: Terminal, root: HTMLElement): () => void {
  const observer = new MutationObserver(() => {
    terminal.options = terminalLook(root)
  })
  observer.observe(root, { attributes: true, attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

/** The program is told how large its terminal is. */
function resizing(
  terminal: Terminal,
  fit: FitAddon,
  { box, runId }: { box: HTMLElement; runId: string },
): () => void {
  const tell = () => {
    const { cols, rows } = terminal
    if (cols < 2 || rows < 2) return
    const size = { cols: Math.min(cols, 500), rows: Math.min(rows, 300) }
    void guarded(async () => void (await api.call('runs.resize', { runId, ...size })))
  }
  terminal.onResize(tell)
  tell()
  const observer = new ResizeObserver(() => fit.fit())
  observer.observe(box)
  return () => observer.disconnect()
}
