import { AppError } from '@shared/errors'

/** The text of a file that can be edited without losing a byte. Throws `bad_input` for what is not UTF-8 text. */
export function editableText(path: string, bytes: Uint8Array): string {
  const text = decodeText(bytes)
  if (text === null) {
    throw new AppError(
      'bad_input',
      `"${path}" is not UTF-8 text, so it is not edited: bytes of it would be lost. Use a script or a command.`,
    )
  }
  return text
}

/** Null for what is not UTF-8, or holds a NUL. A byte order mark stays in the text. */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null // not UTF-8
  }
}

export interface TextEdit {
  old_string: string
  new_string: string
  replace_all: boolean
}

/**
 * Replaces texts one after the other. In a file whose lines all end with CRLF, line ends of both texts are meant as
 * such. Throws `not_found` when a text does not occur, and `bad_input` when it occurs more than once or nothing changes.
 */
export function applyEdits(path: string, text: string, edits: readonly TextEdit[]): string {
  return edits.reduce((now, edit) => applyEdit(path, now, edit), text)
}

/** A new text for a file, with the line ends that all of its lines had. */
export function withLineEnds(before: string, after: string): string {
  return hasOnlyCrlf(before) && !after.includes('\r') ? after.replaceAll('\n', '\r\n') : after
}

function applyEdit(path: string, text: string, edit: TextEdit): string {
  const old = withLineEnds(text, edit.old_string)
  const fresh = withLineEnds(text, edit.new_string)
  if (old === fresh)
    throw new AppError('bad_input', 'old_string and new_string are the same: nothing would change.')
  const count = text.split(old).length - 1
  if (count === 0) {
    throw new AppError(
      'not_found',
      `old_string does not occur in "${path}". Read the file again and give the text exactly as it stands there.`,
    )
  }
  if (count > 1 && !edit.replace_all) {
    throw new AppError(
      'bad_input',
      `old_string occurs ${count} times in "${path}". Give more of the text around it, or set replace_all.`,
    )
  }
  return text.split(old).join(fresh)
}

function hasOnlyCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text)
}
