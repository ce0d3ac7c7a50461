/** Seals keys. `available` is false where there is no real keyring: then nothing is ever sealed (KEY-1). */
export interface Keyring {
  available: boolean
  /** Name of the store, kept with each sealed value: "gnome_libsecret", "keychain", "dpapi". */
  backend: string
  /** Why it is not available, and what can be done instead. */
  reason: string
  seal(text: string): Buffer
  /** Throws when the value was sealed by another keyring. */
  open(sealed: Buffer): string
}
