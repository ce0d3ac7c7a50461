import { expect, test } from 'vitest'
import {
  debianPackages,
  findMissing,
  installCommand,
  isComplete,
  libraries,
  missingNames,
  packageTool,
  programs,
  readOsRelease,
  sonamesIn,
} from '../../../scripts/lib/system.mjs'

const allSonames = new Set(libraries.map((library) => library.name))
const without = (...names: string[]) => new Set([...allSonames].filter((name) => !names.includes(name)))
const everyProgram = () => true

const bookworm = { id: 'debian', like: [], codename: 'bookworm' }
const trixie = { id: 'debian', like: [], codename: 'trixie' }
const sid = { id: 'debian', like: [], codename: '' }
const jammy = { id: 'ubuntu', like: ['debian'], codename: 'jammy' }
const noble = { id: 'ubuntu', like: ['debian'], codename: 'noble' }
const mint = { id: 'linuxmint', like: ['ubuntu', 'debian'], codename: 'noble' }
const fedora = { id: 'fedora', like: [], codename: '' }
const arch = { id: 'arch', like: [], codename: '' }

test('nothing is missing when every library and program is there', () => {
  const missing = findMissing({ sonames: allSonames, hasProgram: everyProgram })
  expect(isComplete(missing)).toBe(true)
})

test.each(libraries.map((library) => library.name))('the absence of %s is noticed', (name) => {
  const missing = findMissing({ sonames: without(name), hasProgram: everyProgram })
  expect(missingNames(missing)).toBe(name)
})

test.each(programs.map((program) => program.name))('the absence of the program %s is noticed', (name) => {
  const missing = findMissing({ sonames: allSonames, hasProgram: (program) => program !== name })
  expect(missingNames(missing)).toBe(name)
})

test('programs are judged also where the libraries can not be listed', () => {
  const missing = findMissing({ sonames: null, hasProgram: () => false })
  expect(missingNames(missing)).toBe('Xvfb, xauth, bwrap, python3')
})

test('a library of another architecture does not count', () => {
  const text = [
    '2 libs found in cache',
    '\tlibgtk-3.so.0 (libc6,x86-64) => /lib/x86_64-linux-gnu/libgtk-3.so.0',
    '\tlibnss3.so (libc6) => /lib/i386-linux-gnu/libnss3.so',
    '\tlibgbm.so.1 (libc6,AArch64) => /lib/aarch64-linux-gnu/libgbm.so.1',
  ].join('\n')
  expect([...sonamesIn(text, 'x64')]).toEqual(['libgtk-3.so.0'])
  expect([...sonamesIn(text, 'arm64')]).toEqual(['libgbm.so.1'])
})

test.each([
  ['Debian 12', bookworm, 'libgtk-3-0 libasound2 xvfb bubblewrap python3'],
  ['Debian 13', trixie, 'libgtk-3-0t64 libasound2t64 xvfb bubblewrap python3'],
  ['Debian unstable', sid, 'libgtk-3-0t64 libasound2t64 xvfb bubblewrap python3'],
  ['Ubuntu 22.04', jammy, 'libgtk-3-0 libasound2 xvfb bubblewrap python3'],
  ['Ubuntu 24.04', noble, 'libgtk-3-0t64 libasound2t64 xvfb bubblewrap python3'],
  ['a distribution made from Ubuntu 24.04', mint, 'libgtk-3-0t64 libasound2t64 xvfb bubblewrap python3'],
])('on %s the packages have the names used there', (_name, distribution, expected) => {
  const missing = findMissing({
    sonames: without('libgtk-3.so.0', 'libasound.so.2'),
    hasProgram: (name) => name === 'xauth',
  })
  expect(debianPackages(missing, distribution).join(' ')).toBe(expected)
})

test('an ordinary user on Debian gets one command with sudo', () => {
  const missing = findMissing({ sonames: allSonames, hasProgram: (name) => name !== 'bwrap' })
  expect(installCommand(missing, bookworm, false)).toBe(
    'sudo apt-get update && sudo apt-get install -y --no-install-recommends bubblewrap',
  )
})

test('root on Debian gets the command without sudo', () => {
  const missing = findMissing({ sonames: without('libnss3.so'), hasProgram: everyProgram })
  expect(installCommand(missing, noble, true)).toBe(
    'apt-get update && apt-get install -y --no-install-recommends libnss3',
  )
})

test('on Fedora the command names sonames and packages of dnf', () => {
  const missing = findMissing({ sonames: without('libgtk-3.so.0'), hasProgram: (name) => name !== 'Xvfb' })
  expect(installCommand(missing, fedora, false)).toBe(
    "sudo dnf install -y 'libgtk-3.so.0()(64bit)' xorg-x11-server-Xvfb",
  )
})

test('a system whose package tool is unknown gets no made-up command', () => {
  expect(installCommand(findMissing({ sonames: new Set(), hasProgram: everyProgram }), arch, true)).toBeNull()
})

test.each([
  ['ID=debian\nVERSION_CODENAME=bookworm\n', { id: 'debian', like: [], codename: 'bookworm' }],
  [
    'ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble\nUBUNTU_CODENAME=noble',
    { id: 'ubuntu', like: ['debian'], codename: 'noble' },
  ],
  [
    'ID=linuxmint\nID_LIKE="ubuntu debian"\nVERSION_CODENAME=wilma\nUBUNTU_CODENAME=noble',
    { id: 'linuxmint', like: ['ubuntu', 'debian'], codename: 'noble' },
  ],
  ["ID='fedora'\n", { id: 'fedora', like: [], codename: '' }],
  ['', { id: '', like: [], codename: '' }],
])('os-release %j is understood', (text, expected) => {
  expect(readOsRelease(text)).toEqual(expected)
})

test.each([
  [bookworm, 'apt'],
  [mint, 'apt'],
  [fedora, 'dnf'],
  [{ id: 'rocky', like: ['rhel', 'centos', 'fedora'], codename: '' }, 'dnf'],
  [arch, null],
])('the package tool of %j is found', (distribution, expected) => {
  expect(packageTool(distribution)).toBe(expected)
})
