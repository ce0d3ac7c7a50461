import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, runScript } from './bundled'

function report(cwd: string, ...args: string[]) {
  return runScript('csv-report', 'scripts/report.py', { args, cwd })
}

/** The report on one file called t.csv, without the file name. */
async function reportOn(content: string | Uint8Array, ...args: string[]): Promise<string> {
  const result = await report(folderWith({ 't.csv': content }), 't.csv', ...args)
  expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' })
  return result.stdout.replace('t.csv: ', '')
}

describe('report.py', () => {
  it('reports on its sample in an empty folder, and says so', async () => {
    const { stdout } = await report(folderWith({}))
    expect(stdout).toBe(
      [
        'Note: no .csv or .tsv file in the working folder. This is the sample of the skill, assets/sample.csv.',
        '',
        'sample.csv: 6 rows, 5 columns (comma, UTF-8)',
        '',
        'date     date     0 missing  5 different  2026-01-05 to 2026-01-12',
        'city     text     0 missing  3 different  Oslo (3), Lima (2), Rome (1)',
        'product  text     0 missing  5 different  Strap (2), Bag, leather (1), Buckle (1)',
        'amount   integer  1 missing  5 different  min 2, max 100, mean 28.2',
        'price    number   0 missing  5 different  min 0.35, max 89.5, mean 25.075',
        '',
      ].join('\n'),
    )
  })

  it('reports on every table of the folder without arguments', async () => {
    const { stdout } = await report(
      folderWith({ 'b.tsv': 'x\ty\n1\t2\n', 'a.csv': 'x,y\n1,2\n', 'c.txt': 'x' }),
    )
    expect(stdout.match(/^\S+: .*$/gm)).toEqual([
      'a.csv: 1 row, 2 columns (comma, UTF-8)',
      'b.tsv: 1 row, 2 columns (tab, UTF-8)',
    ])
  })

  it('prints the example of SKILL.md exactly', async () => {
    const table = 'city,amount,date\nOslo,10,2026-01-04\nRome,5,2026-02-11\nLima,40\n'
    expect(await reportOn(table)).toBe(
      [
        '3 rows, 3 columns (comma, UTF-8)',
        'Note: 1 row has another number of fields than the first row (3): line 4 has 2',
        '',
        'city    text     0 missing  3 different  Oslo (1), Rome (1), Lima (1)',
        'amount  integer  0 missing  3 different  min 5, max 40, mean 18.3333',
        'date    date     1 missing  2 different  2026-01-04 to 2026-02-11',
        '',
      ].join('\n'),
    )
  })

  it('writes Markdown in which no cell breaks the table', async () => {
    expect(await reportOn('a|b,c\n"x|y",1\n', '--format', 'markdown')).toBe(
      [
        '## t.csv',
        '',
        '1 row, 2 columns (comma, UTF-8).',
        '',
        '| Column | Type | Missing | Different | Figures |',
        '|---|---|---:|---:|---|',
        '| a\\|b | text | 0 | 1 | x\\|y (1) |',
        '| c | integer | 0 | 1 | min 1, max 1, mean 1 |',
        '',
      ].join('\n'),
    )
  })

  it.each([
    ['an empty file', '', '0 rows, 0 columns (comma, UTF-8)\nNote: the file is empty\n'],
    ['blank lines only', '\n\n', '0 rows, 0 columns (comma, UTF-8)\nNote: the file is empty\n'],
    ['a header only', 'a\n', '0 rows, 1 column (comma, UTF-8)\n\na  empty  0 missing  0 different\n'],
    [
      'a byte order mark',
      '\ufeffa\n1\n',
      '1 row, 1 column (comma, UTF-8 with BOM)\n\na  integer  0 missing  1 different  min 1, max 1, mean 1\n',
    ],
    [
      'UTF-16',
      Buffer.from('\ufeffa\n1\n', 'utf16le'),
      '1 row, 1 column (comma, UTF-16)\n\na  integer  0 missing  1 different  min 1, max 1, mean 1\n',
    ],
    [
      'a quote that is never closed',
      'a\n"b\n1\n',
      '1 row, 1 column (comma, UTF-8)\nNote: a quote is never closed, so everything from line 2 on is one row\n\na  text  0 missing  1 different  b 1 (1)\n',
    ],
    [
      'line ends in quotes',
      'a\r\n"x\r\ny"\r\n',
      '1 row, 1 column (comma, UTF-8)\n\na  text  0 missing  1 different  x  y (1)\n',
    ],
  ])('takes %s', async (_what, content, expected) => {
    expect(await reportOn(content)).toBe(expected)
  })

  it('counts bytes that are not UTF-8, and reads them with the right encoding', async () => {
    const bytes = Buffer.from('n\nJos\xe9\n', 'latin1')
    expect(await reportOn(bytes)).toContain(
      'Note: 1 byte could not be read as UTF-8, shown as \ufffd. Try --encoding cp1252\n',
    )
    expect(await reportOn(bytes, '--encoding', 'cp1252')).toContain('José (1)')
  })

  it.each([
    ['semicolon', 'a;b\n1,5;x\n2,5;"y;z"\n'],
    ['tab', 'a\tb\n1, 2\tx\n'],
    ['pipe', 'a|b\n1|2\n'],
    ['comma', 'a,b\n"1;2;3",2\n'],
  ])('recognises the delimiter %s', async (name, content) => {
    expect(await reportOn(content)).toContain(`2 columns (${name}, UTF-8)`)
  })

  it.each([
    ['1\n2', 'integer'],
    ['-1\n2.50', 'number'],
    ['1e3', 'number'],
    ['00123\n1', 'text'],
    ['1234567890123456789012', 'text'],
    ['1e999', 'text'],
    ['yes\nNo', 'boolean'],
    ['2026-01-31\n2026-02-01T10:00:00Z', 'date'],
    ['2026-13-01', 'text'],
    ['NA\nnull', 'empty'],
    ['1\nN/A', 'integer'],
    ['1\n12 kg', 'text'],
  ])('gives the values %j the type %s', async (values, type) => {
    expect((await reportOn(`a\n${values}\n`)).split('\n').at(-2)).toMatch(new RegExp(`^a +${type} `))
  })

  it('names the value that makes a column of numbers text', async () => {
    expect(await reportOn('a\n1\n2\n12 kg\n')).toContain(
      'Note: a holds 2 numbers and 1 other value, the first is 12 kg in line 4\n',
    )
  })

  it('follows its options', async () => {
    const table = 'x;?;1.234,5\ny;2;0,5\n'
    expect(
      await reportOn(
        table,
        '--no-header',
        '--missing',
        '?',
        '--decimal-comma',
        '--top=1',
        '--columns',
        '3,2,column 1',
      ),
    ).toBe(
      [
        '2 rows, 3 columns (semicolon, UTF-8)',
        '',
        'column 3  number   0 missing  2 different  min 0.5, max 1234.5, mean 617.5',
        'column 2  integer  1 missing  1 different  min 2, max 2, mean 2',
        'column 1  text     0 missing  2 different  x (1)',
        '',
      ].join('\n'),
    )
  })

  it('says for each file why it could not be read, and reports on the others', async () => {
    const cwd = folderWith({ 'a.csv': 'x\n1\n', 'b.bin': 'a\0b' })
    mkdirSync(join(cwd, 'docs'))
    const result = await report(cwd, 'nope.csv', 'docs', 'b.bin', 'a.csv')
    expect(result.code).toBe(1)
    expect(result.stdout).toContain('a.csv: 1 row, 1 column')
    expect(result.stderr).toBe(
      'report.py: nope.csv: no such file in the working folder. Check the name.\n' +
        'report.py: docs: is not a file. Name the table in it.\n' +
        'report.py: b.bin: holds zero bytes and looks binary. If it is a table, name its --encoding, such as utf-16-le.\n',
    )
  })

  it('lists the columns if one that was asked for is not there', async () => {
    const result = await report(folderWith({ 'a.csv': 'x,y\n1,2\n' }), 'a.csv', '--columns', 'z')
    expect(result).toEqual({
      code: 1,
      stdout: '',
      stderr: 'report.py: a.csv: has no column z. Its columns are: x, y.\n',
    })
  })

  it('shows no control characters of the table', async () => {
    expect(await reportOn('a\n\u001b[2Jx\n')).toContain(' [2Jx (1)')
  })
})
