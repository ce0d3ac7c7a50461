import { defineStrings } from '@shared/catalogue'
import { formatNumber, formFor } from './format'

export const words = defineStrings('ui', {
  commandBlock: {
    exactCommand: 'Exact command',
    copyCommand: 'Copy command',
  },
  copyButton: {
    copy: 'Copy',
    copied: 'Copied',
  },
  dialog: {
    close: 'Close',
  },
  diffRows: {
    unchangedLines: (count: number) =>
      `${count} ${formFor(count, { one: 'unchanged line', other: 'unchanged lines' })}`,
  },
  hashChip: {
    copied: 'Copied',
    copySha: (hash: string) => `Copy sha256 ${hash}`,
    sha: (hash: string) => `sha256 ${hash}`,
  },
  hunkRows: {
    unchangedLines: (count: number) =>
      `${count} ${formFor(count, { one: 'unchanged line', other: 'unchanged lines' })}`,
  },
  lineList: {
    added: 'added ',
    removed: 'removed ',
    showMoreCharacters: (length: number) => `Show ${formatNumber(length)} more characters`,
  },
  codeBlock: {
    text: 'text',
    copyCode: 'Copy code',
    code: 'Code',
  },
  link: {
    thisKindOfLink: 'This kind of link is not opened',
    noSuchFile: '(no such file)',
    imageFrom: (alt: string, host: string) => `${alt ? `${alt}: ` : ''}image from ${host}, not loaded`,
    openThisAddressIn: 'Open this address in the browser?',
    stayHere: 'Stay here',
    openAddress: 'Open address',
  },
  links: {
    anUnknownPlace: 'an unknown place',
    theTextSaysBut: (shown: string, hostname: string) =>
      `The text says ${shown}, but the link goes to ${hostname}.`,
    theAddressCarriesA: 'The address carries a user name before the host.',
    theHostIsWritten: 'The host is written in characters that may only look like familiar ones.',
    theHostIsA: 'The host is a number, not a name.',
    theAddressIsVery: 'The address is very long and may carry text from this chat.',
  },
  marks: {
    waiting: ' waiting',
  },
})
