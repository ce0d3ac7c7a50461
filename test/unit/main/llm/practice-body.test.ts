import { describe, expect, it } from 'vitest'
import { filesNamed, planFromBody } from '../../../../src/main/llm/practice-body'

const plan = (body: string) => {
  const { file, script, scriptTakesFiles } = planFromBody(body)
  return [file, script, scriptTakesFiles]
}

describe('planFromBody', () => {
  it.each<[string, string | null, string | null, boolean]>([
    ['Nothing here but prose about notes.md and run.sh.', null, null, false],
    ['See [a](docs/a.md) and [b](references/b.md).', 'references/b.md', null, false],
    ['See [a](docs/a.md "title") and [b](other/b.md).', 'docs/a.md', null, false],
    ['[a](<my docs/a file.md>)', 'my docs/a file.md', null, false],
    ['[a](my%20docs/a.md?x=1#y)', 'my docs/a.md', null, false],
    ['[a](https://example.com/a.md), [b](/etc/b.md), [c](../c.md), [d](~/d.md), [e](#f)', null, null, false],
    ['[itself](SKILL.md)', null, null, false],
    ['Read `references/x.md` first', 'references/x.md', null, false],
    ['Read `FORMS.md` first', 'FORMS.md', null, false],
    ['Write to `output.json`', null, null, false],
    ['Files `references/*.md` and `references/<topic>.md`', null, null, false],
    ['Run `scripts/a.py`', null, 'scripts/a.py', false],
    ['Run [the script](scripts/a.rb)', null, 'scripts/a.rb', false],
    ['Run `./tools/deep/a.sh`', null, 'tools/deep/a.sh', false],
    ['Run `"${SKILL_DIR}/bin/a.mjs" in.txt`', null, 'bin/a.mjs', true],
    ['Run `{baseDir}/a.lua`', null, 'a.lua', false],
    ['```bash\npython3 scripts/a.py input.txt\n```', null, 'scripts/a.py', true],
    ['```\nnode scripts/a.js --json\n```', null, 'scripts/a.js', false],
    ['```\nnode scripts/a.js --json FILE...\n```', null, 'scripts/a.js', true],
    ['```\nRscript a.R > out.txt\n```', null, 'a.R', false],
    ['```\n./a.pl | tee out.txt\n```', null, 'a.pl', false],
    ['~~~\nphp scripts/a.php <path>\n~~~', null, 'scripts/a.php', true],
    ['Run `scripts/a.py` with the path of the file as its only argument.', null, 'scripts/a.py', true],
    ['Run `scripts/a.py` to make a file.', null, 'scripts/a.py', false],
    ['```\nunclosed scripts/a.ts x.txt', null, 'scripts/a.ts', true],
    ['First `b.sh`, later `scripts/a.py`', null, 'b.sh', false],
    ['Run `scripts/my tool.sh`', null, 'scripts/my tool.sh', false],
    [
      'Run `scripts/my tool.sh` with the path of the file as its only argument.',
      null,
      'scripts/my tool.sh',
      true,
    ],
    ['Run `./my tools/a b.py`', null, 'my tools/a b.py', false],
    ['Run `bash "scripts/my tool.sh" in.txt`', null, 'scripts/my tool.sh', true],
    ["```\npython3 'scripts/my tool.py' --all\n```", null, 'scripts/my tool.py', false],
    ['Run `python3 scripts/a.py notes.sh`', null, 'scripts/a.py', true],
    ['Run `scripts/a.py in.txt`', null, 'scripts/a.py', true],
    ['Read `references/my notes.md`', 'references/my notes.md', null, false],
    ['Run `a.exe` or `a.rs`', null, null, false],
    ['Run `scripts/fix.qqq`', null, 'scripts/fix.qqq', false],
    ['See [it](scripts/fix.qqq), then run `scripts/a.py`', null, 'scripts/a.py', false],
    ['See `scripts/table.csv` and [notes](scripts/notes.md)', 'scripts/notes.md', null, false],
  ])('%j: file %s, script %s, takes files %s', (body, file, script, takes) => {
    expect(plan(body)).toEqual([file, script, takes])
  })

  it.each(['[', '](', '`', '```\n', '[a](', '<', '${', 'a.sh '])(
    'is not held up by a body of half a million characters that repeats %j',
    (piece) => {
      expect(plan(piece.repeat(500_000 / piece.length))).toEqual([null, null, false])
    },
  )
})

describe('filesNamed', () => {
  it.each<[string, string[]]>([
    ['Count the words in sample.txt.', ['sample.txt']],
    ['compare "my notes.md" with `b c.txt` and “d.csv”', ['my notes.md', 'b c.txt', 'd.csv']],
    ['look (in docs/a.md), then ./b or ~/c or /d/e or src/', ['docs/a.md', './b', '~/c', '/d/e', 'src/']],
    ['e.g. and/or i.e. v1.2 3.14 https://x.org/a.txt a@b.com --out.txt', []],
    ['a.txt a.txt', ['a.txt']],
    ['nothing', []],
  ])('%j: %j', (message, expected) => {
    expect(filesNamed(message)).toEqual(expected)
  })
})
