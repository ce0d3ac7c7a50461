/**
 * Remembers what was made of an object, and of what stood beside it, for as long as the object lives: the last one of
 * each. Only for objects that nobody changes.
 */
export function weakMemo<Key extends object, Beside extends readonly unknown[], Made>(
  make: (key: Key, ...beside: Beside) => Made,
): (key: Key, ...beside: Beside) => Made {
  const known = new WeakMap<Key, { beside: Beside; made: Made }>()
  return (key, ...beside) => {
    const found = known.get(key)
    if (
      found &&
      found.beside.length === beside.length &&
      found.beside.every((one, at) => one === beside[at])
    ) {
      return found.made
    }
    const made = make(key, ...beside)
    known.set(key, { beside, made })
    return made
  }
}
