/** Reason of an abort when the app quits: what is open stays open, and the chat says that it was interrupted. */
export const QUITTING = Symbol('quitting')
