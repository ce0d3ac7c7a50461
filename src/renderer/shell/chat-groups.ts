import type { Project } from '@shared/domain/project'
import type { SessionSummary } from '@shared/domain/session'

export interface ChatGroup {
  /** null: chats without a project. */
  projectDir: string | null
  name: string
  /** False when the folder is gone. */
  exists: boolean
  chats: SessionSummary[]
}

/** Chats by project, newest first inside and among groups; chats without a project last, if there are any. */
export function groupChats(chats: SessionSummary[], projects: Project[], noProject: string): ChatGroup[] {
  const byDir = new Map<string | null, SessionSummary[]>()
  for (const chat of chats.toSorted((a, b) => b.updatedAt - a.updatedAt)) {
    byDir.set(chat.projectDir, [...(byDir.get(chat.projectDir) ?? []), chat])
  }
  const known = new Map(projects.map((project) => [project.dir, project]))
  const dirs = new Set([...known.keys(), ...[...byDir.keys()].filter((dir) => dir !== null)])
  const groups = [...dirs].map((dir) => {
    const list = byDir.get(dir) ?? []
    return {
      group: {
        projectDir: dir,
        name: known.get(dir)?.name ?? list[0]?.projectName ?? dir,
        exists: known.get(dir)?.exists ?? true,
        chats: list,
      },
      newest: list[0]?.updatedAt ?? known.get(dir)?.openedAt ?? 0,
    }
  })
  const loose = byDir.get(null) ?? []
  return [
    ...groups.toSorted((a, b) => b.newest - a.newest).map((entry) => entry.group),
    ...(loose.length > 0 ? [{ projectDir: null, name: noProject, exists: true, chats: loose }] : []),
  ]
}
