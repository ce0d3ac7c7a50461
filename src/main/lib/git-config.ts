/** One setting: `core.hookspath`, the part between quotes left out; a name without a value is "true" to git. */
export interface GitSetting {
  key: string
  value: string
}

/** Settings that are read of one file, and characters of it. */
const MAX_SETTINGS = 5000
const MAX_TEXT = 1_000_000

const SECTION = /^\s*\[\s*([\w.-]+)(?:\s+"(?:[^"\\]|\\.)*")?\s*\]?/
const ENTRY = /^\s*([\w-]+)\s*(?:=\s*)?/

/**
 * What a file of git's settings says, read kindly: git itself refuses a file where one line is wrong, here the other
 * lines still count, since what is asked is what such a file can lead git to. Never throws.
 */
export function readGitConfig(text: string): GitSetting[] {
  const plain = text
    .slice(0, MAX_TEXT)
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
  // A backslash ends no line, but in a comment it does: both readings count.
  const joined = plain.replace(/(?<!\\)((?:\\\\)*)\\\n/g, '$1')
  return [...settingsOf(plain), ...(joined === plain ? [] : settingsOf(joined))]
}

function settingsOf(text: string): GitSetting[] {
  const settings: GitSetting[] = []
  let section = ''
  for (const line of text.split('\n')) {
    let rest = line
    const head = SECTION.exec(rest)
    if (head) {
      section = (head[1] ?? '').toLowerCase().split('.')[0] ?? ''
      rest = rest.slice(head[0].length)
    }
    const entry = ENTRY.exec(rest)
    if (!entry) continue
    settings.push({
      key: `${section}.${(entry[1] ?? '').toLowerCase()}`,
      value: valueOf(rest.slice(entry[0].length)),
    })
    if (settings.length === MAX_SETTINGS) break
  }
  return settings
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' }

/** Without its quotes and without a comment after it. */
function valueOf(text: string): string {
  let value = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at)
    if (letter === '\\') {
      at += 1
      const next = text.charAt(at)
      value += ESCAPES[next] ?? next
    } else if (letter === '"') isQuoted = !isQuoted
    else if (!isQuoted && (letter === '#' || letter === ';')) break
    else value += letter
  }
  return value.trim()
}
