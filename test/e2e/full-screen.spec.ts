import { expect, tempDir, test } from '../helpers/electron'
import { allowOpenReview, dock, review, sendMessage, step, transcript, writeSkill } from '../helpers/chat'
import { violations } from '../helpers/wcag'

/** Draws with all colours, asks where the cursor is, and says its size and each key; a q ends it. */
const PROGRAM = `#!/usr/bin/env perl
use POSIX ();
$| = 1;
my ($place, $keys) = ('?', '');
system 'stty raw -echo';
sub draw {
  my $size = \`stty size\`; chomp $size;
  print "\\e[H\\e[2J\\e[1;44;37m Quill editor \\e[0m \\e]2;sudo\\a\\r\\n";
  print join '', map "\\e[\${_}m colour $_ \\e[0m", 30 .. 37;
  print "\\r\\n", join('', map "\\e[\${_}m colour $_ \\e[0m", 90 .. 97), "\\r\\n";
  print "\\e]8;;https://quill.example/help\\e\\\\help\\e]8;;\\e\\\\\\r\\n";
  print "lines $1 of it\\r\\n" if $size =~ /^(\\d+)/;
  print "cursor $place\\r\\ntyped $keys\\r\\n";
}
$SIG{WINCH} = sub { draw() };
print "\\e[?1049h";
draw();
print "\\e[3;4H\\e[6n";
while (1) {
  my $read = sysread STDIN, my $text, 100;
  next if !defined $read;
  last if !$read || $text eq 'q';
  if ($text =~ /^\\e\\[(\\d+);(\\d+)R$/) { $place .= "at $1 $2" } else { $keys .= join ',', map(ord, split //, $text), '' }
  draw();
}
print "\\e[?1049l";
system 'stty sane';
print "quill saved\\n";
`

const SKILL = {
  'SKILL.md':
    '---\nname: quill\ndescription: Sharpens quills and notes the date of sharpening.\n---\nRun `scripts/sharpen.pl`.\n',
  'scripts/sharpen.pl': PROGRAM,
}

test('a full-screen program: asked for, drawn, typed to, left by keyboard alone', async ({ launch }) => {
  const home = tempDir()
  writeSkill(home, 'quill', SKILL)
  const session = await launch({ home })
  const { page } = session
  await sendMessage(page, 'Sharpen my quills')
  await expect(dock(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Shift+A')
  await review(page).getByRole('button', { name: 'More' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Edit and run…' }).press('Enter')
  await review(page).getByRole('checkbox', { name: 'Full-screen program' }).press('Space')
  await session.shot('full-screen-asked')
  expect(await violations(page), 'asking for it').toEqual([])
  await review(page).getByRole('button', { name: 'Check the change' }).press('Enter')
  await expect(review(page)).toContainText('This is what would run now')
  await expect(review(page)).toContainText('Full-screen program: it draws the terminal')
  await expect(review(page)).toContainText('A full-screen program is never remembered.')
  await allowOpenReview(page)
  const terminal = transcript(page).getByRole('group', { name: 'Full-screen program' })
  const keys = terminal.getByRole('textbox', { name: 'Terminal input' })
  await expect(terminal).toContainText('Quill editor')
  // Its question was answered once, and the size is that of the page.
  await expect(terminal).toContainText('cursor ?at 3 4')
  await expect(terminal).not.toContainText('lines 30 of it')
  await expect(keys).not.toBeFocused()
  expect(await page.title()).not.toContain('sudo')
  await keys.focus()
  await page.keyboard.press('Control+K')
  await page.keyboard.press('a')
  await page.keyboard.press('Escape')
  await expect(terminal).toContainText('typed 11,97,27,')
  // Drawn again from the beginning: what it asked then is not answered again.
  await page.keyboard.press('Shift+Escape')
  await page.getByRole('navigation').getByRole('button', { name: 'Agents' }).press('Enter')
  await expect(terminal).toHaveCount(0)
  await page.getByRole('navigation').getByRole('button', { name: 'Chats' }).press('Enter')
  await keys.press('b')
  await expect(terminal).toContainText('typed 11,97,27,98,')
  await expect(terminal).toContainText(/cursor \?at 3 4(?!at)/)
  await session.shot('full-screen')
  expect(await violations(page), 'while it runs').toEqual([])
  await page.keyboard.press('Shift+Escape')
  await expect(keys).not.toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Stop script' })).toBeFocused()
  await keys.focus()
  await page.keyboard.press('q')
  await expect(step(page, 'run-done')).toContainText('changed by you')
  await expect(terminal).toHaveCount(0)
  await expect(transcript(page)).toContainText('quill saved')
})
