import type { Rule, Test } from './rule'

/** A shell that reads its program from a pipe or a string; the end of a "download and run" line. */
const INTO_SHELL =
  /[|&]\s{0,20}(?:sudo\s{1,5}|env\s{1,5})?(?:\/\S{0,80}\/)?(?:ba|z|da|k|a)?sh\b|\|\s{0,20}(?:sudo\s{1,5})?(?:python[0-9.]{0,5}|node|perl|ruby|php)\b/gm

const NETWORK: readonly Test[] = [
  {
    pattern:
      /\b(?:curl|wget|ftp|sftp|scp|rsync|telnet|ssh|ncat|socat|aria2c)[ \t]{1,20}(?:-|["'$]|\w[\w.-]{0,80}@|\w{0,10}:|\w[\w-]{0,60}\.\w)/gm,
  },
  { pattern: /\bnc[ \t]{1,10}-?\w|\/dev\/(?:tcp|udp)\/|["'](?:curl|wget|ssh|scp|rsync|nc)["']/gm },
  {
    only: ['py'],
    pattern:
      /\b(?:import|from)[ \t]{1,10}(?:urllib|requests|httpx|aiohttp|http\.client|socket|ftplib|smtplib|telnetlib|paramiko|websockets?)\b|\burlopen\(|\brequests\.(?:get|post|put|patch|delete|head|request)\(/gm,
  },
  {
    only: ['js'],
    pattern:
      /\bfetch\(|\bXMLHttpRequest\b|\bnew WebSocket\(|\baxios\b|['"](?:node:)?(?:https?|http2|net|dgram|tls|undici|got|node-fetch|ws)['"]/gm,
  },
  {
    only: ['rb'],
    pattern:
      /\bNet::(?:HTTP|FTP|SMTP)\b|\b(?:TCP|UDP)Socket\b|['"](?:open-uri|net\/\w{1,10}|socket|httparty|faraday)['"]/gm,
  },
  { only: ['pl'], pattern: /\b(?:LWP::|HTTP::Tiny|IO::Socket|Net::\w|WWW::Mechanize)/gm },
  {
    only: ['php'],
    pattern:
      /\b(?:curl_init|curl_exec|fsockopen|stream_socket_client|socket_create)\(|\b(?:file_get_contents|fopen|copy)\([ \t]{0,9}['"]https?:/gm,
  },
]

const DOWNLOAD_AND_RUN: readonly Test[] = [
  { pattern: { first: /\b(?:curl|wget)\b/gm, later: INTO_SHELL } },
  {
    pattern: {
      first: /\b(?:ba|z|da|k)?sh\b|\bsource\b|\beval\b|^[ \t]{0,40}\.[ \t]/gm,
      later: /(?:<\(|\$\(|`)[ \t]{0,9}(?:curl|wget)\b/gm,
    },
  },
  {
    pattern: {
      first: /\b(?:python[0-9.]{0,5}|node|perl|ruby|php)[ \t]{1,9}-\w/gm,
      later: /\$\([ \t]{0,9}(?:curl|wget)\b/gm,
    },
  },
  {
    pattern: {
      first: /\b(?:curl|wget)\b/gm,
      later: /(?:&&|;)\s{0,20}(?:sudo\s{1,5})?(?:(?:ba|z|da|k)?sh[ \t]|chmod[ \t]{1,9}\S{0,9}x|\.\/)/gm,
    },
  },
  {
    pattern: {
      first: /\b(?:exec|eval|compile|Function|runInNewContext|runInThisContext|instance_eval)\b/gm,
      later:
        /\b(?:urlopen|requests\.get|httpx\.get|fetch|axios|Net::HTTP|URI\.open|LWP::Simple|file_get_contents\([ \t]{0,9}['"]https?)\b/gm,
    },
  },
  {
    pattern: {
      first: /\b(?:Invoke-WebRequest|iwr|DownloadString)\b/gm,
      later: /\b(?:iex|Invoke-Expression)\b/gm,
    },
  },
]

const INSTALL: readonly Test[] = [
  {
    pattern:
      /\b(?:pip[0-9.]{0,5}|pipx|uv|conda|mamba|gem|cargo|go|brew|apt|apt-get|dnf|yum|zypper|port|snap|flatpak|choco|winget|scoop|composer|poetry|bundle|cpan|cpanm|npm|pnpm|yarn|bun)[ \t]{1,9}(?:-[\w=-]{1,30}[ \t]{1,9}){0,4}(?:pip[ \t]{1,9})?(?:install|add|require|ci|i)(?=[\s"';]|$)/gm,
  },
  {
    pattern:
      /\b(?:npx|uvx|pnpx|bunx)[ \t]{1,9}[\w@-]|\b(?:npm|yarn|pnpm)[ \t]{1,9}(?:dlx|exec)\b|\bapk[ \t]{1,9}add\b|\bpacman[ \t]{1,9}-S/gm,
  },
  {
    pattern:
      /["'](?:pip[0-9.]{0,5}|npm|yarn|pnpm|gem|cargo|brew|apt|apt-get|go|uv)["'][ \t]{0,9},[ \t]{0,9}["'](?:install|add|ci|i)["']|\bpip\.main\(|\bensurepip\b/gm,
  },
]

const PUBLISH: readonly Test[] = [
  { pattern: { first: /\bgit\b/gm, near: /^[^|;&\n]{0,120}\bpush\b/gm } },
  {
    pattern:
      /\b(?:npm|yarn|pnpm|cargo|poetry|uv|flit)[ \t]{1,9}publish\b|\btwine[ \t]{1,9}upload\b|\bgem[ \t]{1,9}push\b|\bdocker[ \t]{1,9}(?:image[ \t]{1,9})?push\b/gm,
  },
  {
    pattern:
      /\b(?:gh|glab)[ \t]{1,9}(?:release|pr|mr|repo|gist|issue)[ \t]{1,9}(?:create|merge|edit|delete|upload|close)\b|["'](?:npm|cargo|yarn|twine)["'][ \t]{0,9},[ \t]{0,9}["'](?:publish|upload)["']/gm,
  },
]

const LINKED_CODE: readonly Test[] = [
  {
    pattern: {
      first: /\bimport\b|\bfrom\b|\brequire\(|\bimportScripts\(/gm,
      near: /^[^\n]{0,200}['"`]https?:\/\//gm,
    },
    only: ['js'],
  },
  {
    pattern:
      /\b(?:deno|bun|node|ruby|python[0-9.]{0,5})[ \t]{1,9}(?:run[ \t]{1,9})?(?:-[\w=-]{1,40}[ \t]{1,9}){0,9}["']?https?:\/\//gm,
  },
  {
    pattern: {
      first: /\b(?:pip[0-9.]{0,5}|uv|npm|pnpm|yarn|npx|uvx|pipx|gem|cargo|go)\b/gm,
      near: /^[^\n|;]{0,120}(?:git\+)?(?:https?|ssh|git):\/\//gm,
    },
  },
  { pattern: /\b(?:include|require)(?:_once)?[ (]{1,4}['"]https?:\/\//gm, only: ['php'] },
  { pattern: /(?:\b(?:ba|z)?sh|\bsource)[ \t]{1,9}["']?https?:\/\//gm },
]

/** Rules about what a script fetches, sends, installs or publishes. */
export const REACH_RULES: readonly Rule[] = [
  {
    id: 'download-exec',
    level: 'serious',
    title: 'Downloads code and runs it',
    text: 'What runs then was never reviewed, and it can change at any time.',
    tests: DOWNLOAD_AND_RUN,
  },
  {
    id: 'code-from-link',
    level: 'serious',
    title: 'Takes code from an address',
    text: 'A script or package is fetched over a link when it runs. It is not part of the copy you see.',
    tests: LINKED_CODE,
  },
  {
    id: 'network',
    level: 'notable',
    title: 'Uses the network',
    text: 'It can send what it reads, or fetch something new.',
    tests: NETWORK,
    adjust: (input, level) =>
      input.network === 'off' && input.sandbox !== 'none'
        ? { level: 'information', note: 'The network is off for this run, so this will fail.' }
        : { level, note: '' },
  },
  {
    id: 'package-install',
    level: 'notable',
    title: 'Installs packages',
    text: 'Packages run code of their own while they are installed.',
    tests: INSTALL,
  },
  {
    id: 'publish',
    level: 'notable',
    title: 'Pushes or publishes',
    text: 'Others will see the result, and it may not be possible to take it back.',
    tests: PUBLISH,
  },
]
