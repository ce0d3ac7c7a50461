import { hiddenCharacters } from '@shared/visible-text'
import { shellParts } from '../../lib/shell-parts'

/** More parts than this can't be looked over by anybody (`security.md` A25). */
const MAX_PARTS = 20

/**
 * The programs that a command starts, each as its whole words. Null when that can't be said with certainty: then only
 * a person can decide, each time (`approvals.md` 8).
 */
export function commandWords(text: string): string[][] | null {
  if (/[^\t\n\x20-\x7e\p{L}\p{N}\p{P}\p{S}]/u.test(text) || hiddenCharacters(text).length > 0) return null
  // A trailing backslash would join what follows.
  if (text.trimEnd().endsWith('\\')) return null
  const parts = shellParts(text)
  if (parts === null || parts.length === 0 || parts.length > MAX_PARTS) return null
  return parts.every(isPlain) ? parts : null
}

/** Why no rule may be made for this command; null when one may. */
export function whyNoCommandRule(text: string): string | null {
  const parts = commandWords(text)
  if (parts === null) return 'The command can’t be taken apart with certainty.'
  const unsafe = parts.find((words) => startsOthers(words))
  return unsafe ? `“${unsafe[0]}” can start other programs.` : null
}

/**
 * Whether a command begins one of its parts with these words. `unsure` where the shell could still make it so, or
 * where a program in front starts another.
 */
export function beginsWith(text: string, wanted: readonly string[]): 'yes' | 'no' | 'unsure' {
  const parts = commandWords(text)
  if (parts === null) return 'unsure'
  const answers = new Set(parts.map((words) => partBegins(words, wanted)))
  if (answers.has('yes')) return 'yes'
  return answers.has('unsure') ? 'unsure' : 'no'
}

function partBegins(words: readonly string[], wanted: readonly string[]): 'yes' | 'no' | 'unsure' {
  const [program = '', ...rest] = words
  const [first = '', ...others] = wanted
  const isProgram = program === first || nameOf(program) === first
  if (!isProgram) return STARTERS.has(nameOf(program)) ? 'unsure' : 'no'
  if (others.every((word, index) => rest[index] === word)) return 'yes'
  if (rest.some((word) => EXPANDS.test(word))) return 'unsure'
  // "git -C . push": an option may stand between the program and what it is told.
  return isSubsequence(others, rest) ? 'unsure' : 'no'
}

function isSubsequence(wanted: readonly string[], words: readonly string[]): boolean {
  let at = 0
  for (const word of words) if (word === wanted[at]) at += 1
  return at === wanted.length
}

/** What a shell replaces by something else. */
const EXPANDS = /[$*?[\]~]/

/** No redirection, no assignment in front, no word of the shell's own language, and a program that is named. */
function isPlain([program = '', ...rest]: readonly string[]): boolean {
  if ([program, ...rest].some((word) => /[<>]/.test(word))) return false
  if (program === '' || EXPANDS.test(program) || /^[A-Za-z_]\w*(?:\[.*\])?\+?=/.test(program)) return false
  return !LANGUAGE.has(program)
}

/** Programs that start what their arguments or their settings say (`approvals.md` 8, `security.md` A16 to A20). */
function startsOthers([program = '', ...args]: readonly string[]): boolean {
  const name = nameOf(program)
  if (STARTERS.has(name)) return true
  return RISKY_ARGUMENTS[name]?.test(args.join('\n')) ?? false
}

function nameOf(program: string): string {
  const name = program.slice(program.lastIndexOf('/') + 1)
  // "python3.12" is a python.
  return /^(?:python|ruby|perl|node|php|lua)[\d.]*$/.test(name) ? name.replace(/[\d.]+$/, '') : name
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const LANGUAGE = words(
  '! { } [[ [ ]] if then elif else fi for select while until do done case esac in function time coproc eval source . exec builtin command trap alias unalias export declare local readonly typeset set shopt enable hash let read mapfile printf cd pushd popd',
)

const STARTERS = words(
  'sh bash dash zsh ksh fish csh tcsh busybox pwsh powershell cmd ' +
    'python node ruby perl php lua R Rscript deno bun tsx ts-node java awk gawk mawk ' +
    'sudo doas su env xargs time nohup nice timeout setsid stdbuf parallel watch strace script chroot unshare flock ' +
    'npx npm pnpm yarn uvx uv pip pip3 pipx gem cargo go make cmake ninja gradle mvn ' +
    'git docker podman kubectl helm terraform ssh scp sftp rsync vi vim emacs ed ex less more man sed tar gdb',
)

const RISKY_ARGUMENTS: Readonly<Record<string, RegExp>> = {
  find: /^-(?:exec|execdir|ok|okdir|delete|fprint\w*|fls)/m,
  rg: /^--(?:pre|hostname-bin|search-zip)/m,
  sort: /^(?:-\w*o|--o|--co)/m,
  zip: /^-\w*T|^--unzip/m,
  curl: /^-\w*[oOK]|^--(?:output|remote|config)/m,
  wget: /./,
}
