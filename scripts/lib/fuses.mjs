// Which switches are set for good inside the Electron executable of a package, in one place. Pure.
import { FuseState, FuseV1Options, FuseVersion } from '@electron/fuses'

/** @typedef {Record<keyof typeof FuseV1Options, boolean>} Fuses */

/**
 * Of a release (security.md 2.3). Each fuse that Electron has must be named: a new one fails until it is decided.
 * @type {Fuses}
 */
export const releaseFuses = {
  RunAsNode: false,
  EnableCookieEncryption: true,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  GrantFileProtocolExtraPrivileges: false,
  // Speed only: without it the engine checks each access of WebAssembly itself.
  WasmTrapHandlers: true,
}

/**
 * Of the folder that `npm run pack:check` makes: those of a release but for the two that want an archive.
 * @type {Fuses}
 */
export const unpackedFuses = {
  ...releaseFuses,
  EnableEmbeddedAsarIntegrityValidation: false,
  OnlyLoadAppFromAsar: false,
}

/**
 * As Electron comes in what the checks attack, so that each attack can be seen to work without the fuse.
 * @type {Fuses}
 */
export const openFuses = {
  ...unpackedFuses,
  RunAsNode: true,
  EnableNodeOptionsEnvironmentVariable: true,
  EnableNodeCliInspectArguments: true,
}

/**
 * What @electron/fuses is to write. Fuses that this Electron does not have yet are left out, one that the list does
 * not name makes it throw.
 * @param {Fuses} fuses
 * @param {FuseWire} wire as it is now
 * @returns {import('@electron/fuses').FuseV1Config}
 */
export function fuseConfig(fuses, wire) {
  const known = entries(fuses).filter(([option]) => wire[option] !== undefined)
  const config = { version: FuseVersion.V1, strictlyRequireAllFuses: true, ...Object.fromEntries(known) }
  return /** @type {import('@electron/fuses').FuseV1Config} */ (config)
}

/**
 * @typedef {Partial<Record<FuseV1Options, number>> & { version: string }} FuseWire as `getCurrentFuseWire` reads it
 *
 * Compares the wire inside an executable with the list, byte by byte.
 * @param {FuseWire} wire
 * @param {Fuses} fuses
 * @returns {{ differences: string[], absent: string[] }} absent: fuses that this Electron does not have yet, which
 *   only a runtime that is not for release may lack
 */
export function compareWire(wire, fuses) {
  const wanted = entries(fuses)
  const names = new Map(wanted.map(([option]) => [String(option), FuseV1Options[option]]))
  const unnamed = Object.keys(wire).filter((key) => key !== 'version' && !names.has(key))
  const found = wanted.filter(([option]) => wire[option] !== undefined)
  return {
    differences: [
      ...(Number(wire.version) === Number(FuseVersion.V1) ? [] : [`the wire has version ${wire.version}`]),
      ...unnamed.map((key) => `fuse ${key} is not in the list`),
      ...found
        .filter(([option, isOn]) => wire[option] !== (isOn ? FuseState.ENABLE : FuseState.DISABLE))
        .map(([option, isOn]) => `${FuseV1Options[option]} is not ${isOn ? 'on' : 'off'}`),
    ],
    absent: wanted
      .filter(([option]) => wire[option] === undefined)
      .map(([option]) => FuseV1Options[option] ?? ''),
  }
}

/**
 * @param {Fuses} fuses
 * @returns {[FuseV1Options, boolean][]}
 */
function entries(fuses) {
  const names = /** @type {(keyof Fuses)[]} */ (Object.keys(fuses))
  return names.map((name) => [FuseV1Options[name], fuses[name]])
}
