// The table of the fault matrix in docs/reliability.md.

const begin = '<!-- faults: written by npm run faults -->'
const end = '<!-- /faults -->'
const kinds = ['kill', 'throw', 'full', 'delay']

/**
 * The document with its table made anew. Throws when the document has no place for it.
 * @param {string} document
 * @param {{ point: string, kind: string, went: string, faults: string[] }[]} cells
 */
export function faultTable(document, cells) {
  const from = document.indexOf(begin)
  const to = document.indexOf(end)
  if (from < 0 || to < from) throw new Error(`docs/reliability.md has no place "${begin}"`)
  const points = [...new Set(cells.map(({ point }) => point))].sort()
  const broken = cells.filter(({ faults }) => faults.length > 0)
  const rows = points.map(
    (point) => `| ${point} | ${kinds.map((kind) => inWords(point, kind)).join(' | ')} |`,
  )
  /** @param {string} point @param {string} kind */
  function inWords(point, kind) {
    const cell = cells.find((one) => one.point === point && one.kind === kind)
    if (!cell) return 'not tried'
    if (cell.faults.length > 0) return cell.faults.join('; ').replaceAll('|', '\\|')
    return cell.went === 'on' ? 'goes on' : 'goes on after a start'
  }
  const text = [
    begin,
    '',
    `${points.length} points, ${cells.length} faults planted, ${cells.length - broken.length} without a broken promise.`,
    '',
    '| point | killed | an error | disk full | 5 s late |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    end,
  ]
  return document.slice(0, from) + text.join('\n') + document.slice(to + end.length)
}
