import type { RuleRow } from './skill-folder'

const PY = 'print(1)\n'
const KEY = ['AKIA', 'QX7ZT2LM9RW4KB3V'].join('')

/** Rules of body and files, each with a minimal bad example and its good twin. The body starts at line 6. */
export const CONTENT_ROWS: readonly RuleRow[] = [
  [
    'link-target-missing',
    {
      bad: { body: 'See [guide](references/guide.md).' },
      good: { body: 'See [guide](references/guide.md).', files: { 'references/guide.md': '# Guide\n' } },
      line: 6,
    },
  ],
  [
    'link-target-missing',
    {
      bad: { body: '![Logo](assets/logo.png)' },
      good: { body: '![Logo]({baseDir}/assets/logo%20a.png?raw=1)', files: { 'assets/logo a.png': null } },
      line: 6,
    },
  ],
  [
    'link-target-missing',
    {
      bad: { files: { 'references/a.md': 'One\n\n[b](b.md)\n' } },
      good: { files: { 'references/a.md': '[b](b.md) [root](references/b.md)\n', 'references/b.md': 'B\n' } },
      line: 3,
      file: 'references/a.md',
    },
  ],
  [
    'link-target-missing',
    {
      bad: { body: '[a]: references/no.md' },
      good: { body: '```md\n[a](references/no.md)\n```\nand `[a](b/no.md)`, [title](link), [x](<name>.md)' },
      line: 6,
    },
  ],
  [
    'merge-marks',
    {
      bad: { body: '<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> other\n' },
      good: { body: '```\n<<<<<<< HEAD\n=======\n>>>>>>> other\n```\n\nTitle\n=======\n' },
      line: 6,
    },
  ],
  [
    'merge-marks',
    { bad: { body: 'One.\n=======\nTwo.\n>>>>>>> other\n' }, good: { body: '>>> a prompt\n' }, line: 9 },
  ],
  [
    'anchor-missing',
    {
      bad: { body: '# One\n\n[two](#two)' },
      good: {
        body: '# One & two!\n\n[a](#one--two) [b](#two-1) [c](#own) [d](#case-d)\n\n## Two\n\nTwo\n---\n<a id="own">\n\n## Case {#case-d}',
      },
      line: 8,
    },
  ],
  [
    'anchor-missing',
    {
      bad: { body: '[x](a.md#no)', files: { 'a.md': '# Yes\n' } },
      good: { body: '[x](a.md#yes) [l](a.py#L10)', files: { 'a.md': '# Yes\n', 'a.py': PY } },
      line: 6,
    },
  ],
  [
    'link-leaves-skill',
    {
      bad: { body: '[x](../other/SKILL.md)' },
      good: { files: { 'references/a.md': '[x](../b.md)', 'b.md': 'B\n' } },
      line: 6,
    },
  ],
  [
    'link-leaves-skill',
    { bad: { body: '[x](/etc/hosts)' }, good: { body: '[x](https://example.com/a)' }, line: 6 },
  ],
  [
    'link-target-missing',
    {
      bad: { files: { 'notes.md': '[b](b.md)' } },
      good: { files: { 'sub/SKILL.md': 'x', 'sub/notes.md': '[b](b.md)', 'CHANGELOG.md': '[b](b.md)' } },
      line: 1,
      file: 'notes.md',
    },
  ],
  [
    'symlink-broken',
    {
      bad: { links: [{ path: 'a.md', target: 'gone.md', leaves: false, broken: true }] },
      good: { links: [{ path: 'a.md', target: 'SKILL.md', leaves: false, broken: false }] },
      file: 'a.md',
    },
  ],
  [
    'symlink-leaves-skill',
    {
      bad: { links: [{ path: 'a.md', target: '/etc/hosts', leaves: true, broken: false }] },
      good: { links: [{ path: 'a.md', target: 'SKILL.md', leaves: false, broken: false }] },
      file: 'a.md',
    },
  ],
  [
    'path-traversal',
    {
      bad: { body: 'Run `python ../other/run.py`.' },
      good: { body: 'Run `python {baseDir}/run.py`.', files: { 'run.py': PY } },
      line: 6,
    },
  ],
  [
    'path-traversal',
    {
      bad: { body: 'Open references/../../secret.txt now.' },
      good: { body: 'Open `../notes.txt` of the project.' },
      line: 6,
    },
  ],
  [
    'file-not-there',
    {
      bad: { body: 'First\n\nRun scripts/go.py now.', files: { 'scripts/other.py': PY } },
      good: { body: 'Run scripts/go.py now.', files: { 'scripts/go.py': PY } },
      line: 8,
    },
  ],
  [
    'file-not-there',
    {
      bad: { body: 'Read `{baseDir}/references/a.md`.' },
      good: { body: 'Write scripts/my-script.py, scripts/<name>.py, src/scripts/a.py or scripts/*.py.' },
      line: 6,
    },
  ],
  [
    'foreign-home-path',
    {
      bad: { body: 'Run ~/.claude/skills/pdf-tools/run.py' },
      good: { body: 'Skills lie in ~/.agents/skills/ or ~/.config.' },
      line: 6,
    },
  ],
  [
    'personal-path',
    {
      bad: { body: 'Open /Users/anna/notes.' },
      good: { body: 'Open /Users/username/notes or ~/notes.' },
      line: 6,
    },
  ],
  [
    'personal-path',
    {
      bad: { files: { 'a.md': '\n/home/bob/x\n' } },
      good: { files: { 'a.md': '\n/home/user/x\n' } },
      file: 'a.md',
      line: 2,
    },
  ],
  [
    'script-path-bare',
    {
      bad: { body: '```\npython3 -u scripts/x.py\n```', files: { 'scripts/x.py': PY } },
      good: { body: '```\npython3 -u {baseDir}/scripts/x.py\n```', files: { 'scripts/x.py': PY } },
      line: 7,
    },
  ],
  [
    'script-not-executable',
    {
      bad: { body: 'Run `./scripts/x.sh`.', files: { 'scripts/x.sh': 'true\n' } },
      good: {
        body: 'Run `./scripts/x.sh`.',
        files: { 'scripts/x.sh': 'true\n' },
        executable: ['scripts/x.sh'],
      },
      line: 6,
    },
  ],
  [
    'script-not-executable',
    {
      bad: { body: '```\n$ ./x.sh --all\n```', files: { 'x.sh': 'true\n' } },
      good: { body: '```\n$ bash ./x.sh --all\nchmod +x ./x.sh\n```', files: { 'x.sh': 'true\n' } },
      line: 7,
    },
  ],
  [
    'script-not-executable',
    {
      bad: { body: 'Then (./x.sh) is run.', files: { 'x.sh': 'true\n' } },
      good: { body: 'See [x](./x.sh).', files: { 'x.sh': 'true\n' } },
      line: 6,
    },
  ],
  [
    'script-no-interpreter',
    {
      bad: { files: { 'scripts/a.go': 'package main\n' } },
      good: { files: { 'scripts/a.py': PY, 'scripts/data.json': '{}' } },
      file: 'scripts/a.go',
    },
  ],
  [
    'script-no-interpreter',
    {
      bad: { files: { run: '#!/usr/bin/env -S uv run --script\nprint(1)\n' } },
      good: { files: { run: '#!/usr/bin/env python3\nprint(1)\n' } },
      file: 'run',
    },
  ],
  [
    'script-no-interpreter',
    {
      bad: { files: { 'scripts/run': 'echo\n' }, executable: ['scripts/run'] },
      good: { files: { 'scripts/run': 'a note\n', 'scripts/tool': null } },
      file: 'scripts/run',
    },
  ],
  [
    'interpreter-missing',
    {
      bad: { files: { 'a.rb': 'puts 1\n' }, environment: { interpreterFor: (kind) => kind !== 'ruby' } },
      good: { files: { 'a.py': PY }, environment: { interpreterFor: (kind) => kind !== 'ruby' } },
      file: 'a.rb',
    },
  ],
  [
    'script-crlf',
    {
      bad: { files: { 'a.sh': 'true\ncd /tmp\r\nls\r\n' } },
      good: { files: { 'a.sh': 'true\ncd /tmp\nls\n', 'b.py': 'a = 1\r\nb = 2\r\n' } },
      file: 'a.sh',
      line: 2,
    },
  ],
  [
    'script-crlf',
    {
      bad: { files: { 'a.py': '#!/usr/bin/env python3\r\nprint(1)\r\n' } },
      good: { files: { 'a.py': '#!/usr/bin/env python3\nprint(1)\n' } },
      file: 'a.py',
      line: 1,
    },
  ],
  [
    'script-one-line',
    {
      bad: { files: { 'a.sh': String.raw`#!/bin/bash\nset -e\necho hi\n` } },
      good: { files: { 'a.sh': '#!/bin/bash\nprintf "a\\nb\\nc\\n"\n' } },
      file: 'a.sh',
      line: 1,
    },
  ],
  [
    'dynamic-command',
    {
      bad: { body: 'State: !`git status`' },
      good: { body: 'State: `git status`!\n```\n!`git status`\n```' },
      line: 6,
    },
  ],
  [
    'positional-without-args',
    {
      bad: { body: 'Close issue $1 now.' },
      good: { front: ['argument-hint: "[issue]"'], body: 'Close issue $1 now.' },
      line: 6,
    },
  ],
  [
    'positional-without-args',
    { bad: { body: 'Take $2' }, good: { body: 'It costs $1.50 or $100.\n```\necho $1\n```' }, line: 6 },
  ],
  [
    'skill-large',
    {
      bad: { files: { 'a.bin': null }, sizes: { 'a.bin': 8_000_001 } },
      good: { files: { 'a.bin': null }, sizes: { 'a.bin': 7_000_000 } },
    },
  ],
  ['many-files', { bad: { filesCut: true }, good: {} }],
  [
    'file-names-alike',
    {
      bad: { files: { 'Guide.md': 'A\n', 'guide.md': 'B\n' } },
      good: { files: { 'guide.md': 'A\n', 'guides.md': 'B\n' } },
      file: 'guide.md',
    },
  ],
  [
    'file-names-alike',
    {
      bad: { files: { 'caf\u00e9.md': 'A\n', 'cafe\u0301.md': 'B\n' } },
      good: { files: { 'caf\u00e9.md': 'A\n' } },
      file: 'cafe\u0301.md',
    },
  ],
  [
    'file-name-refused',
    { bad: { files: { 'a:b.md': 'A\n' } }, good: { files: { 'a-b.md': 'A\n' } }, file: 'a:b.md' },
  ],
  [
    'env-file',
    {
      bad: { files: { 'config/.env.local': 'A=1\n' } },
      good: { files: { '.env.example': 'A=\n', 'env.md': 'A\n' } },
      file: 'config/.env.local',
    },
  ],
  [
    'secret',
    {
      bad: { files: { 'a.py': `\nkey = "${KEY}"\n` } },
      good: { files: { 'a.py': '\nkey = "AKIAIOSFODNN7EXAMPLE"\n' } },
      file: 'a.py',
      line: 2,
    },
  ],
  [
    'hidden-characters',
    { bad: { body: 'One\nTwo\u200bthree' }, good: { body: 'Family: 👨‍👩‍👧, نمی‌خواهم' }, line: 7 },
  ],
  ['bidi-characters', { bad: { body: 'a\u202eb' }, good: { body: 'שלום' }, line: 6 }],
  [
    'tag-characters',
    {
      bad: { files: { 'a.md': 'x\ny\u{E0068}\u{E0069}\n' } },
      good: { files: { 'a.md': '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}\n' } },
      file: 'a.md',
      line: 2,
    },
  ],
]
