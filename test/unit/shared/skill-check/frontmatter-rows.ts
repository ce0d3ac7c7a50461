import type { RuleRow } from './skill-folder'

const lacks = (...names: string[]) => ({ hasProgram: (name: string) => !names.includes(name) })
const openclaw = (json: string) => [`metadata: {"openclaw": ${json}}`]

/** Rules of the frontmatter, each with a minimal bad example and its good twin. */
export const FRONTMATTER_ROWS: readonly RuleRow[] = [
  ['description-short', { bad: { front: ['description: Reads PDF files.'] }, good: {}, line: 3 }],
  [
    'description-no-when',
    {
      bad: { front: ['description: A collection of PDF tooling and more.'] },
      good: { front: ['description: PDF tooling. Use when a PDF file is named.'] },
      line: 3,
    },
  ],
  [
    'description-no-when',
    {
      bad: { front: ['description: Collection of many tools.'] },
      good: { front: ['description: Collection of many tools.', 'when_to_use: A PDF file is named.'] },
    },
  ],
  [
    'description-no-when',
    {
      bad: { front: ['description: Collection of many tools.'] },
      good: { front: ['description: 读取文件中的文本并提取表格数据的工具集合用于处理文档'] },
    },
  ],
  [
    'description-markup',
    {
      bad: { front: ['description: Use when a <system> file is named.'] },
      good: { front: ['description: Use when a is < 3 and b > 4 in a file.'] },
      line: 3,
    },
  ],
  [
    'placeholder-left',
    { bad: { folderName: '{setup-skill-name}' }, good: { folderName: 'pdf-tools' }, line: 2 },
  ],
  [
    'placeholder-left',
    {
      bad: { front: ['description: "[TODO: what it does and when to use it]"'] },
      good: { front: ['description: Keeps a TODO list and ${{ }} expressions. Use when asked for it.'] },
      line: 3,
    },
  ],
  [
    'tool-unknown',
    {
      bad: { front: ['allowed-tools: Read Python'] },
      good: { front: ['allowed-tools: read, Bash(git:*), mcp__jira__search'] },
      line: 3,
    },
  ],
  [
    'tool-malformed',
    {
      bad: { front: ['allowed-tools: Bash(git'] },
      good: { front: ['allowed-tools: Bash(git add *)'] },
      line: 3,
    },
  ],
  [
    'tool-malformed',
    { bad: { front: ['allowed-tools: Bash()'] }, good: { front: ['allowed-tools: Bash(*)'] }, line: 3 },
  ],
  [
    'agent-without-fork',
    { bad: { front: ['agent: reviewer'] }, good: { front: ['context: fork', 'agent: reviewer'] }, line: 3 },
  ],
  [
    'tool-unknown',
    {
      bad: { front: ['disallowed-tools: Python'] },
      good: { front: ['disallowed-tools: Write'] },
      line: 3,
    },
  ],
  ['model-empty', { bad: { front: ['model: ""'] }, good: { front: ['model: small'] }, line: 3 }],
  [
    'hook-missing',
    {
      bad: { front: ['hooks:', '  pre: scripts/pre.sh'] },
      good: { front: ['hooks:', '  pre: ./scripts/pre.sh'], files: { 'scripts/pre.sh': 'true\n' } },
      line: 3,
    },
  ],
  [
    'hook-missing',
    {
      bad: { front: ['hooks: {post: a.sh}'] },
      good: { front: ['hooks: {PreToolUse: [{matcher: Bash}]}'] },
    },
  ],
  [
    'program-missing',
    {
      bad: { front: openclaw('{"requires": {"bins": ["git", "nope"]}}'), environment: lacks('nope') },
      good: { front: openclaw('{"requires": {"bins": ["git"]}}'), environment: lacks('nope') },
      line: 3,
    },
  ],
  [
    'program-missing',
    {
      bad: { front: openclaw('{"requires": {"anyBins": ["a1", "b1"]}}'), environment: lacks('a1', 'b1') },
      good: { front: openclaw('{"requires": {"anyBins": ["a1", "b1"]}}'), environment: lacks('a1') },
    },
  ],
  [
    'program-missing',
    {
      bad: { front: ['compatibility: Requires git, docker, and Python 3.11+'], environment: lacks('docker') },
      good: { front: ['compatibility: Requires git; docker is optional'], environment: lacks('docker') },
      line: 3,
    },
  ],
  [
    'program-missing',
    {
      bad: { front: ['compatibility: Requires foo-bar-cli'], environment: lacks('foo-bar-cli', 'foo-bar') },
      good: { front: ['compatibility: Requires foo-bar-cli'], environment: lacks('foo-bar-cli') },
    },
  ],
  [
    'program-missing',
    {
      bad: { front: ['compatibility: Requires the `foo` command'], environment: lacks('foo') },
      good: { front: ['compatibility: Requires the `foo` library'], environment: lacks('foo') },
    },
  ],
  [
    'program-missing',
    {
      bad: { front: ['compatibility: Needs docker or podman'], environment: lacks('docker', 'podman') },
      good: { front: ['compatibility: Needs docker or podman'], environment: lacks('docker') },
    },
  ],
  [
    'program-missing',
    {
      bad: { front: ['compatibility: Requires ImageMagick'], environment: lacks('magick', 'convert') },
      good: { front: ['compatibility: Requires ImageMagick'], environment: lacks('magick') },
    },
  ],
  [
    'program-missing',
    {
      bad: { front: ['compatibility: Requires Node.js'], environment: lacks('node') },
      good: { front: ['compatibility: Designed for clients with node support'], environment: lacks('node') },
    },
  ],
  [
    'program-missing',
    {
      bad: { front: ['metadata: {clawdbot: {requires: {bins: [nope]}}}'], environment: lacks('nope') },
      good: {
        front: ['metadata: {clawdbot: {always: true, requires: {bins: [nope]}}}'],
        environment: lacks('nope'),
      },
    },
  ],
  [
    'variable-missing',
    {
      bad: { front: openclaw('{"requires": {"env": ["A_KEY"]}}'), environment: { hasVariable: () => false } },
      good: { front: openclaw('{"requires": {"env": ["A_KEY"]}}') },
      line: 3,
    },
  ],
  [
    'variable-missing',
    {
      bad: {
        front: ['compatibility: Requires git and the A_KEY or B_KEY environment variable'],
        environment: { hasVariable: () => false },
      },
      good: {
        front: ['compatibility: Requires git and the A_KEY or B_KEY environment variable'],
        environment: { hasVariable: (name) => name === 'B_KEY' },
      },
      line: 3,
    },
  ],
  [
    'system-other',
    {
      bad: { front: openclaw('{"os": ["darwin", "windows"]}') },
      good: { front: openclaw('{"os": ["macos", "linux"]}') },
      line: 3,
    },
  ],
]
