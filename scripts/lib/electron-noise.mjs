// Lines that Chromium writes at every start on a machine without a desktop bus or a graphics card, and that say
// nothing about Satchel. Pure.

/** Chromium begins each line of its own so; a source is named with "(line)" or ":line". */
const start = /^\[\d+:\d{4}\/\d{6}\.\d+:ERROR:(?:[\w-]+\/)*(\w+\.cc)(?:\(\d+\)|:\d+)\] (.*)/

/** @type {Record<string, RegExp>} what is harmless, by source */
const harmless = {
  'bus.cc': /^Failed to connect to the bus: /,
  'object_proxy.cc': /^Failed to call method: org\.freedesktop\.DBus\./,
  'viz_main_impl.cc': /^Exiting GPU process due to errors during initialization/,
  'command_buffer_proxy_impl.cc': /^ContextResult::kTransientFailure: /,
}

/**
 * Leaves the harmless lines out of a text that comes in pieces. Only what could become such a line is held back.
 * @returns {{ push: (piece: string) => string, end: () => string }} what to show
 */
export function createNoiseFilter() {
  let line = '' // its beginning, as far as it is held back
  let isMiddle = false // the beginning of this line was shown
  /** @param {string} text without a line end */
  const take = (text) => {
    line += text
    if (!isMiddle && (line === '' || line.startsWith('['))) return ''
    const shown = line
    line = ''
    isMiddle = true
    return shown
  }
  const finishLine = () => {
    const shown = isNoise(line) ? '' : `${line}\n`
    line = ''
    isMiddle = false
    return shown
  }
  return {
    push(piece) {
      const [first = '', ...rest] = piece.split('\n')
      return take(first) + rest.map((text) => finishLine() + take(text)).join('')
    },
    end() {
      const shown = isNoise(line) ? '' : line
      line = ''
      return shown
    },
  }
}

/** @param {string} line */
function isNoise(line) {
  const [, source = '', message = ''] = start.exec(line) ?? []
  return harmless[source]?.test(message) ?? false
}
