/** Where failures of the app itself go. Never given keys, message texts or script output. */
export interface Log {
  info(message: string, data?: Record<string, unknown>): void
  warn(message: string, data?: Record<string, unknown>): void
  error(message: string, error?: unknown): void
}
