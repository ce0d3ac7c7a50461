/** The part of node-pty that Satchel uses; its alias brings types under another module name. */
declare module 'node-pty' {
  interface Pty {
    readonly pid: number
    write(data: string): void
    resize(columns: number, rows: number): void
    pause(): void
    resume(): void
    kill(signal?: string): void
    onData(listener: (data: Uint8Array) => void): void
    onExit(listener: (end: { exitCode: number; signal?: number }) => void): void
  }
  export function spawn(
    file: string,
    args: string[],
    options: {
      cols: number
      rows: number
      cwd: string
      env: Record<string, string>
      /** null: data arrives as bytes. */
      encoding: null
    },
  ): Pty
}
