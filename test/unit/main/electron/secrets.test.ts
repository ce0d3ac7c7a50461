import { expect, test } from 'vitest'
import { createSecrets, judgeStore } from '../../../../src/main/electron/secrets'

const verdicts = [
  ['linux', true, 'gnome_libsecret', true, 'gnome_libsecret'],
  ['linux', true, 'kwallet6', true, 'kwallet6'],
  ['linux', true, 'basic_text', false, 'basic_text'],
  ['linux', true, 'unknown', false, 'unknown'],
  ['linux', false, 'gnome_libsecret', false, 'gnome_libsecret'],
  ['darwin', true, '', true, 'keychain'],
  ['darwin', false, '', false, 'keychain'],
  ['win32', true, '', true, 'dpapi'],
] as const
for (const [platform, isAvailable, store, available, backend] of verdicts) {
  test(`${platform} with "${store}", ${isAvailable ? 'answering' : 'silent'}, ${available ? 'seals' : 'does not seal'}`, () => {
    const verdict = judgeStore(platform, isAvailable, store)
    expect(verdict).toMatchObject({ available, backend })
    // The reason says what to do instead.
    expect(verdict.reason).toMatch(available ? /^$/ : /environment variable that holds it\.$/)
  })
}

/** A safeStorage that, like Chromium's, would seal with a fixed password. */
function basicText() {
  const calls: string[] = []
  return {
    calls,
    getSelectedStorageBackend: () => 'basic_text',
    isEncryptionAvailable: () => true,
    encryptString: (text: string) => {
      calls.push(text)
      return Buffer.from(text)
    },
    decryptString: (sealed: Buffer) => {
      calls.push(sealed.toString())
      return sealed.toString()
    },
  }
}

test('without a keyring nothing is ever handed to Chromium to seal or open', () => {
  const storage = basicText()
  const secrets = createSecrets(storage as never, 'linux')

  expect(() => secrets.seal('key')).toThrow(/No keyring/)
  expect(() => secrets.open(Buffer.from('key'))).toThrow(/No keyring/)
  expect(storage.calls).toEqual([])
})
