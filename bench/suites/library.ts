import type { Options } from '../main'
import { limitVerdict, notMeasured, print, short, spread, table } from '../lib/report'
import type { Outcome } from '../lib/report'
import { pairedRatios, percentile, summarise } from '../lib/statistics'
import { editorPart } from './editor'
import { treeOf } from '../lib/tree'
import { openApp, openBare, prepareApp, untilQuiet } from '../lib/window-app'
import type { ListPlaces, MeasuredWindow } from '../lib/window-app'
import { measureList, profiled } from '../lib/window-measure'
import type { ListTimes } from '../lib/window-measure'

const APP: ListPlaces = {
  open: '.side .nv:nth-of-type(2)',
  scroller: '.skg',
  row: '.skg [data-index]',
  filter: '#skill-search',
}
const BARE: ListPlaces = { open: '#open', scroller: '#list', row: '.row', filter: '#filter' }
const LISTED_MS = 180_000

type Round = ListTimes & { memory: number | null }

/** The library in the real window beside a bare one with as many rows: opening, scrolling, filtering, memory; and its editor. */
export async function librarySuite({ sizes, rounds, seed }: Options): Promise<Outcome> {
  const outcome: Outcome = { verdicts: [], mismatches: [] }
  if (process.platform === 'linux' && !process.env['DISPLAY']) {
    const goal = { id: 'ux 7', text: 'the library' }
    outcome.verdicts.push(notMeasured(goal, '', 'no display: run it under xvfb-run'))
    return outcome
  }
  const root = process.cwd()
  const electron = prepareApp(root)
  outcome.verdicts.push(...(await editorPart(electron, root, Math.ceil(rounds / 2))))
  for (const size of sizes.slice(-2)) {
    const { home } = treeOf(size, seed)
    const [ours, bare]: [Round[], Round[]] = [[], []]
    for (let round = 0; round < Math.ceil(rounds / 2); round += 1) {
      ours.push(await measure(await openApp(electron, root, home), APP, size))
      bare.push(await measure(await openBare(electron, root, size), BARE, 0))
    }
    printTable(size, ours, bare)
    outcome.verdicts.push(...verdicts(size, ours, bare))
  }
  return outcome
}

async function measure(window: MeasuredWindow, places: ListPlaces, skills: number): Promise<Round> {
  try {
    if (skills > 0) await untilListed(window, skills)
    await untilQuiet(window)
    const times = await profiled(window.page, `list-${skills}`, () => measureList(window.page, places))
    return { ...times, memory: window.memoryMb() }
  } finally {
    await window.close()
  }
}

/** The sidebar counts as many skills as there are, bundled ones included. Asked from here: the page allows no `eval`. */
async function untilListed({ page }: MeasuredWindow, skills: number): Promise<void> {
  const count = `Number((document.querySelector('.side .cnt')?.textContent ?? '0').replaceAll(',', ''))`
  const end = performance.now() + LISTED_MS
  while ((await page.evaluate<number>(count)) < skills) {
    if (performance.now() > end) throw new Error(`${skills} skills were not listed in ${LISTED_MS} ms`)
    await page.waitForTimeout(200)
  }
}

const ROWS: readonly (readonly [label: string, of: (round: Round) => number])[] = [
  ['first paint, ms', ({ firstPaint }) => firstPaint],
  ['frame while scrolling, median ms', ({ gaps }) => percentile(gaps, 50)],
  ['the same, p95', ({ gaps }) => percentile(gaps, 95)],
  ['frames without rows, %', ({ blank }) => blank * 100],
  ['keystroke, median ms', ({ keys }) => percentile(keys, 50)],
  ['the same, p95', ({ keys }) => percentile(keys, 95)],
  ['rows in the page', ({ drawn }) => drawn],
  ['memory, MB', ({ memory }) => memory ?? 0],
]

function printTable(size: number, ours: readonly Round[], bare: readonly Round[]): void {
  print(`\n${size} skills`)
  const rows = ROWS.map(([label, of]) => {
    const [mine, theirs] = [ours.map(of), bare.map(of)]
    const ratio = theirs.some((value) => value === 0)
      ? ''
      : short(summarise(pairedRatios(mine, theirs)).median)
    return [label, spread(mine), spread(theirs), ratio]
  })
  print(table(['', 'Satchel', 'bare window', 'ratio'], rows))
}

/** The budgets of `ux.md` 7, and the memory of a window beside a bare one (G1.2). */
function verdicts(size: number, ours: readonly Round[], bare: readonly Round[]): Outcome['verdicts'] {
  const median = (of: (round: Round) => number, rounds = ours) => summarise(rounds.map(of)).median
  const memory = ({ memory }: Round) => memory ?? 0
  const goal = (text: string, limit: number, unit: string) => ({
    id: 'ux 7',
    text: `${text}, ${size}`,
    limit,
    unit,
  })
  return [
    limitVerdict(
      goal('first paint of the list', 150, 'ms'),
      median(({ firstPaint }) => firstPaint),
    ),
    // 58 frames a second.
    limitVerdict(
      goal('frame while scrolling', 17.3, 'ms'),
      median(({ gaps }) => percentile(gaps, 50)),
    ),
    limitVerdict(
      goal('rows in the page', 60, 'rows'),
      median(({ drawn }) => drawn),
    ),
    limitVerdict(
      goal('filter keystroke p95', 50, 'ms'),
      median(({ keys }) => percentile(keys, 95)),
    ),
    limitVerdict(
      { id: 'G1.2', text: `memory beside a bare window, ${size}`, limit: 1.5, unit: '×' },
      median(memory) / Math.max(1, median(memory, bare)),
    ),
  ]
}
