/** The other programs whose view of a skill is told (M11). */
export const LENS_CLIENTS = ['claude-code', 'codex', 'gemini-cli', 'opencode', 'mux', 'pi'] as const
export type LensClientId = (typeof LENS_CLIENTS)[number]

/** The day on which their sources and documents were read (`format.md`, `management.md` 1.1). */
export const LENS_AS_OF = '2026-11-21'

export interface LensClient {
  label: string
  /** Folders for a person's own skills, from ~ on. */
  own: readonly string[]
  /** Folders inside a project. */
  inProject: readonly string[]
}

export const CLIENTS: Readonly<Record<LensClientId, LensClient>> = {
  'claude-code': { label: 'Claude Code', own: ['~/.claude/skills'], inProject: ['.claude/skills'] },
  codex: { label: 'Codex', own: ['~/.agents/skills', '~/.codex/skills'], inProject: ['.agents/skills'] },
  'gemini-cli': { label: 'Gemini CLI', own: ['~/.gemini/skills'], inProject: ['.agents/skills'] },
  opencode: { label: 'opencode', own: ['~/.config/opencode/skills'], inProject: ['.agents/skills'] },
  mux: { label: 'mux', own: ['~/.mux/skills'], inProject: ['.mux/skills'] },
  pi: { label: 'pi', own: ['~/.pi/agent/skills'], inProject: ['.pi/skills'] },
}
