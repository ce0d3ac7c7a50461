import type { SafeStorage } from 'electron'
import { AppError } from '@shared/errors'
import type { Keyring } from '../lib/keyring'

/** Names and safety of the store that sealing would use. */
export interface StoreVerdict {
  available: boolean
  backend: string
  /** Why it is not available, and what can be done instead; '' if it is. */
  reason: string
}

/**
 * Whether there is a real keyring (KEY-1). Chromium's `basic_text` seals with a password that everybody knows, so it
 * counts as none, and so does `unknown`.
 */
export function judgeStore(
  platform: NodeJS.Platform,
  isAvailable: boolean,
  linuxBackend: string,
): StoreVerdict {
  const backend = platform === 'darwin' ? 'keychain' : platform === 'win32' ? 'dpapi' : linuxBackend
  const instead = 'Keep the key for this run of Satchel only, or name an environment variable that holds it.'
  if (backend === 'basic_text' || backend === 'unknown') {
    const reason = `No keyring (GNOME Keyring or KWallet) is running, so keys can not be stored safely. ${instead}`
    return { available: false, backend, reason }
  }
  if (!isAvailable) {
    return {
      available: false,
      backend,
      reason: `The system's keyring (${backend}) does not answer. ${instead}`,
    }
  }
  return { available: true, backend, reason: '' }
}

/** Seals with the system's keyring. Call it after the app is ready. */
export function createSecrets(safeStorage: SafeStorage, platform: NodeJS.Platform): Keyring {
  const linuxBackend = platform === 'linux' ? safeStorage.getSelectedStorageBackend() : ''
  return seals(safeStorage, judgeStore(platform, safeStorage.isEncryptionAvailable(), linuxBackend))
}

/** For tests on machines without a keyring. Protects nothing; a packaged app never calls it. */
export function createPlainSecrets(safeStorage: SafeStorage): Keyring {
  safeStorage.setUsePlainTextEncryption(true)
  return seals(safeStorage, { available: true, backend: 'plain-for-tests', reason: '' })
}

function seals(safeStorage: SafeStorage, verdict: StoreVerdict): Keyring {
  return {
    ...verdict,
    seal(text) {
      if (!verdict.available) throw new AppError('no_secure_storage', verdict.reason)
      return safeStorage.encryptString(text)
    },
    open(sealed) {
      if (!verdict.available) throw new AppError('no_secure_storage', verdict.reason)
      return safeStorage.decryptString(sealed)
    },
  }
}
