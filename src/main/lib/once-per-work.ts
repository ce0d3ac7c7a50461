/**
 * What `read` gives, read once for all who ask within one piece of work: until that gives way to another, or `forget`.
 * Nothing else can have changed it meanwhile in this program; what another one writes is seen in the next piece.
 */
export function oncePerWork<T>(read: () => T): { get(): T; forget(): void } {
  let known: { value: T } | null = null
  const forget = () => {
    known = null
  }
  return {
    get() {
      if (!known) {
        known = { value: read() }
        queueMicrotask(forget)
      }
      return known.value
    },
    forget,
  }
}
