import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { measureTyping } from '../lib/editor-measure'
import type { TypingTimes } from '../lib/editor-measure'
import { LONG_LINES, longSkillMd } from '../lib/long-skill'
import { limitVerdict, print, short, spread, table } from '../lib/report'
import type { Outcome } from '../lib/report'
import { pairedRatios, percentile, summarise } from '../lib/statistics'
import { openApp, openBare } from '../lib/window-app'
import { profiled } from '../lib/window-measure'

/** A letter in a SKILL.md of 2,000 lines in the real window, beside a bare CodeMirror with the same text. */
export async function editorPart(
  electron: string,
  root: string,
  rounds: number,
): Promise<Outcome['verdicts']> {
  const dir = mkdtempSync(join(tmpdir(), 'satchel-bench-editor-'))
  const [ours, bare]: [TypingTimes[], TypingTimes[]] = [[], []]
  try {
    const home = join(dir, 'home')
    const skill = join(home, '.satchel', 'skills', 'long-skill')
    mkdirSync(skill, { recursive: true })
    writeFileSync(join(skill, 'SKILL.md'), longSkillMd())
    const page = await bareEditor(root, join(dir, 'bare'))
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await inApp(electron, root, home))
      bare.push(await inBare(electron, root, page))
    }
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
  printTable(ours, bare)
  return verdicts(ours, bare)
}

/** CodeMirror with the same language, and nothing of Satchel's around it. */
const BARE = `
import { markdown } from '@codemirror/lang-markdown'
import { EditorView } from '@codemirror/view'
new EditorView({
  doc: ${JSON.stringify(longSkillMd())},
  extensions: [markdown()],
  parent: document.getElementById('editor'),
})`

/** The page of the bare editor, bundled. */
async function bareEditor(root: string, outDir: string): Promise<string> {
  const entry = join(root, 'bench', 'bare-editor.js')
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [
      {
        name: 'bare-editor',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? BARE : null),
      },
    ],
    build: {
      outDir,
      lib: { entry, formats: ['iife'], name: 'bare', fileName: () => 'editor.js' },
    },
  })
  const page = join(outDir, 'editor.html')
  copyFileSync(join(root, 'bench', 'bare-window', 'editor.html'), page)
  return page
}

async function inApp(electron: string, root: string, home: string): Promise<TypingTimes> {
  const window = await openApp(electron, root, home)
  try {
    const { page } = window
    await page.locator('.side .nv:nth-of-type(2)').click()
    await page.locator('[data-skill="long-skill"]').dblclick()
    await page.getByRole('tab', { name: 'Edit' }).click()
    await page.locator('.cm-content').waitFor()
    await page
      .locator('.ed-strip')
      .getByText(/^Line|^No problems/)
      .waitFor()
    return await profiled(page, 'typing', () => measureTyping(page))
  } finally {
    await window.close()
  }
}

async function inBare(electron: string, root: string, file: string): Promise<TypingTimes> {
  const window = await openBare(electron, root, 0, file)
  try {
    await window.page.locator('.cm-content').waitFor()
    return await measureTyping(window.page)
  } finally {
    await window.close()
  }
}

const ROWS: readonly (readonly [label: string, of: (times: TypingTimes) => number])[] = [
  ['letter until it is drawn, median ms', ({ keys }) => percentile(keys, 50)],
  ['the same, p95', ({ keys }) => percentile(keys, 95)],
  ['longest frame once typing stops, median ms', ({ stops }) => percentile(stops, 50)],
]

function printTable(ours: readonly TypingTimes[], bare: readonly TypingTimes[]): void {
  print(`\nThe editor, ${LONG_LINES} lines`)
  const rows = ROWS.map(([label, of]) => {
    const [mine, theirs] = [ours.map(of), bare.map(of)]
    return [label, spread(mine), spread(theirs), short(summarise(pairedRatios(mine, theirs)).median)]
  })
  print(table(['', 'Satchel', 'bare CodeMirror', 'ratio'], rows))
}

/** `ux.md` 7, as far as it speaks of it; the median beside the bare editor, which waits for the same frame. */
function verdicts(ours: readonly TypingTimes[], bare: readonly TypingTimes[]): Outcome['verdicts'] {
  const median = (of: (times: TypingTimes) => number) => summarise(ours.map(of)).median
  const middle = ({ keys }: TypingTimes) => percentile(keys, 50)
  const lines = `${LONG_LINES} lines`
  const beside = summarise(pairedRatios(ours.map(middle), bare.map(middle))).median
  return [
    limitVerdict(
      { id: 'editor', text: `letter beside CodeMirror, ${lines}`, limit: 1.25, unit: '×' },
      beside,
    ),
    limitVerdict(
      { id: 'ux 7', text: `letter p95, ${lines}`, limit: 33, unit: 'ms' },
      median(({ keys }) => percentile(keys, 95)),
    ),
    // A frame, and 20 ms for looking.
    limitVerdict(
      { id: 'ux 7', text: `longest frame once typing stops, ${lines}`, limit: 36.7, unit: 'ms' },
      median(({ stops }) => percentile(stops, 50)),
    ),
  ]
}
