/** A path, each byte of it as one character: names of files need not be text. */
export type RawPath = string

export function rawOf(text: string): RawPath {
  return Buffer.from(text, 'utf8').toString('latin1')
}

export function nativeOf(path: RawPath): Buffer {
  return Buffer.from(path, 'latin1')
}

export function textOf(path: RawPath): string {
  return Buffer.from(path, 'latin1').toString('utf8')
}
