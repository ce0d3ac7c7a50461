import type { FindingsInput, Level, Rule, Test } from './rule'

/** A path that is clearly not in the project: the root, a home folder, or two folders up. */
const OUTSIDE = String.raw`(?:~[/\w]|\$\{?HOME\b|/(?!dev/(?:null|stdout|stderr|fd)\b|tmp/|var/tmp/)\w|(?:\.\./){2})`
const quoted = (inner: string): string => `["']?${inner}`

const WRITES_OUTSIDE: readonly Test[] = [
  { pattern: new RegExp(String.raw`(?:[^-=<>]|^)>{1,2}\|?[ \t]{0,9}${quoted(OUTSIDE)}`, 'gm'), only: ['sh'] },
  {
    pattern: {
      first: /\b(?:rm|rmdir|mv|cp|tee|touch|mkdir|ln|install|truncate|shred|dd|unlink)[ \t]/gm,
      near: new RegExp(String.raw`^[^|;&\n]{0,300}?(?<![\w./])${quoted(OUTSIDE)}`, 'gm'),
    },
    only: ['sh'],
  },
  {
    pattern: {
      first:
        /\b(?:open|Path|write_text|writeFile(?:Sync)?|appendFile(?:Sync)?|createWriteStream|unlink(?:Sync)?|rm(?:Sync|tree)?|rename(?:Sync)?|mkdir(?:Sync|_p)?|makedirs|remove|move|copy\w{0,8}|cp(?:Sync)?|delete|rm_r?f?|file_put_contents|fopen|File\.(?:write|open))\(/gm,
      near: new RegExp(String.raw`^[^\n]{0,200}?["'\x60]${OUTSIDE}[^\n]{0,200}`, 'gm'),
    },
    only: ['py', 'js', 'rb', 'pl', 'php'],
  },
  {
    pattern: /\b(?:expanduser\([ \t]{0,9}['"]~|Path\.home\(\)|homedir\(\)|Dir\.home\b)/gm,
    only: ['py', 'js', 'rb'],
  },
]

const RECURSIVE_DELETE: readonly Test[] = [
  {
    pattern: {
      first: /\brm[ \t]{1,9}-\w{0,8}[rR]/gm,
      near: /^[^|;&\n]{0,200}?[ \t]["']?(?:\/(?=["' \t;]|\*|$)|~|\$\{?HOME|\$\{\w{1,40}:-|"?\$\w{1,40}\/(?=["'*\s]|$))/gm,
    },
    level: 'serious',
    text: 'If a name in it is empty or wrong, it deletes a whole home folder or disk.',
  },
  { pattern: /\brm[ \t]{1,9}(?:-\w{1,8}[ \t]{1,9}){0,3}(?:-\w{0,8}[rR]|--recursive)/gm },
  {
    pattern:
      /\bshutil\.rmtree\b|\brmtree\(|\brimraf\b|\bFileUtils\.(?:rm_r|rm_rf|remove_dir|remove_entry)\b|\bremove_tree\(|\b(?:rm|del|rd)[ \t]\/s\b/gm,
  },
  { pattern: { first: /\b(?:rm|rmSync|rmdir|rmdirSync)\(/gm, later: /\brecursive\b/gm }, only: ['js'] },
  { pattern: { first: /\bfind\b/gm, later: /-delete\b|-exec[ \t]{1,9}rm\b/gm } },
  { pattern: /["']rm["'][ \t]{0,9},[ \t]{0,9}["']-\w{0,8}[rR]|\bgit[ \t]{1,9}clean[ \t]{1,9}-\w{0,6}f/gm },
]

const PERMISSIONS: readonly Test[] = [
  { pattern: /\b(?:chmod|chown|chgrp|setfacl|chattr|setcap|icacls)[ \t]{1,9}\S/gm },
  {
    pattern:
      /\b(?:l?chmod(?:Sync)?|l?chown(?:Sync)?|fchmod(?:Sync)?)[ \t]{0,9}\(|\bFile\.ch(?:mod|own)\b|\bFileUtils\.ch(?:mod|own)\w{0,3}\b/gm,
  },
  { pattern: /\bumask[ \t]{1,9}0|["'](?:chmod|chown|chgrp)["']/gm },
]

const SECRETS: readonly Test[] = [
  {
    pattern:
      /\.ssh\b(?!\w)|\bid_(?:rsa|ed25519|ecdsa|dsa)\b|\.gnupg\b|\.aws\/|\.aws["']|\.azure\b|\.config\/gcloud|\.kube\/config|\.kube["']|\.docker\/config|\.netrc\b|\.pgpass\b|\.git-credentials\b|\.npmrc\b|\.pypirc\b|\.password-store\b|\.vault-token\b/gm,
  },
  {
    pattern:
      /\/etc\/(?:shadow|gshadow|sudoers)\b|\bsecurity[ \t]{1,9}(?:find-|dump-keychain)|\bLibrary\/Keychains\b|\bsecret-tool\b|\bcmdkey\b|\blogin\.keychain/gm,
  },
  {
    pattern:
      /\bLogin Data\b|\bkey[34]\.db\b|\blogins\.json\b|\bcookies\.sqlite\b|\.mozilla\/firefox|\bgoogle-chrome\b|\bGoogle\/Chrome\b|\bBraveSoftware\b|\bLocal State\b/gm,
  },
  {
    pattern:
      /\bwallet\.dat\b|\.bitcoin\b|\.ethereum\b|\.electrum\b|\bkeystore\/UTC|\.solana\b|\bmetamask\b|\bExodus\/exodus|\bLedger Live\b/gim,
  },
]

/** What writes, so that reading SKILL.md stays unremarkable. */
const WRITE_WORDS =
  /(?:[^-=<>]|^)>{1,2}(?=[ \t]{0,9}["'$\w~./])|\b(?:tee|cp|mv|rm|ln|truncate|install|patch)\b|\bsed[ \t]{1,9}-\w{0,6}i|\bwrite\w{0,12}\b|\bappendFile\w{0,4}\b|\bunlink\w{0,4}\b|\brename\w{0,4}\b|\bremove\w{0,6}\b|\bshutil\b|\bfile_put_contents\b|,[ \t]{0,9}['"][wax]b?\+?['"]/gm
const SKILL_PATHS = /SKILL\.md|\.(?:satchel|claude|agents|codex|cursor)\/skills/gm

const CHANGES_SKILLS: readonly Test[] = [
  { pattern: { first: SKILL_PATHS, later: WRITE_WORDS } },
  { pattern: { first: WRITE_WORDS, later: SKILL_PATHS } },
  { pattern: /\.(?:satchel|claude|agents|codex|cursor)["'][ \t]{0,9}[,/][ \t]{0,9}["']skills/gm },
]

const PERSISTENCE: readonly Test[] = [
  {
    pattern:
      /\bcrontab[ \t]{1,9}(?!-l\b)\S|\/etc\/cron|\/var\/spool\/cron|\/etc\/rc\.local|\/etc\/profile|\/etc\/init\.d|\bsystemctl[ \t]{1,9}(?:--\w{1,9}[ \t]{1,9})?(?:enable|link)\b|\/systemd\/(?:user|system)\b/gm,
  },
  {
    pattern:
      /\.(?:bashrc|bash_profile|bash_login|zshrc|zprofile|zshenv|zlogin|profile|xinitrc|xprofile|config\/fish)\b/gm,
  },
  {
    pattern:
      /\bLaunch(?:Agents|Daemons)\b|\blaunchctl[ \t]{1,9}(?:load|bootstrap|submit|enable)\b|\.config\/autostart\b|\bschtasks\b|\bCurrentVersion\\{1,2}Run\b|\bStartup\\{1,2}/gm,
  },
  {
    pattern: /\.git\/hooks\b|\bcore\.hooksPath\b|\bauthorized_keys\b|\bLD_PRELOAD=|\/etc\/ld\.so\.preload/gm,
  },
]

/** Rules about files: what is written, deleted, read or made permanent. */
export const FILE_RULES: readonly Rule[] = [
  {
    id: 'secret-locations',
    level: 'serious',
    title: 'Names places where keys are kept',
    text: 'Keys, browser data or wallets are stored there.',
    tests: SECRETS,
    args: true,
  },
  {
    id: 'changes-skills',
    level: 'serious',
    title: 'Changes skills',
    text: 'It writes to SKILL.md or to a skills folder, so it could change what agents do later.',
    tests: CHANGES_SKILLS,
  },
  {
    id: 'persistence',
    level: 'serious',
    title: 'Sets something up to run later',
    text: 'It touches a place from which programs start by themselves.',
    tests: PERSISTENCE,
  },
  {
    id: 'recursive-delete',
    level: 'notable',
    title: 'Deletes whole folders',
    text: 'Everything in them goes. Check which folder that is.',
    tests: RECURSIVE_DELETE,
  },
  {
    id: 'writes-outside',
    level: 'notable',
    title: 'Writes or deletes outside the project',
    text: 'The path lies outside the folders that this run may write to.',
    tests: WRITES_OUTSIDE,
    adjust: outsideLevel,
  },
  {
    id: 'permissions',
    level: 'notable',
    title: 'Changes permissions',
    text: 'It changes who may read, write or run a file.',
    tests: PERMISSIONS,
  },
]

function outsideLevel(input: FindingsInput, level: Level): { level: Level; note: string } {
  if (input.sandbox === 'none')
    return { level: 'serious', note: 'Nothing stops it: this run is not sandboxed.' }
  return { level, note: 'The sandbox refuses it.' }
}
