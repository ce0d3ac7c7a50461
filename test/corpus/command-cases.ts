/** Commands that a person has allowed by rules, each for exactly its own text (`security.md` 5). */
export const ALLOWED = [
  'git status',
  'git log',
  'git diff',
  'ls',
  'echo x',
  'cat x',
  'find .',
  'sort x',
  'sed p x',
  'tar cf x y',
  'env',
  'rg x',
  'python3 scripts/a.py',
] as const

/** A command that those rules must not cover. */
export interface CommandCase {
  id: string
  text: string
  /**
   * Each part is a plain command that a person can read, so it may be remembered as a whole; of the others not even a
   * rule for exactly this text counts.
   */
  isPlain?: true
}

export const COMMAND_CASES: readonly CommandCase[] = [
  { id: 'A1', text: 'git status && touch PWN' },
  { id: 'A2', text: 'ls; touch PWN', isPlain: true },
  { id: 'A3', text: 'echo x | sh -c "touch PWN"' },
  { id: 'A4', text: 'ls\ntouch PWN', isPlain: true },
  { id: 'A5', text: 'ls & touch PWN', isPlain: true },
  { id: 'A6', text: 'echo $(touch PWN)' },
  { id: 'A7', text: 'echo `touch PWN`' },
  { id: 'A8', text: 'echo "$(touch PWN)"' },
  { id: 'A9', text: 'cat <(touch PWN)' },
  { id: 'A10', text: 'echo x > PWN' },
  { id: 'A10', text: 'echo x >| PWN' },
  { id: 'A10', text: 'echo x >> PWN' },
  { id: 'A11', text: 'cat <<E\n$(touch PWN)\nE' },
  { id: 'A12', text: 'ls () { touch PWN; }; ls' },
  { id: 'A13', text: 'echo $((a[$(touch PWN)]))' },
  { id: 'A13', text: "printf -v 'a[$(touch PWN)]' x" },
  { id: 'A14', text: 'echo ${x:=$(touch PWN)}' },
  { id: 'A14', text: "x='$(touch PWN)'; echo ${x@P}" },
  { id: 'A15', text: '{touch,PWN}' },
  { id: 'A15', text: "$'touch' PWN" },
  { id: 'A15', text: 'ls${IFS}PWN' },
  { id: 'A16', text: 'find . -fprintf PWN x' },
  { id: 'A16', text: 'find . -exec touch PWN ;' },
  { id: 'A16', text: 'find . -delete' },
  { id: 'A17', text: 'git log --output=PWN' },
  { id: 'A17', text: 'git diff --no-index --output=PWN a b' },
  { id: 'A17', text: 'git -c core.pager="touch PWN" log' },
  { id: 'A17', text: 'git diff --ext-diff' },
  { id: 'A18', text: 'env -S "touch PWN"' },
  { id: 'A18', text: 'env touch PWN' },
  { id: 'A19', text: 'sort -o PWN x' },
  { id: 'A19', text: "sed 'w PWN' x" },
  { id: 'A19', text: "sed '1e touch PWN' x" },
  { id: 'A19', text: 'tar cf x y --checkpoint-action=exec=touch' },
  { id: 'A19', text: 'tar cf x y --checkpoint-act=exec=touch' },
  { id: 'A20', text: 'rg --pre ./pre.sh x' },
  { id: 'A21', text: 'ls_evil', isPlain: true },
  { id: 'A22', text: 'python3 scripts/../evil.py' },
  { id: 'A23', text: 'python3 scripts/link.py' },
  { id: 'A24', text: 'ls\rtouch PWN' },
  { id: 'A24', text: 'ls\u2028touch PWN' },
  { id: 'A24', text: 'ls\0touch PWN' },
  { id: 'A24', text: 'ls\u00a0touch PWN' },
  { id: 'A24', text: 'ls \\' },
  { id: 'A25', text: `${'true;'.repeat(60)}touch PWN` },
]
