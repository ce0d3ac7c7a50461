// What Electron and the tests need from a Linux machine, and which packages bring it. Pure decisions.

/**
 * @typedef {{ name: string, deb: string, debT64?: string }} Library soname and Debian package
 * @typedef {{ name: string, deb: string, rpm: string }} Program name on PATH and packages
 * @typedef {{ libraries: Library[], programs: Program[] }} Missing
 * @typedef {{ id: string, like: string[], codename: string }} Distribution
 */

/**
 * The sonames Electron is linked against (`objdump -p electron | grep NEEDED`). `debT64` is the name since
 * Debian 13 and Ubuntu 24.04, where libraries were renamed for 64-bit time.
 * @type {readonly Library[]}
 */
export const libraries = [
  { name: 'libgtk-3.so.0', deb: 'libgtk-3-0', debT64: 'libgtk-3-0t64' },
  { name: 'libnss3.so', deb: 'libnss3' },
  { name: 'libnspr4.so', deb: 'libnspr4' },
  { name: 'libgbm.so.1', deb: 'libgbm1' },
  { name: 'libdrm.so.2', deb: 'libdrm2' },
  { name: 'libasound.so.2', deb: 'libasound2', debT64: 'libasound2t64' },
  { name: 'libglib-2.0.so.0', deb: 'libglib2.0-0', debT64: 'libglib2.0-0t64' },
  { name: 'libdbus-1.so.3', deb: 'libdbus-1-3' },
  { name: 'libatk-1.0.so.0', deb: 'libatk1.0-0', debT64: 'libatk1.0-0t64' },
  { name: 'libatk-bridge-2.0.so.0', deb: 'libatk-bridge2.0-0', debT64: 'libatk-bridge2.0-0t64' },
  { name: 'libatspi.so.0', deb: 'libatspi2.0-0', debT64: 'libatspi2.0-0t64' },
  { name: 'libcups.so.2', deb: 'libcups2', debT64: 'libcups2t64' },
  { name: 'libpango-1.0.so.0', deb: 'libpango-1.0-0' },
  { name: 'libcairo.so.2', deb: 'libcairo2' },
  { name: 'libX11.so.6', deb: 'libx11-6' },
  { name: 'libxcb.so.1', deb: 'libxcb1' },
  { name: 'libXcomposite.so.1', deb: 'libxcomposite1' },
  { name: 'libXdamage.so.1', deb: 'libxdamage1' },
  { name: 'libXext.so.6', deb: 'libxext6' },
  { name: 'libXfixes.so.3', deb: 'libxfixes3' },
  { name: 'libXrandr.so.2', deb: 'libxrandr2' },
  { name: 'libxkbcommon.so.0', deb: 'libxkbcommon0' },
  { name: 'libexpat.so.1', deb: 'libexpat1' },
  { name: 'libudev.so.1', deb: 'libudev1' },
]

/**
 * Xvfb carries the tests, xvfb-run needs xauth (which the xvfb package only recommends), bwrap is the sandbox
 * for skill scripts, python3 runs those that are Python.
 * @type {readonly Program[]}
 */
export const programs = [
  { name: 'Xvfb', deb: 'xvfb', rpm: 'xorg-x11-server-Xvfb' },
  { name: 'xauth', deb: 'xauth', rpm: 'xorg-x11-xauth' },
  { name: 'bwrap', deb: 'bubblewrap', rpm: 'bubblewrap' },
  { name: 'python3', deb: 'python3', rpm: 'python3' },
]

/** Releases from before the t64 renaming; everything newer, testing and sid have the new names. */
const oldReleases = new Set(
  'stretch buster bullseye bookworm xenial bionic focal impish jammy kinetic lunar mantic'.split(' '),
)

/**
 * Sonames of the given architecture in what `ldconfig -p` printed.
 * @param {string} text
 * @param {string} arch as in process.arch
 * @returns {Set<string>}
 */
export function sonamesIn(text, arch) {
  const tag = { x64: 'x86-64', arm64: 'AArch64' }[arch]
  const found = new Set()
  for (const line of text.split('\n')) {
    const match = /^\s+(\S+) \(([^)]*)\)/.exec(line)
    if (match?.[1] && (!tag || match[2]?.includes(tag))) found.add(match[1])
  }
  return found
}

/**
 * @param {{ sonames: Set<string> | null, hasProgram: (name: string) => boolean }} found sonames is null where the
 *   loader's cache can't be read; then only programs are judged
 * @returns {Missing}
 */
export function findMissing({ sonames, hasProgram }) {
  return {
    libraries: sonames ? libraries.filter((library) => !sonames.has(library.name)) : [],
    programs: programs.filter((program) => !hasProgram(program.name)),
  }
}

/**
 * @param {string} text /etc/os-release
 * @returns {Distribution}
 */
export function readOsRelease(text) {
  /** @type {Record<string, string>} */
  const values = {}
  for (const line of text.split('\n')) {
    const match = /^([A-Z_]+)=(["']?)(.*?)\2\s*$/.exec(line)
    if (match?.[1]) values[match[1]] = match[3] ?? ''
  }
  return {
    id: values['ID'] ?? '',
    like: (values['ID_LIKE'] ?? '').split(' ').filter(Boolean),
    codename: values['UBUNTU_CODENAME'] ?? values['DEBIAN_CODENAME'] ?? values['VERSION_CODENAME'] ?? '',
  }
}

/**
 * @param {Distribution} distribution
 * @returns {'apt' | 'dnf' | null}
 */
export function packageTool({ id, like }) {
  const names = new Set([id, ...like])
  if (names.has('debian') || names.has('ubuntu')) return 'apt'
  return ['fedora', 'rhel', 'centos'].some((name) => names.has(name)) ? 'dnf' : null
}

/**
 * Debian package names of what is missing, in a steady order, each once.
 * @param {Missing} missing
 * @param {Distribution} distribution
 */
export function debianPackages(missing, distribution) {
  const renamed = !oldReleases.has(distribution.codename)
  const names = [
    ...missing.libraries.map((library) => (renamed && library.debT64) || library.deb),
    ...missing.programs.map((program) => program.deb),
  ]
  return [...new Set(names)]
}

/**
 * The one command a person runs to get what is missing, or null on a system whose package tool is not known.
 * @param {Missing} missing
 * @param {Distribution} distribution
 * @param {boolean} isRoot
 */
export function installCommand(missing, distribution, isRoot) {
  const tool = packageTool(distribution)
  const sudo = isRoot ? '' : 'sudo '
  if (tool === 'apt') {
    const names = debianPackages(missing, distribution).join(' ')
    return `${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends ${names}`
  }
  if (tool === 'dnf') {
    // dnf finds the package that provides a soname.
    const names = missing.libraries.map((library) => `'${library.name}()(64bit)'`)
    return `${sudo}dnf install -y ${[...names, ...missing.programs.map((program) => program.rpm)].join(' ')}`
  }
  return null
}

/** @param {Missing} missing */
export function missingNames(missing) {
  return [...missing.libraries, ...missing.programs].map((need) => need.name).join(', ')
}

/** @param {Missing} missing */
export function isComplete(missing) {
  return missing.libraries.length + missing.programs.length === 0
}
