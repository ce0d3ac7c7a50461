import { hiddenCharacters, lookAlikes, visibleText } from '@shared/visible-text'
import type { Checked, FindingsInput, Rule, Test } from './rule'

const PROGRAMS: readonly Test[] = [
  {
    pattern:
      /\bsubprocess\b|\bos\.(?:system|popen|exec\w{1,4}|spawn\w{1,4}|posix_spawn)\(|\bpty\.spawn\(|\bcreate_subprocess_\w{4,5}\(/gm,
    only: ['py'],
  },
  {
    pattern:
      /\bchild_process\b|\b(?:exec|spawn|fork|execFile)(?:Sync)?\(|\bexeca\b|\bBun\.spawn|\bDeno\.(?:run|Command)\b/gm,
    only: ['js'],
  },
  {
    pattern:
      /\b(?:system|spawn|exec|popen)[ (]["']|\bOpen3\b|\bIO\.popen\b|\bKernel\.(?:system|exec|spawn)\b|%x[{(["[]|=[ \t]{0,9}`[^`\n]{1,300}`/gm,
    only: ['rb'],
  },
  {
    pattern:
      /\b(?:system|exec)[ (]{1,3}["'$@]|\bqx[ ]?[{(/|]|=[ \t]{0,9}`[^`\n]{1,300}`|\bopen[ (][^\n;]{1,80}["'](?:-\||\|)/gm,
    only: ['pl'],
  },
  {
    pattern:
      /\b(?:exec|shell_exec|system|passthru|proc_open|popen|pcntl_exec)\(|=[ \t]{0,9}`[^`\n]{1,300}`/gm,
    only: ['php'],
  },
  {
    pattern:
      /(?:^|[|;&(`]|\$\()[ \t]{0,40}(?:exec[ \t]{1,9}|nohup[ \t]{1,9}|xargs[ \t]{1,9}(?:-\w{1,9}[ \t]{1,9}){0,4})?(?:\/\S{1,80}\/)?(?:python[0-9.]{0,5}|node|deno|bun|perl|ruby|php|java|(?:ba|z|da|k)?sh|docker|podman|kubectl|helm|terraform|osascript|powershell|pwsh|open|xdg-open|make)(?:[ \t]{1,9}\S|$)/gm,
    only: ['sh'],
  },
  {
    pattern:
      /\bnohup[ \t]|\bsetsid[ \t]|\bxargs[ \t]{1,9}(?:-\w{1,9}[ \t]{1,9}){0,4}[a-z]|-exec(?:dir)?[ \t]{1,9}\w/gm,
    only: ['sh'],
  },
]

const INTERPOLATION: readonly Test[] = [
  {
    pattern:
      /\bshell[ \t]{0,9}=[ \t]{0,9}True\b|\bos\.(?:system|popen)\([ \t]{0,9}(?:f["']|[A-Za-z_]|["'][^"'\n]{0,200}["'][ \t]{0,9}(?:%|\+|\.format))/gm,
    only: ['py'],
  },
  {
    pattern:
      /\bexec(?:Sync)?\([ \t]{0,9}(?:`[^`\n]{0,300}\$\{|[a-z_$][\w$]{0,60}[ \t]{0,9}[,+)]|["'][^"'\n]{0,200}["'][ \t]{0,9}\+)|\bshell[ \t]{0,9}:[ \t]{0,9}true\b/gm,
    only: ['js'],
  },
  {
    pattern:
      /\b(?:system|exec|spawn|popen)[ (]{1,3}"[^"\n]{0,200}#\{|`[^`\n]{0,200}#\{|%x[{(][^\n]{0,200}#\{/gm,
    only: ['rb'],
  },
  {
    pattern:
      /\b(?:system|exec)[ (]{1,3}(?:"[^"\n]{0,200}\$\w|\$\w)|`[^`\n]{0,200}\$\w|\bqx[ ]?[{(/|][^\n]{0,200}\$\w/gm,
    only: ['pl'],
  },
  {
    pattern:
      /\b(?:exec|shell_exec|system|passthru|popen)\([ \t]{0,9}(?:\$\w|"[^"\n]{0,200}\$\w|["'][^"'\n]{0,200}["'][ \t]{0,9}\.)/gm,
    only: ['php'],
  },
  {
    pattern:
      /\beval[ \t]{1,9}["']?[$`]|\b(?:ba|z|da|k)?sh[ \t]{1,9}-\w{0,4}c[ \t]{1,9}(?:"[^"\n]{0,200}[$`]|\$)/gm,
  },
]

const ENCODED: readonly Test[] = [
  {
    pattern: {
      first: /\bbase64[ \t]{1,9}(?:-d|-D|--decode)|\bxxd[ \t]{1,9}-\w{0,4}r|\bopenssl[ \t]{1,9}enc\b/gm,
      later: /\|[ \t]{0,9}(?:sudo[ \t]{1,5})?(?:(?:ba|z|da|k)?sh|python[0-9.]{0,5}|node|perl)\b/gm,
    },
    level: 'serious',
    text: 'Text is decoded and run at once, so what runs can not be read here.',
  },
  {
    pattern: {
      first: /\b(?:exec|eval|compile|Function)[ \t]{0,9}\(/gm,
      later:
        /\b(?:b64decode|atob|fromhex|unhexlify|decompress|base64_decode|gzinflate|str_rot13|marshal\.loads|unpack|Buffer\.from)\b/gm,
    },
    level: 'serious',
    text: 'Text is decoded and run at once, so what runs can not be read here.',
  },
  {
    pattern:
      /\bbase64[ \t]{1,9}(?:-d|-D|--decode)|\bxxd[ \t]{1,9}-\w{0,4}r|\bb64decode\(|\batob\(|\bunhexlify\(|\bmarshal\.loads\(|\bbase64_decode\(|\bgzinflate\(|\bBase64\.(?:strict_)?decode64|\bdecode_base64\(|['"]base64['"][ \t]{0,9}\)/gm,
  },
  {
    pattern: /(?:\\x[0-9a-fA-F]{2}){12}|(?:\\u[0-9a-fA-F]{4}){8}|(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{180}/gm,
    text: 'A long run of encoded characters can not be read here.',
  },
  {
    pattern: /^[^\n]{1000}/gm,
    text: 'A line is longer than 1,000 characters. Scroll to its end, or wrap lines.',
  },
]

const ROOT: readonly Test[] = [
  { pattern: /(?:^|[|;&(`"']|\$\(|\bthen\b|\bdo\b)[ \t]{0,40}(?:sudo|doas|pkexec|gsudo)(?=[ \t"'])/gm },
  {
    pattern:
      /(?:^|[|;&("'])[ \t]{0,40}su[ \t]{1,9}(?:-|root\b)|["'](?:sudo|doas|pkexec)["']|\brunas[ \t]{1,9}\//gm,
  },
  {
    pattern:
      /\bos\.sete?uid\(|\bprocess\.sete?uid\(|\bposix_sete?uid\(|\bProcess::(?:UID|Sys)\b|\bchmod[ \t]{1,9}(?:[ug]{0,2}\+s|[0-7]?[4-7][0-7]{3})\b|\bwith administrator privileges\b/gm,
  },
]

const SECRET_NAME = String.raw`\w{0,40}(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_KEY|ACCESS_KEY|CREDENTIAL)\w{0,20}`
const ENVIRONMENT: readonly Test[] = [
  { pattern: new RegExp(String.raw`\$\{?${SECRET_NAME}`, 'gm'), only: ['sh'] },
  {
    pattern: new RegExp(
      String.raw`\b(?:environ|getenv|process\.env|ENV|_ENV|_SERVER)\b["'\]).[({ \t]{0,9}(?:get\([ \t]{0,9})?["']?${SECRET_NAME}`,
      'gm',
    ),
  },
  {
    pattern:
      /(?:^|[|;&(`]|\$\()[ \t]{0,40}(?:printenv|env)[ \t]{0,9}(?:[|>);`]|$)|\/proc\/(?:self|\d{1,9}|\$\$?\w{0,20})\/environ\b|\bdeclare[ \t]{1,9}-x\b|\bexport[ \t]{1,9}-p\b/gm,
  },
  {
    pattern:
      /\b(?:dict|str|print|dumps|stringify|repr|json_encode|inspect)\([ \t]{0,9}(?:os\.environ|process\.env|ENV|getenv\(\))[ \t]{0,9}[,)]|\bos\.environ\.(?:items|copy|values)\(|\bENV\.(?:to_h|each|inspect)\b|\.\.\.process\.env\b/gm,
  },
]

/** Rules about how a script works, and about the request around it. */
export const CODE_RULES: readonly Rule[] = [
  {
    id: 'hidden-characters',
    level: 'serious',
    title: 'Holds hidden characters',
    text: '',
    check: hiddenText,
  },
  {
    id: 'root',
    level: 'serious',
    title: 'Asks for root rights',
    text: 'It tries to run something with the rights of the administrator.',
    tests: ROOT,
  },
  {
    id: 'encoded',
    level: 'notable',
    title: 'Holds text that is hard to read',
    text: 'Something is decoded while it runs, so this page can not show what it is.',
    tests: ENCODED,
    check: binaryText,
  },
  {
    id: 'shell-interpolation',
    level: 'notable',
    title: 'Builds a shell command from values',
    text: 'A value with special characters could become part of the command.',
    tests: INTERPOLATION,
  },
  {
    id: 'starts-program',
    level: 'notable',
    title: 'Starts another program',
    text: 'What that program does is not part of the copy you see.',
    tests: PROGRAMS,
  },
  {
    id: 'environment-secrets',
    level: 'notable',
    title: 'Reads secrets from the environment',
    text: 'It asks for variables that usually hold keys or passwords.',
    tests: ENVIRONMENT,
  },
  {
    id: 'interpreter-place',
    level: 'notable',
    title: 'Interpreter outside the system folders',
    text: '',
    check: interpreterPlace,
  },
  {
    id: 'skill-changed-too',
    level: 'notable',
    title: 'SKILL.md changed in the same update',
    text: '',
    check: changedTogether,
  },
]

function hiddenText(input: FindingsInput): Checked | null {
  const places: readonly (readonly [string, string])[] = [
    ['The script', input.scriptText ?? ''],
    ['SKILL.md', input.skillMd ?? ''],
    ['An argument', input.args.join('\n')],
    ...(input.otherFiles ?? []).map((file) => [file.path, file.text ?? ''] as const),
  ]
  for (const [where, text] of places) {
    const hidden = hiddenCharacters(text)
    if (hidden.length > 0) {
      const list = hidden.slice(0, 3).map((h) => (h.count > 1 ? `${h.code} (${h.count} times)` : h.code))
      const more = hidden.length > 3 ? ` and ${hidden.length - 3} more kinds` : ''
      const message = `${where} holds ${list.join(', ')}${more}. They can hide or reorder what you read.`
      const line = where === 'The script' ? firstHiddenLine(text) : undefined
      return line ? { text: message, line } : { text: message }
    }
    const words = where === 'SKILL.md' ? [] : lookAlikes(text)
    if (words.length > 0)
      return {
        text: `${where} mixes look-alike letters of two alphabets, for example in “${visibleText(words[0] ?? '')}”.`,
      }
  }
  return null
}

/** The line is looked for in the first part only: the sentence above it holds anyway. */
function firstHiddenLine(text: string): number | undefined {
  const lines = text.split('\n', 5000)
  const index = lines.findIndex((line, at) => hiddenCharacters(at === 0 ? line : ` ${line}`).length > 0)
  return index < 0 ? undefined : index + 1
}

function binaryText(input: FindingsInput): { text: string } | null {
  if (input.scriptText !== null) return null
  return { text: 'The file is not text, so these rules could not read it.' }
}

const SYSTEM_PLACES =
  /^(?:\/usr\/|\/bin\/|\/sbin\/|\/System\/|\/Library\/|\/opt\/homebrew\/|\/nix\/store\/|[A-Za-z]:\\(?:Windows|Program Files)(?: \(x86\))?\\)/i

function interpreterPlace(input: FindingsInput): { text: string } | null {
  if (SYSTEM_PLACES.test(input.interpreterPath) && !input.interpreterPath.includes('/../')) return null
  return {
    text: `${input.interpreterPath} could have been put there by anyone who can write to that folder.`,
  }
}

function changedTogether(input: FindingsInput): { text: string } | null {
  if (!input.changedTogether) return null
  return { text: 'The instructions and the script changed together. Read both before you allow it.' }
}
