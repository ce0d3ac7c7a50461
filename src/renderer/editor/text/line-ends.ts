/** How a file ends its lines, and whether it begins with a byte order mark: what the editor does not show. */
export interface FileForm {
  bom: boolean
  /** `mixed`: every end stays a character of the text. */
  ends: '\n' | '\r\n' | 'mixed'
}

/** The text as it is edited; `fileText` gives back exactly the same file. */
export function openText(file: string): { text: string; form: FileForm } {
  const bom = file.startsWith('\uFEFF')
  const own = bom ? file.slice(1) : file
  const ends = endsOf(own)
  return { text: ends === '\r\n' ? own.replaceAll('\r\n', '\n') : own, form: { bom, ends } }
}

/** The file that a text stands for. */
export function fileText(text: string, { bom, ends }: FileForm): string {
  return (bom ? '\uFEFF' : '') + (ends === '\r\n' ? text.replaceAll('\n', '\r\n') : text)
}

function endsOf(text: string): FileForm['ends'] {
  if (!text.includes('\r')) return '\n'
  return /(?<!\r)\n|\r(?!\n)/.test(text) ? 'mixed' : '\r\n'
}
