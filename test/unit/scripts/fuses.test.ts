import { FuseState, FuseV1Options, FuseVersion } from '@electron/fuses'
import { expect, test } from 'vitest'
import {
  compareWire,
  fuseConfig,
  openFuses,
  releaseFuses,
  unpackedFuses,
} from '../../../scripts/lib/fuses.mjs'
import type { Fuses, FuseWire } from '../../../scripts/lib/fuses.mjs'

/** As it stands inside an executable: 0 and 1 as characters. */
function wireOf(fuses: Fuses, length = 9): FuseWire {
  const names = Object.keys(fuses) as (keyof Fuses)[]
  const pairs = names.map((name) => [FuseV1Options[name], fuses[name] ? FuseState.ENABLE : FuseState.DISABLE])
  const kept = pairs.filter(([option]) => Number(option) < length)
  return { version: FuseVersion.V1, ...Object.fromEntries(kept) } as FuseWire
}

test('a release decides every fuse that Electron has', () => {
  const all = Object.keys(FuseV1Options).filter((name) => Number.isNaN(Number(name)))
  expect(Object.keys(releaseFuses).toSorted()).toEqual(all.toSorted())
})

test('a release takes no code from its surroundings and only an app from its checked archive', () => {
  expect(releaseFuses).toMatchObject({
    RunAsNode: false,
    EnableNodeOptionsEnvironmentVariable: false,
    EnableNodeCliInspectArguments: false,
    EnableEmbeddedAsarIntegrityValidation: true,
    OnlyLoadAppFromAsar: true,
    LoadBrowserProcessSpecificV8Snapshot: false,
    GrantFileProtocolExtraPrivileges: false,
    EnableCookieEncryption: true,
  })
})

test('the unpacked folder differs from a release in the two fuses that want an archive, and in nothing else', () => {
  const { differences } = compareWire(wireOf(unpackedFuses), releaseFuses)
  expect(differences).toEqual([
    'EnableEmbeddedAsarIntegrityValidation is not on',
    'OnlyLoadAppFromAsar is not on',
  ])
})

test('a wire that is the list has no difference', () => {
  expect(compareWire(wireOf(releaseFuses), releaseFuses)).toEqual({ differences: [], absent: [] })
})

test('each fuse of the attacked Electron that is open is told as a difference', () => {
  expect(compareWire(wireOf(openFuses), unpackedFuses).differences).toEqual([
    'RunAsNode is not off',
    'EnableNodeOptionsEnvironmentVariable is not off',
    'EnableNodeCliInspectArguments is not off',
  ])
})

test('a fuse that was taken out of Electron is a difference, not one that is off', () => {
  const wire = { ...wireOf(releaseFuses), [FuseV1Options.RunAsNode]: FuseState.REMOVED }
  expect(compareWire(wire, releaseFuses).differences).toEqual(['RunAsNode is not off'])
})

test('a fuse that the list does not know is a difference', () => {
  const wire = { ...wireOf(releaseFuses), 9: FuseState.ENABLE } as FuseWire
  expect(compareWire(wire, releaseFuses).differences).toEqual(['fuse 9 is not in the list'])
})

test('a wire of another version is a difference', () => {
  const wire = { ...wireOf(releaseFuses), version: '2' }
  expect(compareWire(wire, releaseFuses).differences).toEqual(['the wire has version 2'])
})

test('fuses that an older Electron lacks are named, and not written', () => {
  const older = wireOf(openFuses, 8)
  expect(compareWire(older, unpackedFuses).absent).toEqual(['WasmTrapHandlers'])
  const config = fuseConfig(unpackedFuses, older)
  expect(Object.keys(config)).not.toContain(String(FuseV1Options.WasmTrapHandlers))
  expect(config).toMatchObject({ strictlyRequireAllFuses: true, [FuseV1Options.RunAsNode]: false })
})
